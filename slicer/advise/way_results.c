/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an argument does to the result of a function, found function by function, as one step in the caller (Reps,
 * Horwitz and Sagiv 1995; ways.h). */
#include "slicer/advise/ways_internal.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/way_queue.h"
#include "slicer/graph/storage.h"

/* A way through a function: from its result out of it, by this node; of a place, by a load of it, MESSAGE: where it is
 * sent, -1: by any. */
struct way_out {
    int node, read, cost;
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
    struct cs_way_queue heap;
    bool *sent;           /* by node: it reads what a message has */
    struct result *found; /* where ways out go; better: some are new, or better */
    bool better;
};

static bool leads_out(const struct cs_ways *w, int node);

/* Notes a way out. */
static void find_way_out(struct inside *in, int node, int read, int cost)
{
    enum { READS = 40 }; /* of one place: more are not told apart */
    struct result *r = in->found;
    int reads = 0;
    for (int i = 0; i < r->n; i++)
        reads += r->a[i].node == node;
    read = reads < READS ? read : -1;
    for (int i = 0; i < r->n; i++)
        if (r->a[i].node == node && (r->a[i].read == read || r->a[i].read == -1)) {
            if (r->a[i].read == read || r->a[i].cost <= cost) {
                in->better |= cost < r->a[i].cost;
                r->a[i].cost = cost < r->a[i].cost ? cost : r->a[i].cost;
                return;
            }
        }
    CS_GROW(r->a, r->n, r->cap);
    r->a[r->n++] = (struct way_out){node, read, cost};
    in->better = true;
}

/* read: of a place, the load by which the way comes there, -1. */
static void reach(struct inside *in, int node, int read, int cost)
{
    if (cs_ways_is_other(in->w, node, CS_NEED_PLACE) && leads_out(in->w, node))
        find_way_out(in, node, read, cost);
    if (in->cost[node] >= 0 && in->cost[node] <= cost)
        return;
    if (in->cost[node] < 0)
        cs_intlist_add(&in->touched, node);
    in->cost[node] = cost;
    cs_way_queue_push(&in->heap, cost, node);
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
                         void (*fn)(void *arg, const struct cs_way_edge *by, int read, int cost), void *arg)
{
    for (int i = 0; i < r->n; i++)
        for (int v = r->a[i].node, k = first_by_call(w, v, call); k < w->first[v + 1] && w->edges[k].call == call; k++)
            fn(arg, &w->edges[k], r->a[i].read, r->a[i].cost + w->edges[k].cost);
}

/* In a search at some cost. */
struct at_cost {
    struct inside *in;
    int cost;
};

/* Is it in the function, or a variable of its own? */
static bool is_inside(const struct inside *in, int node)
{
    const struct cs_need_other *o = cs_ways_other(in->w, node);
    if (!o)
        return cs_ways_func(in->w, node) == in->func;
    if (o->kind != CS_NEED_PLACE || o->obj < 0 || o->obj >= in->w->g->nobjs)
        return false;
    const struct cs_obj *ob = &in->w->g->objs[o->obj];
    return ob->kind == CS_OBJ_LOCAL && ob->func == in->func;
}

static void reach_inside(void *arg, const struct cs_way_edge *by, int read, int cost)
{
    struct at_cost *c = arg;
    if (is_inside(c->in, by->to) || leads_out(c->in->w, by->to))
        reach(c->in, by->to, read, c->cost + cost);
}

static bool leads_out(const struct cs_ways *w, int node)
{
    const struct cs_need_other *o = cs_ways_other(w, node);
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
    int first = 0, n = e->writes ? cs_ways_writes_of(w, e, &first) : 0;
    cs_intlist_add(&asked->askers, in->self);
    if (!e->writes)
        through_call(w, asked, e->call, reach_inside, c);
    for (int i = first; i < first + n; i++)
        if (w->g->stmts[w->writes[i].call].func == in->func)
            through_call(w, asked, w->writes[i].call + 1, reach_inside, c);
}

bool cs_ways_is_skipped(const struct cs_ways *w, struct cs_constant_calls *calls, int call, int node)
{
    int what;
    return call >= 0 && cs_ways_kind(w, node, &what) == CS_NEED_STMT && cs_constant_call_skips_stmt(calls, call, what);
}

/* In place of a load. */
enum { MESSAGE = -2 };

/* The node, if it is a load; MESSAGE: it is one, or reads what is sent; -1. */
static int load_at(const struct inside *in, int node)
{
    const struct cs_ways *w = in->w;
    int what;
    if (cs_ways_is_mark(cs_ways_kind(w, node, &what)) || in->sent[node])
        return MESSAGE;
    return cs_ways_kind(w, node, &what) == CS_NEED_STMT && w->g->stmts[what].kind == CS_STMT_LOAD ? what : -1;
}

/* From a node of the function on. */
static void go_on(struct inside *in, int node)
{
    const struct cs_ways *w = in->w;
    int cost = in->cost[node];
    for (int k = w->first[node]; k < w->first[node + 1]; k++) {
        const struct cs_way_edge *e = &w->edges[k];
        struct at_cost c = {in, cost + w->edges[k].cost};
        if (cs_ways_is_skipped(w, in->calls, in->call, e->to))
            continue;
        if (cs_ways_goes_in(w, e))
            go_through(in, e, &c);
        else if (is_inside(in, e->to) && !cs_ways_goes_out(w, e))
            reach(in, e->to, load_at(in, node), c.cost);
        else if (leads_out(w, e->to))
            reach(in, e->to, load_at(in, node), c.cost);
    }
    if (leads_out(w, node) && !cs_ways_is_other(w, node, CS_NEED_PLACE))
        find_way_out(in, node, -1, cost);
}

/* The ways out of the function of a node for a result go to *r. True if some are new, or better. */
static bool find_ways_out(struct inside *in, int node, struct result *r)
{
    const struct cs_ways *w = in->w;
    in->found = r;
    in->better = false;
    in->self = node;
    in->func = cs_ways_func(w, node);
    if (in->func < 0 && w->first[node] < w->first[node + 1])
        in->func = cs_ways_func(w, w->edges[w->first[node]].to);
    reach(in, node, -1, 0);
    while (in->heap.n) {
        struct cs_way_queue_item x = cs_way_queue_pop(&in->heap);
        if (in->cost[x.number] == x.cost)
            go_on(in, x.number);
    }
    for (int i = 0; i < in->touched.n; i++)
        in->cost[in->touched.a[i]] = -1;
    in->touched.n = 0;
    return in->better;
}

/* Looks at all functions whose results are asked for, and again where those that they call have changed. */
static void find_results(struct inside *in)
{
    enum { RUNS = 8 }; /* of each function: what is better after so many is not worth it */
    struct cs_ways *w = in->w;
    struct result *results = in->results;
    struct cs_intlist work = {0};
    for (int i = 0; i < w->nedges; i++)
        if (cs_ways_goes_in(w, &w->edges[i]) && !results[w->edges[i].to].waits) {
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

static void add_needed(void *arg, const struct cs_way_edge *by, int read, int cost)
{
    struct new_edges *n = arg;
    struct cs_way_edge e = {.from = n->from, .to = by->to, .among = by->among, .cost = cost, .read = read + 1};
    e.doubtful = by->doubtful;
    e.loose = by->loose;
    e.unsure = by->unsure;
    cs_ways_add_edge(n->w, e);
    n->n++;
}

static void add_extra(struct cs_ways *w, int call, int written)
{
    int n = w->nextra;
    CS_GROW(w->written, n, w->awritten);
    CS_GROW(w->extra, w->nextra, w->aextra);
    w->written[w->nextra] = written;
    w->extra[w->nextra++] = call;
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
        add_needed(&n, &(struct cs_way_edge){.to = cs_need_stmt(w->needs, call), .among = 1}, -1, 0);
    if (!n.n)
        return -1;
    cs_pairset_add(known, h, w->nextra, e->to);
    add_extra(w, call, e->writes ? e->to : -1);
    return n.from;
}

/* Does the call allocate the place from which the edge comes, and so surely mean it? */
static bool makes(const struct cs_ways *w, const struct cs_way_edge *e, int call)
{
    const struct cs_need_other *o = cs_ways_other(w, e->from);
    return o && o->kind == CS_NEED_PLACE && o->obj >= 0 && o->obj < w->g->nobjs &&
           w->g->objs[o->obj].kind == CS_OBJ_HEAP && w->g->objs[o->obj].stmt == call;
}

/* Adds an edge to a node for the call, needed by the edge's first node. */
static void add_result(struct inside *in, const struct cs_way_edge *e, int call, struct cs_pairset *known)
{
    struct cs_ways *w = in->w;
    int node = result_node(in, e, call, known);
    if (node < 0)
        return;
    bool own = e->writes && makes(w, e, call);
    cs_ways_add_edge(w, (struct cs_way_edge){.from = e->from,
                                             .to = node,
                                             .among = own ? 1 : e->among,
                                             .cost = !e->writes ? 0
                                                     : own      ? cs_ways_cost_of_one(e)
                                                                : e->cost,
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
        int first = 0, n = e.writes ? cs_ways_writes_of(w, &e, &first) : 0;
        if (cs_ways_asks_result(w, &e) && e.call)
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
        w->edges[i].call = 0; /* a call that passes it goes out of its function by the first of the two edges */
        cs_ways_add_edge(
            w, (struct cs_way_edge){.from = e.from, .to = w->n + w->nextra, .call = e.call, .among = 1, .cost = STEP});
        add_extra(w, e.copy - 1, -1);
    }
}

void cs_ways_join_calls(struct cs_ways *w, struct cs_constant_calls *calls)
{
    struct result *results = cs_calloc(w->n + 1, sizeof *results);
    struct inside in = {.w = w, .results = results, .calls = calls, .call = -1};
    in.cost = cs_calloc(w->n + 1, sizeof *in.cost);
    memset(in.cost, -1, (w->n + 1) * sizeof *in.cost);
    in.sent = cs_calloc(w->n + 1, sizeof *in.sent);
    cs_ways_find_sent(w, in.sent);
    find_results(&in);
    add_results(&in);
    free(in.sent);
    add_copies(w);
    cs_intlist_free(&in.touched);
    free(in.heap.a);
    free(in.cost);
    for (int i = 0; i < w->n; i++) {
        free(results[i].a);
        cs_intlist_free(&results[i].askers);
    }
    free(results);
    cs_ways_sort_edges(w);
}
