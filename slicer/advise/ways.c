/* SPDX-License-Identifier: GPL-3.0-or-later
 * Best ways through the needs; ways.h. Dijkstra's algorithm over small costs: a step costs the more the more others
 * might be meant in its place, as one through memory of which points-to knows many objects.
 * A way that goes into a function for what it returns must leave it for the call by which it came in: what an argument
 * does to a result is found first, function by function, and is then one step in the caller (Reps, Horwitz and Sagiv,
 * "Precise interprocedural dataflow analysis via graph reachability", 1995). Memory that is not a function's own, and
 * messages, may have been written whenever: there the way is free again. */
#include "slicer/advise/ways.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/advise/constant_calls.h"
#include "slicer/advise/elements.h"
#include "slicer/advise/rewritten.h"
#include "slicer/advise/settings.h"
#include "slicer/graph/storage.h"

/* What steps cost; a statement or message costs STEP, and what it goes through more. */
enum {
    STEP = 2,         /* to a statement or message */
    CROSSING = 1,     /* out of a function, or into it */
    ELEMENT = 1,      /* through an array, which is one place */
    HEAP = 3,         /* through memory that an allocator has given */
    SAME = 7,         /* to a store through the same pointer: a place that has a name is better */
    MANY = 12,        /* for each power of two of objects that may be meant in its place */
    REWRITTEN = 40,   /* from a read through a pointer through which its function has stored before */
    REUSED = 4,       /* to a value without a name that another line has, as an index that is computed once for both */
    EFFECT = 6,       /* to calls that write something of an object */
    COMPUTED = 24,    /* to what decides whether a value is computed */
    MEETING = 40,     /* to another collective call */
    OTHERS = 60,      /* to another rank that may have other settings */
    STATE = 30,       /* through files, and what a library holds */
    UNKNOWN = 40,     /* through memory that cannot be told apart */
    LOOSE = 10,       /* to who writes nobody knows how much */
    DOUBTFUL = 600,   /* to what cannot have arrived, as it seems */
    IMPOSSIBLE = 1000 /* a way that the program cannot go */
};

/* ---- nodes and edges ---- */

enum cs_need_kind cs_ways_kind(const struct cs_ways *w, int node, int *what)
{
    assert(node >= 0 && node < w->n + w->nextra);
    if (node < w->n)
        return cs_need_kind(w->needs, node, what);
    *what = w->extra[node - w->n];
    return CS_NEED_STMT;
}

/* NULL: it is none of them. */
static const struct cs_need_other *other(const struct cs_ways *w, int node)
{
    int what;
    return cs_ways_kind(w, node, &what) == CS_NEED_OTHER ? cs_need_other(w->needs, node) : NULL;
}

static bool is_other(const struct cs_ways *w, int node, enum cs_need_other_kind kind)
{
    const struct cs_need_other *o = other(w, node);
    return o && o->kind == kind;
}

static bool is_mark(enum cs_need_kind kind)
{
    return kind == CS_NEED_ENVELOPE || kind == CS_NEED_CONTENT;
}

/* The function in which the node is, -1: in none. */
static int func_of(const struct cs_ways *w, int node)
{
    int what;
    enum cs_need_kind kind = cs_ways_kind(w, node, &what);
    if (kind == CS_NEED_VALUE)
        return w->g->values[what].func;
    return kind == CS_NEED_STMT || is_mark(kind) ? w->g->stmts[what].func : -1;
}

/* Into a function, for what it returns to a call. */
static bool asks_result(const struct cs_ways *w, const struct cs_way_edge *e)
{
    return is_other(w, e->to, CS_NEED_RESULT);
}

/* The same, or for what it writes for a call. */
static bool goes_in(const struct cs_ways *w, const struct cs_way_edge *e)
{
    return e->writes || asks_result(w, e);
}

static void take_writes(struct cs_ways *w)
{
    int n = 0;
    w->writes = cs_calloc(w->needs->nwrites + 1, sizeof *w->writes);
    for (int i = 0; i < w->needs->nwrites; i++)
        w->writes[i] = w->needs->writes[i];
    qsort(w->writes, w->needs->nwrites, sizeof *w->writes, cs_need_write_order);
    for (int i = 0; i < w->needs->nwrites; i++)
        if (!n || cs_need_write_order(&w->writes[n - 1], &w->writes[i]))
            w->writes[n++] = w->writes[i];
    w->nwrites = n;
}

/* The first of the place's writes by this statement or a later one. */
static int first_write(const struct cs_ways *w, int place, int stmt)
{
    struct cs_need_write key = {place, stmt, -1};
    int lo = 0, hi = w->nwrites;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (cs_need_write_order(&w->writes[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* The calls for which the edge's statement writes its place: writes[*first] and so many behind it. */
static int writes_of(const struct cs_ways *w, const struct cs_way_edge *e, int *first)
{
    int stmt, n = 0;
    enum cs_need_kind kind = cs_ways_kind(w, e->to, &stmt);
    if (!is_other(w, e->from, CS_NEED_PLACE) || (kind != CS_NEED_STMT && !is_mark(kind)))
        return 0;
    *first = first_write(w, e->from, stmt);
    while (*first + n < w->nwrites && w->writes[*first + n].place == e->from && w->writes[*first + n].stmt == stmt)
        n++;
    return n;
}

/* Out of a function, to who calls it. */
static bool goes_out(const struct cs_ways *w, const struct cs_way_edge *e)
{
    return !goes_in(w, e) && other(w, e->from) && (e->call || is_other(w, e->from, CS_NEED_EFFECT));
}

/* Is it needed by the root only since it gives memory back? Such a call is no reason for anything. */
static bool gives_back(const struct cs_ways *w, const struct cs_need_edge *e)
{
    int s;
    if (e->from != 0 || cs_need_kind(w->needs, e->to, &s) != CS_NEED_STMT)
        return false;
    const struct cs_stmt *st = &w->g->stmts[s];
    return st->why == CS_WHY_FREE || st->why == CS_WHY_COUNT || st->parent >= 0;
}

static int by_end(const void *x, const void *y)
{
    const struct cs_way_edge *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return a->to != b->to ? (a->to < b->to ? -1 : 1) : (a->among > b->among) - (a->among < b->among);
}

/* Of edges that are the same, the first stays: that of the fewest objects. */
static void drop_doubles(struct cs_ways *w)
{
    int n = 0;
    for (int i = 0; i < w->nedges; i++) {
        const struct cs_way_edge *e = &w->edges[i], *last = n ? &w->edges[n - 1] : NULL;
        if (!last || last->from != e->from || last->call != e->call || last->to != e->to)
            w->edges[n++] = *e;
    }
    w->nedges = n;
}

/* By where they begin, then by call. Each stays once. */
static void sort_edges(struct cs_ways *w)
{
    int n = w->n + w->nextra;
    qsort(w->edges, w->nedges, sizeof *w->edges, by_end);
    drop_doubles(w);
    free(w->first);
    w->first = cs_calloc(n + 2, sizeof *w->first);
    for (int i = 0; i < w->nedges; i++)
        w->first[w->edges[i].from + 1]++;
    for (int i = 0; i < n; i++)
        w->first[i + 1] += w->first[i];
}

static void take_edges(struct cs_ways *w)
{
    w->edges = cs_calloc((size_t)w->needs->nedges + 1, sizeof *w->edges);
    w->aedges = w->needs->nedges + 1;
    for (int i = 0; i < w->needs->nedges; i++) {
        struct cs_need_edge e = w->needs->edges[i];
        if (!gives_back(w, &e))
            w->edges[w->nedges++] = (struct cs_way_edge){e.from, e.to,       e.call,  e.among,  0,     false,
                                                         false,  e.doubtful, e.loose, e.unsure, e.copy};
    }
    sort_edges(w);
}

/* ---- what a step costs ---- */

/* By how many ways of calls the program comes to each function, as far as calls name it; not more than MOST. */
static void count_runs(struct cs_ways *w)
{
    enum { MOST = 64, DEPTH = 6 };
    const struct cs_graph *g = w->g;
    int *next = cs_calloc(g->nfuncs + 1, sizeof *next);
    w->runs = cs_calloc(g->nfuncs + 1, sizeof *w->runs);
    for (int f = 0; f < g->nfuncs; f++)
        w->runs[f] = 1;
    for (int i = 0; i < DEPTH; i++) {
        memset(next, 0, g->nfuncs * sizeof *next);
        for (int s = 0; s < g->nstmts; s++) {
            const struct cs_stmt *st = &g->stmts[s];
            bool direct = st->kind == CS_STMT_CALL && st->keep && st->callee.kind == CS_OPND_ADDR;
            int f = direct && g->objs[st->callee.id].kind == CS_OBJ_FUNC ? g->objs[st->callee.id].func : -1;
            if (f >= 0 && next[f] < MOST)
                next[f] += w->runs[st->func];
        }
        for (int f = 0; f < g->nfuncs; f++)
            w->runs[f] = next[f] ? next[f] : 1;
    }
    free(next);
}

/* How many pieces of memory the object may stand for, that one statement allocates for different callers. */
static int pieces(const struct cs_ways *w, const struct cs_need_other *o)
{
    const struct cs_obj *ob = o->obj >= 0 && o->obj < w->g->nobjs ? &w->g->objs[o->obj] : NULL;
    bool heap = ob && ob->kind == CS_OBJ_HEAP && ob->stmt >= 0 && ob->stmt < w->g->nstmts;
    return heap ? w->runs[w->g->stmts[ob->stmt].func] : 1;
}

/* The power of two of so many. */
static int power(int n)
{
    int p = 0;
    for (; n > 1; n = (n + 1) / 2)
        p++;
    return p;
}

static int place_cost(const struct cs_ways *w, const struct cs_need_other *o)
{
    if (o->obj < 0 || o->obj >= w->g->nobjs)
        return UNKNOWN;
    const struct cs_obj *ob = &w->g->objs[o->obj];
    if (ob->kind == CS_OBJ_HIDDEN || ob->kind == CS_OBJ_FUNC)
        return STATE;
    if (ob->kind == CS_OBJ_HEAP)
        return ob->stmt < 0 ? UNKNOWN : o->exact ? HEAP : HEAP + ELEMENT;
    return (o->flow ? 0 : 1) + (o->exact ? 0 : ELEMENT);
}

/* Is it the mark of another collective call, which may only seem to meet this one? */
static bool meets(const struct cs_ways *w, int from, int call)
{
    int what;
    enum cs_binding b;
    const struct cs_operand *callee = &w->g->stmts[call].callee;
    if (!is_mark(cs_ways_kind(w, from, &what)) || what == call || callee->kind != CS_OPND_ADDR)
        return false;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(cs_obj_name(w->g, callee->id), &b);
    return c && (c->kind == CS_MPI_COLL || c->kind == CS_MPI_BARRIER);
}

/* A statement that only makes a value: a branch that decides whether it runs does not decide which value it is. */
static bool is_plain_value(const struct cs_ways *w, int node)
{
    int s;
    if (cs_ways_kind(w, node, &s) != CS_NEED_STMT)
        return false;
    return w->g->stmts[s].kind == CS_STMT_ASSIGN || w->g->stmts[s].kind == CS_STMT_LOAD;
}

/* Does the source call the value something, as n of `n_5 = ...`? */
static bool has_name(const char *text)
{
    return *text && *text != '_' && strstr(text, " = ");
}

/* From a statement to a value without a name that is made in another line of its function? */
static bool is_reused(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int s, v;
    const struct cs_graph *g = w->g;
    if (cs_ways_kind(w, e->from, &s) != CS_NEED_STMT || cs_ways_kind(w, e->to, &v) != CS_NEED_VALUE)
        return false;
    int d = g->values[v].def;
    return d >= 0 && g->stmts[d].line != g->stmts[s].line && g->stmts[d].line && g->stmts[s].line &&
           !has_name(cs_graph_str(g, g->stmts[d].text));
}

static int cost_of(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int what, cost = 0;
    enum cs_need_kind kind = cs_ways_kind(w, e->to, &what);
    const struct cs_need_other *to = other(w, e->to);
    if (to && to->kind == CS_NEED_PLACE)
        cost += place_cost(w, to);
    if (kind == CS_NEED_STMT || is_mark(kind))
        cost += STEP;
    if (is_mark(kind) && meets(w, e->from, what))
        cost += MEETING;
    if (to && to->kind == CS_NEED_EFFECT)
        cost += EFFECT;
    if (kind == CS_NEED_STMT && is_plain_value(w, e->from) && w->g->stmts[what].kind == CS_STMT_COND)
        cost += COMPUTED;
    cost += MANY * power(e->among) + (is_reused(w, e) ? REUSED : 0);
    cost += (e->doubtful ? DOUBTFUL : 0) + (e->loose ? LOOSE : 0);
    return cost + (goes_in(w, e) || goes_out(w, e) ? CROSSING : 0);
}

static void find_costs(struct cs_ways *w, struct cs_rewritten *r)
{
    count_runs(w);
    for (int i = 0; i < w->nedges; i++) {
        struct cs_way_edge *e = &w->edges[i];
        const struct cs_need_other *to = other(w, e->to);
        int shared = to && to->kind == CS_NEED_PLACE ? pieces(w, to) : 1;
        e->among = e->among > shared ? e->among : shared;
        int first;
        e->writes = writes_of(w, e, &first) > 0;
        int what;
        bool reads = to && to->kind == CS_NEED_PLACE && cs_ways_kind(w, e->from, &what) == CS_NEED_STMT;
        e->cost = cost_of(w, e) + (reads && cs_rewritten_before(r, what) ? REWRITTEN : 0);
    }
}

/* ---- a queue ---- */

/* A heap of pairs of cost and number, the least cost at a[0]. */
struct heap {
    struct item {
        int cost, number;
    } * a;
    int n, cap;
};

static bool comes_before(struct item a, struct item b)
{
    return a.cost != b.cost ? a.cost < b.cost : a.number < b.number;
}

static void push(struct heap *h, int cost, int number)
{
    CS_GROW(h->a, h->n, h->cap);
    int i = h->n++;
    struct item x = {cost, number};
    for (; i > 0 && comes_before(x, h->a[(i - 1) / 2]); i = (i - 1) / 2)
        h->a[i] = h->a[(i - 1) / 2];
    h->a[i] = x;
}

static struct item pop(struct heap *h)
{
    assert(h->n > 0);
    struct item top = h->a[0], x = h->a[--h->n];
    int i = 0;
    for (int k; (k = 2 * i + 1) < h->n; i = k) {
        k += k + 1 < h->n && comes_before(h->a[k + 1], h->a[k]);
        if (!comes_before(h->a[k], x))
            break;
        h->a[i] = h->a[k];
    }
    h->a[i] = x;
    return top;
}

/* ---- what an argument does to a result ---- */

/* A way through a function: from its result out of it, by this node. */
struct way_out {
    int node, cost;
};
/* Of one node at which functions are come into, for a result or something that is written: the ways out; the other such
 * nodes whose functions ask for it, again if it changes. */
struct result {
    struct way_out *a;
    int n, cap;
    struct cs_intlist askers;
    int runs;
    bool waits;
};
/* The search in one function. cost[node] counts from its result; nodes that have one are listed in `touched`. */
struct inside {
    struct cs_ways *w;
    struct result *results; /* by node: of nodes for results, and of statements that write through a parameter */
    struct cs_constant_calls *calls;
    int call; /* only what this one does of its function, -1: any */
    int *cost, func, self;
    struct cs_intlist touched, *work;
    struct heap heap;
};

static void reach(struct inside *in, int node, int cost)
{
    if (in->cost[node] >= 0 && in->cost[node] <= cost)
        return;
    if (in->cost[node] < 0)
        cs_intlist_add(&in->touched, node);
    in->cost[node] = cost;
    push(&in->heap, cost, node);
}

/* Of the edges of a node, the first one that goes by this call. */
static int first_by_call(const struct cs_ways *w, int node, int call)
{
    int lo = w->first[node], hi = w->first[node + 1];
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (w->edges[mid].call < call)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Calls fn for each edge to what in the caller the result of the call needs, and what that costs. */
static void through_call(const struct cs_ways *w, const struct result *r, int call,
                         void (*fn)(void *arg, const struct cs_way_edge *by, int cost), void *arg)
{
    for (int i = 0; i < r->n; i++)
        for (int v = r->a[i].node, k = first_by_call(w, v, call); k < w->first[v + 1] && w->edges[k].call == call; k++)
            fn(arg, &w->edges[k], r->a[i].cost + w->edges[k].cost);
}

/* In a search at some cost. */
struct at_cost {
    struct inside *in;
    int cost;
};

/* Is it in the function, or a variable of its own? */
static bool is_inside(const struct inside *in, int node)
{
    const struct cs_need_other *o = other(in->w, node);
    if (!o)
        return func_of(in->w, node) == in->func;
    if (o->kind != CS_NEED_PLACE || o->obj < 0 || o->obj >= in->w->g->nobjs)
        return false;
    const struct cs_obj *ob = &in->w->g->objs[o->obj];
    return ob->kind == CS_OBJ_LOCAL && ob->func == in->func;
}

static void reach_inside(void *arg, const struct cs_way_edge *by, int cost)
{
    struct at_cost *c = arg;
    if (is_inside(c->in, by->to))
        reach(c->in, by->to, c->cost + cost);
}

static bool leads_out(const struct cs_ways *w, int node)
{
    const struct cs_need_other *o = other(w, node);
    if (!o || (o->kind != CS_NEED_PARAM && o->kind != CS_NEED_PLACE))
        return false;
    for (int k = w->first[node]; k < w->first[node + 1]; k++)
        if (w->edges[k].call)
            return true;
    return o->kind == CS_NEED_PARAM;
}

/* Past a function that is come into by the edge, to what its calls here need. */
static void go_through(struct inside *in, const struct cs_way_edge *e, struct at_cost *c)
{
    const struct cs_ways *w = in->w;
    struct result *asked = &in->results[e->to];
    int first = 0, n = e->writes ? writes_of(w, e, &first) : 0;
    cs_intlist_add(&asked->askers, in->self);
    if (!e->writes)
        through_call(w, asked, e->call, reach_inside, c);
    for (int i = first; i < first + n; i++)
        if (w->g->stmts[w->writes[i].call].func == in->func)
            through_call(w, asked, w->writes[i].call + 1, reach_inside, c);
}

/* Does the call skip what the node stands for? */
static bool is_skipped(const struct cs_ways *w, struct cs_constant_calls *calls, int call, int node)
{
    int what;
    return call >= 0 && cs_ways_kind(w, node, &what) == CS_NEED_STMT && cs_constant_call_skips_stmt(calls, call, what);
}

/* From a node of the function on; a way out is noted. True if it is new, or better than before. */
static bool go_on(struct inside *in, struct result *r, int node)
{
    const struct cs_ways *w = in->w;
    int cost = in->cost[node];
    for (int k = w->first[node]; k < w->first[node + 1]; k++) {
        const struct cs_way_edge *e = &w->edges[k];
        struct at_cost c = {in, cost + w->edges[k].cost};
        if (is_skipped(w, in->calls, in->call, e->to))
            continue;
        if (goes_in(w, e))
            go_through(in, e, &c);
        else if (is_inside(in, e->to) && !goes_out(w, e))
            reach(in, e->to, c.cost);
        else if (leads_out(w, e->to))
            reach(in, e->to, c.cost);
    }
    if (!leads_out(w, node))
        return false;
    for (int i = 0; i < r->n; i++)
        if (r->a[i].node == node) {
            bool better = cost < r->a[i].cost;
            r->a[i].cost = better ? cost : r->a[i].cost;
            return better;
        }
    CS_GROW(r->a, r->n, r->cap);
    r->a[r->n++] = (struct way_out){node, cost};
    return true;
}

/* The ways out of the function of a node for a result go to *r. True if some are new, or better. */
static bool find_ways_out(struct inside *in, int node, struct result *r)
{
    const struct cs_ways *w = in->w;
    bool any = false;
    in->self = node;
    in->func = func_of(w, node);
    if (in->func < 0 && w->first[node] < w->first[node + 1])
        in->func = func_of(w, w->edges[w->first[node]].to);
    reach(in, node, 0);
    while (in->heap.n) {
        struct item x = pop(&in->heap);
        if (in->cost[x.number] == x.cost)
            any |= go_on(in, r, x.number);
    }
    for (int i = 0; i < in->touched.n; i++)
        in->cost[in->touched.a[i]] = -1;
    in->touched.n = 0;
    return any;
}

/* Looks at all functions whose results are asked for, and again where those that they call have changed. */
static void find_results(struct inside *in)
{
    enum { RUNS = 8 }; /* of each function: what is better after so many is not worth it */
    struct cs_ways *w = in->w;
    struct result *results = in->results;
    struct cs_intlist work = {0};
    for (int i = 0; i < w->nedges; i++)
        if (goes_in(w, &w->edges[i]) && !results[w->edges[i].to].waits) {
            results[w->edges[i].to].waits = true;
            cs_intlist_add(&work, w->edges[i].to);
        }
    for (int i = 0; i < work.n; i++) {
        struct result *r = &results[work.a[i]];
        r->waits = false;
        if (r->runs++ == RUNS || !find_ways_out(in, work.a[i], r))
            continue;
        for (int k = 0; k < r->askers.n; k++) {
            int asker = r->askers.a[k];
            if (!results[asker].waits)
                cs_intlist_add(&work, asker);
            results[asker].waits = true;
        }
        r->askers.n = 0;
    }
    cs_intlist_free(&work);
}

/* For through_call(): edges from the extra node `from` are added. */
struct new_edges {
    struct cs_ways *w;
    int from, n;
};

static void add_edge(struct cs_ways *w, struct cs_way_edge e)
{
    CS_GROW(w->edges, w->nedges, w->aedges);
    w->edges[w->nedges++] = e;
}

static void add_needed(void *arg, const struct cs_way_edge *by, int cost)
{
    struct new_edges *n = arg;
    struct cs_way_edge e = {.from = n->from, .to = by->to, .among = by->among, .cost = cost};
    e.doubtful = by->doubtful;
    e.loose = by->loose;
    e.unsure = by->unsure;
    add_edge(n->w, e);
    n->n++;
}

/* The nodes that were made so far, by what is asked and the call: the pair is the number of the extra node, and what is
 * asked. */
struct made {
    const struct cs_ways *w;
    int call, to;
};

static bool same_result(const void *what, int extra, int to)
{
    const struct made *m = what;
    return m->w->extra[extra] == m->call && m->to == to;
}

/* Like through_call(), but a call that skips something does not come by that. */
static void through_own_call(struct inside *in, const struct cs_way_edge *e, int call, struct new_edges *n)
{
    struct result own = {0};
    bool skips = in->calls->flow->first_callee && cs_constant_call_skips(in->calls, call);
    in->call = call;
    if (skips)
        find_ways_out(in, e->to, &own);
    in->call = -1;
    through_call(in->w, skips ? &own : &in->results[e->to], call + 1, add_needed, n);
    free(own.a);
}

/* The node of the call, made with its edges if there is none yet; of one that writes, also to the call. -1: it needs
 * nothing. */
static int result_node(struct inside *in, const struct cs_way_edge *e, int call, struct cs_pairset *known)
{
    struct cs_ways *w = in->w;
    struct made m = {w, call, e->to};
    uint32_t h = cs_hash(cs_hash(0, call), e->to);
    int is = cs_pairset_find(known, h, same_result, &m);
    if (is >= 0)
        return w->n + is;
    struct new_edges n = {w, w->n + w->nextra, 0};
    through_own_call(in, e, call, &n);
    if (e->writes)
        add_needed(&n, &(struct cs_way_edge){.to = cs_need_stmt(w->needs, call), .among = 1}, 0);
    if (!n.n)
        return -1;
    CS_GROW(w->extra, w->nextra, w->aextra);
    cs_pairset_add(known, h, w->nextra, e->to);
    w->extra[w->nextra++] = call;
    return n.from;
}

/* Adds an edge to a node for the call, needed by the edge's first node. */
static void add_result(struct inside *in, const struct cs_way_edge *e, int call, struct cs_pairset *known)
{
    struct cs_ways *w = in->w;
    int node = result_node(in, e, call, known);
    if (node < 0)
        return;
    add_edge(w, (struct cs_way_edge){.from = e->from,
                                     .to = node,
                                     .among = e->among,
                                     .cost = e->writes ? e->cost : 0,
                                     .doubtful = e->doubtful,
                                     .loose = e->loose,
                                     .unsure = e->unsure});
}

/* Adds a node for each call of which the result, or what it writes, needs an argument, and its edges. */
static void add_results(struct inside *in)
{
    struct cs_ways *w = in->w;
    struct cs_pairset known = {0};
    for (int i = 0, old = w->nedges; i < old; i++) {
        struct cs_way_edge e = w->edges[i];
        int first = 0, n = e.writes ? writes_of(w, &e, &first) : 0;
        if (asks_result(w, &e) && e.call)
            add_result(in, &e, e.call - 1, &known);
        for (int k = first; k < first + n; k++)
            add_result(in, &e, w->writes[k].call, &known);
    }
    cs_pairset_free(&known);
}

/* Puts a node for the statement that copies it between a place and what is copied there. */
static void add_copies(struct cs_ways *w)
{
    for (int i = 0, old = w->nedges; i < old; i++) {
        struct cs_way_edge e = w->edges[i];
        if (!e.copy)
            continue;
        w->edges[i].from = w->n + w->nextra;
        w->edges[i].copy = 0;
        add_edge(w, (struct cs_way_edge){.from = e.from, .to = w->n + w->nextra, .among = 1, .cost = STEP});
        CS_GROW(w->extra, w->nextra, w->aextra);
        w->extra[w->nextra++] = e.copy - 1;
    }
}

static void join_calls(struct cs_ways *w, struct cs_constant_calls *calls)
{
    struct result *results = cs_calloc(w->n + 1, sizeof *results);
    struct inside in = {.w = w, .results = results, .calls = calls, .call = -1};
    in.cost = cs_calloc(w->n + 1, sizeof *in.cost);
    memset(in.cost, -1, (w->n + 1) * sizeof *in.cost);
    find_results(&in);
    add_results(&in);
    add_copies(w);
    cs_intlist_free(&in.touched);
    free(in.heap.a);
    free(in.cost);
    for (int i = 0; i < w->n; i++) {
        free(results[i].a);
        cs_intlist_free(&results[i].askers);
    }
    free(results);
    sort_edges(w);
}

static void add_same(void *arg, int stmt, int store)
{
    struct cs_ways *w = arg;
    add_edge(w, (struct cs_way_edge){.from = cs_need_stmt(w->needs, stmt),
                                     .to = cs_need_stmt(w->needs, store),
                                     .among = 1,
                                     .cost = STEP + SAME,
                                     .same = true});
}

/* Adds the edges from reads to stores through the same pointer: of all that may write what they read, those are sure
 * to. */
static void add_stores(struct cs_ways *w, struct cs_rewritten *r)
{
    for (int s = 0; s < w->needs->nstmts; s++)
        if (w->g->stmts[s].keep)
            cs_rewritten_by(r, s, add_same, w);
    sort_edges(w);
}

/* ---- the best ways ---- */

static bool is_own(const struct cs_ways *w, const struct cs_need_other *o, int func)
{
    return o->obj >= 0 && o->obj < w->g->nobjs && w->g->objs[o->obj].kind == CS_OBJ_LOCAL &&
           w->g->objs[o->obj].func == func;
}

/* Must the way still leave the function for the call by which it came in, behind the edge, if it must before? */
static bool stays_bound(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int a, b, from = func_of(w, e->from), to = func_of(w, e->to);
    enum cs_need_kind x = cs_ways_kind(w, e->from, &a), y = cs_ways_kind(w, e->to, &b);
    const struct cs_need_other *o = other(w, e->from);
    if (o && o->kind == CS_NEED_PLACE)
        return is_own(w, o, to);
    if (is_mark(y) && (is_mark(x) || x == CS_NEED_STMT) && a != b)
        return false;
    return from < 0 || to < 0 || from == to;
}

/* The state behind the edge, and what it costs to come there. */
static int state_behind(const struct cs_ways *w, int state, const struct cs_way_edge *e, int *cost)
{
    bool bound = state & 1;
    *cost = e->cost;
    if (goes_in(w, e))
        return 2 * e->to + 1;
    if (goes_out(w, e)) {
        *cost += bound ? IMPOSSIBLE : 0;
        return 2 * e->to;
    }
    return 2 * e->to + (bound && stays_bound(w, e));
}

/* The search for the best ways. */
struct search {
    struct cs_ways *w;
    struct cs_settings *settings; /* NULL: there are none */
    struct cs_constant_calls *calls;
    struct cs_elements *elements; /* NULL likewise */
    struct cs_guards *guards;     /* NULL likewise */
    struct heap heap;
};

/* The statement that must run for the node to be something: itself, or what allocates the memory; -1. */
static int runs_for(const struct search *s, int node)
{
    int what;
    enum cs_need_kind kind = cs_ways_kind(s->w, node, &what);
    const struct cs_need_other *o = other(s->w, node);
    if (kind == CS_NEED_STMT || is_mark(kind))
        return what;
    bool heap = o && o->kind == CS_NEED_PLACE && o->obj >= 0 && s->w->g->objs[o->obj].kind == CS_OBJ_HEAP;
    return heap ? s->w->g->objs[o->obj].stmt : -1;
}

/* The settings with which what the node stands for runs; of who runs elsewhere, too: all. */
static int settings_of(const struct search *s, int node)
{
    int stmt = s->settings ? runs_for(s, node) : -1;
    return stmt < 0 ? CS_SETTINGS_ALL : cs_settings_of(s->settings, stmt);
}

/* From one rank to another one, by a message? */
static bool changes_rank(const struct search *s, const struct cs_way_edge *e)
{
    int a, b;
    return is_mark(cs_ways_kind(s->w, e->from, &a)) && is_mark(cs_ways_kind(s->w, e->to, &b)) && a != b;
}

/* The settings with which the program can go by the edge, too. */
static int settings_behind(const struct search *s, int before, const struct cs_way_edge *e)
{
    int own = settings_of(s, e->to);
    return s->settings ? cs_settings_both(s->settings, before, own) : own;
}

/* Can the program go all ways on from the one mark that it can go from the other one? */
static bool covers(const struct search *s, const struct cs_way_mark *a, const struct cs_way_mark *b)
{
    return (a->call < 0 || a->call == b->call) && (a->read < 0 || a->read == b->read) && !(a->guards & ~b->guards) &&
           (a->later < 0 || a->later == b->later) &&
           (!s->settings || cs_settings_cover(s->settings, a->settings, b->settings));
}

/* Is there a mark of the state that is no worse? */
static bool is_known(const struct search *s, const struct cs_way_mark *m, int *n)
{
    for (int i = s->w->marked[m->state]; i >= 0; i = s->w->marks[i].next, ++*n)
        if (s->w->marks[i].cost <= m->cost && covers(s, &s->w->marks[i], m))
            return true;
    return false;
}

/* Takes marks from the state's list that are worse than this one: the search has not gone on from them yet. */
static void drop_worse(struct search *s, const struct cs_way_mark *m)
{
    struct cs_way_mark *all = s->w->marks;
    for (int *at = &s->w->marked[m->state]; *at >= 0;) {
        struct cs_way_mark *k = &all[*at];
        k->dropped = k->cost > m->cost && covers(s, m, k);
        if (k->dropped)
            *at = k->next;
        else
            at = &k->next;
    }
}

static void add_mark(struct search *s, struct cs_way_mark m)
{
    enum { MOST = 6 }; /* of a state */
    struct cs_ways *w = s->w;
    int n = 0;
    if (is_known(s, &m, &n))
        return;
    drop_worse(s, &m);
    if (n >= MOST)
        return;
    m.next = w->marked[m.state];
    CS_GROW(w->marks, w->nmarks, w->amarks);
    w->marked[m.state] = w->nmarks;
    w->marks[w->nmarks] = m;
    push(&s->heap, m.cost, w->nmarks++);
}

/* The call by which the way is in a function behind the edge, if it is known, and tells what that does. */
static int call_behind(struct search *s, const struct cs_way_mark *before, const struct cs_way_edge *e, int state)
{
    int first = 0, n = e->writes ? writes_of(s->w, e, &first) : 0, call = asks_result(s->w, e) ? e->call - 1 : -1;
    if (!goes_in(s->w, e))
        return state % 2 ? before->call : -1;
    if (n == 1)
        call = s->w->writes[first].call;
    return s->settings && call >= 0 && cs_constant_call_skips(s->calls, call) ? call : -1;
}

/* The read of some elements of the place behind the edge, -1. */
static int read_behind(const struct search *s, int before, const struct cs_way_edge *e)
{
    int what;
    if (!s->elements || !is_other(s->w, e->to, CS_NEED_PLACE))
        return -1;
    if (cs_ways_kind(s->w, e->from, &what) != CS_NEED_STMT)
        return is_other(s->w, e->from, CS_NEED_PLACE) ? before : -1;
    return cs_elements_some(s->elements, what) ? what : -1;
}

/* Does what the node stands for write only other elements than those that are read? */
static bool misses(const struct search *s, int read, int node)
{
    int what;
    return read >= 0 && cs_ways_kind(s->w, node, &what) == CS_NEED_STMT && !cs_elements_meet(s->elements, what, read);
}

/* The function with guards of which the way stays in one run behind the edge, -1. */
static int guarded(const struct search *s, const struct cs_way_edge *e)
{
    int func = func_of(s->w, e->to);
    const struct cs_need_other *o = other(s->w, e->to);
    if (!s->guards || goes_in(s->w, e) || goes_out(s->w, e))
        return -1;
    if (o && o->kind == CS_NEED_PLACE && o->obj >= 0 && s->w->g->objs[o->obj].kind == CS_OBJ_LOCAL)
        func = s->w->g->objs[o->obj].func;
    return func >= 0 && cs_guards_in(s->guards, func) ? func : -1;
}

/* Notes the guards of what the edge comes to. False: it runs only when one of those is gone. */
static bool pass_guards(const struct search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        struct cs_way_mark *to)
{
    int what, func = guarded(s, e);
    enum cs_need_kind kind = cs_ways_kind(s->w, e->to, &what);
    bool stays = func >= 0 && before->later >= 0 && s->w->g->stmts[before->later].func == func;
    to->guards = stays ? before->guards : 0;
    to->later = stays ? before->later : -1;
    if (!s->guards || (kind != CS_NEED_STMT && !is_mark(kind)) || !cs_guards_in(s->guards, s->w->g->stmts[what].func))
        return true;
    cs_guard_set own = cs_guards_before(s->guards, what), gone = to->guards & ~own & cs_guards_gone(s->guards, what);
    bool bar = gone || (stays && cs_guards_bar(s->guards, to->settings, to->later, what));
    to->guards = (to->guards & ~gone) | own;
    to->later = stays && !bar ? to->later : what;
    return !bar;
}

/* Goes on by the edge, with these settings behind it, for so much more. */
static void follow_with(struct search *s, int mark, int edge, int settings, int more)
{
    const struct cs_way_edge *e = &s->w->edges[edge];
    struct cs_way_mark k = s->w->marks[mark], to = {.edge = edge, .from = mark, .settings = settings};
    to.state = state_behind(s->w, k.state, e, &to.cost);
    to.call = call_behind(s, &k, e, to.state);
    to.read = read_behind(s, k.read, e);
    bool skipped = is_skipped(s->w, s->calls, to.call, e->to);
    to.broken = to.settings == CS_SETTINGS_NONE || skipped || misses(s, k.read, e->to);
    to.broken |= !pass_guards(s, &k, e, &to);
    if (to.settings == CS_SETTINGS_NONE)
        to.settings = settings_of(s, e->to);
    if (skipped)
        to.call = -1;
    to.cost += k.cost + more + (to.broken ? IMPOSSIBLE : 0);
    add_mark(s, to);
}

/* Another rank may have other settings, but mostly it has the same, if it can come by what it does with them. */
static void follow(struct search *s, int mark, int edge)
{
    const struct cs_way_edge *e = &s->w->edges[edge];
    int same = settings_behind(s, s->w->marks[mark].settings, e), own = settings_of(s, e->to);
    bool other = changes_rank(s, e) && same != own;
    if (!other || same != CS_SETTINGS_NONE)
        follow_with(s, mark, edge, same, 0);
    if (other)
        follow_with(s, mark, edge, own, same != CS_SETTINGS_NONE ? OTHERS : 0);
}

static void find_best(struct cs_ways *w, const struct cs_need_flow *flow, struct cs_constant_calls *calls)
{
    int nstates = 2 * (w->n + w->nextra);
    struct search s = {.w = w, .settings = flow->first_callee ? cs_settings_find(w->g, flow) : NULL, .calls = calls};
    if (s.settings) {
        s.elements = cs_elements_start(w->g, cs_settings_callers(s.settings));
        s.guards = cs_guards_find(w->g, flow, s.settings);
    }
    w->marked = cs_calloc(nstates + 1, sizeof *w->marked);
    memset(w->marked, -1, (nstates + 1) * sizeof *w->marked);
    add_mark(&s,
             (struct cs_way_mark){
                 .state = 0, .settings = CS_SETTINGS_ALL, .call = -1, .read = -1, .later = -1, .edge = -1, .from = -1});
    while (s.heap.n) {
        int mark = pop(&s.heap).number, node = cs_ways_node(w, mark);
        for (int k = w->first[node]; k < w->first[node + 1] && !w->marks[mark].dropped; k++)
            follow(&s, mark, k);
    }
    free(s.heap.a);
    if (s.elements)
        cs_elements_free(s.elements);
    cs_guards_free(s.guards);
    cs_settings_free(s.settings);
}

int cs_ways_node(const struct cs_ways *w, int mark)
{
    assert(mark >= 0 && mark < w->nmarks);
    return w->marks[mark].state / 2;
}

int cs_ways_best(const struct cs_ways *w, int node)
{
    int best = -1;
    for (int state = 2 * node; state < 2 * node + 2; state++)
        for (int m = w->marked[state]; m >= 0; m = w->marks[m].next)
            if (best < 0 || w->marks[m].cost <= w->marks[best].cost)
                best = m;
    return best;
}

void cs_ways_find(struct cs_ways *w, const struct cs_graph *g, const struct cs_needs *needs,
                  const struct cs_need_flow *flow)
{
    *w = (struct cs_ways){.g = g, .needs = needs, .n = needs->nnodes};
    take_writes(w);
    take_edges(w);
    struct cs_rewritten r;
    cs_rewritten_start(&r, g);
    find_costs(w, &r);
    add_stores(w, &r);
    cs_rewritten_free(&r);
    struct cs_constant_calls calls;
    cs_constant_calls_start(&calls, g, flow);
    join_calls(w, &calls);
    find_best(w, flow, &calls);
    cs_constant_calls_free(&calls);
}

void cs_ways_free(struct cs_ways *w)
{
    free(w->extra);
    free(w->writes);
    free(w->edges);
    free(w->first);
    free(w->runs);
    free(w->marks);
    free(w->marked);
}
