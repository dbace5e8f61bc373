/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tells the reads of a place apart by what can arrive at them; exact_needs.h. */
#include "slicer/advise/exact_needs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/advise/arrivals.h"
#include "slicer/advise/call_ways.h"
#include "slicer/advise/completed.h"
#include "slicer/advise/elements.h"
#include "slicer/advise/exclusive.h"
#include "slicer/advise/index_ranges.h"
#include "slicer/advise/known_answers.h"
#include "slicer/advise/message_fit.h"
#include "slicer/advise/occasions.h"
#include "slicer/advise/scan_size.h"
#include "slicer/advise/string_fills.h"
#include "slicer/graph/storage.h"

/* Limits. */
enum {
    MAX_EFFORT = 60000000, /* blocks that are passed, and writers: beyond it, all writes may arrive */
    DEEPEST = 6,           /* calls to a read */
    READ_DEPTH = 3,        /* likewise to one that is looked at by itself */
    MOST_READS = 100,      /* such ones for a call */
    MAX_EDGES = 5,         /* times as many edges as there were */
    MAX_MET = 1 << 20      /* answers that are kept */
};

/* Whether what a node writes can arrive at a read. */
enum { CANNOT, CAN, UNLIKELY };

/* One place that is looked at: the edges to it and from it; of the nodes to which what can arrive leads, which do at
 * the read that was looked at last (UNLIKELY: others fit better); those nodes are writers, and calls by way of what
 * functions change; in pairs,
 * own: a writer of which the needs do not say for which calls it writes the place, and a call for which it writes what
 * that read reads; others: a hash of the calls of writers by which it does not, 0: there are none. */
struct place {
    int node;
    struct cs_intlist in, out, nodes, own;
    char *can;
    uint32_t others;
    bool brought; /* a call sends it from one rank to the same place of the others */
};
/* Reads at which the same arrive: the node that was made for them, the nodes that are left of place.nodes. */
struct group {
    char *can;
    uint32_t others;
    int node;
};
/* `needs` and what is made of them. first, by_from and so on are lists of lists: those of node i are
 * by_from[first[i]] .. by_from[first[i + 1] - 1]. */
struct exact {
    const struct cs_graph *g;
    const struct cs_needs *needs;
    struct cs_needs *out;
    struct cs_arrivals a;
    struct cs_pointer_paths *paths;
    struct cs_index_ranges *ranges;
    struct cs_elements *elements;
    struct cs_occasions *occasions;
    struct cs_exclusive *exclusive;
    struct cs_known_answers met;                /* whether a writer, for a call, means what is read, for a call */
    int *first, *by_from, *rfirst, *by_to;      /* edges of `needs`, by their ends */
    int *wfirst;                                /* of a place: its first one of `writes` */
    struct cs_need_write *writes;               /* those of `needs`, by place, then by statement */
    int *number;                                /* of a node that is in place.nodes: its number there */
    int mark, *writes_in, *writes_by, *has_own; /* has the number `mark`: function from which, call by which what
                                                   arrives is written; writer in place.own */
    int *runs;                                  /* of each function (call_ways.h) */
    struct cs_intlist made, made_from;          /* copies of what functions change: new node, and old one */
};

/* ---- the needs ---- */

static const struct cs_need_other *other(const struct exact *e, int node)
{
    int what;
    return cs_need_kind(e->needs, node, &what) == CS_NEED_OTHER ? cs_need_other(e->needs, node) : NULL;
}

static bool is_other(const struct exact *e, int node, enum cs_need_other_kind kind)
{
    const struct cs_need_other *o = other(e, node);
    return o && o->kind == kind;
}

/* The statement that a node is, or whose message; -1. */
static int stmt_of(const struct exact *e, int node)
{
    int what;
    enum cs_need_kind kind = cs_need_kind(e->needs, node, &what);
    return kind == CS_NEED_STMT || kind == CS_NEED_ENVELOPE || kind == CS_NEED_CONTENT ? what : -1;
}

static void sort(const int *key, size_t step, int n, int nodes, int **first, int **sorted)
{
    int *at = *first = cs_calloc(nodes + 2, sizeof *at);
    *sorted = cs_calloc(n + 1, sizeof **sorted);
    for (int i = 0; i < n; i++)
        at[key[i * step] + 1]++;
    for (int i = 0; i < nodes; i++)
        at[i + 1] += at[i];
    for (int i = n - 1; i >= 0; i--)
        (*sorted)[--at[key[i * step] + 1]] = i;
    memmove(at, at + 1, nodes * sizeof *at);
    at[nodes] = n;
}

static void sort_writes(struct exact *e)
{
    int n = e->needs->nwrites, nodes = e->needs->nnodes;
    e->writes = cs_calloc(n + 1, sizeof *e->writes);
    e->wfirst = cs_calloc(nodes + 2, sizeof *e->wfirst);
    for (int i = 0; i < n; i++) {
        e->writes[i] = e->needs->writes[i];
        e->wfirst[e->writes[i].place + 1]++;
    }
    qsort(e->writes, n, sizeof *e->writes, cs_need_write_order);
    for (int i = 0; i < nodes; i++)
        e->wfirst[i + 1] += e->wfirst[i];
}

static void copy_needs(struct exact *e)
{
    const struct cs_needs *n = e->needs;
    struct cs_needs *o = e->out;
    *o = *n;
    o->flow = (struct cs_need_flow){0};
    o->aedges = n->nedges + 1;
    o->edges = cs_calloc(o->aedges, sizeof *o->edges);
    o->aother = n->nother + 1;
    o->other = cs_calloc(o->aother, sizeof *o->other);
    o->awrites = n->nwrites + 1;
    o->writes = cs_calloc(o->awrites, sizeof *o->writes);
    memcpy(o->edges, n->edges, n->nedges * sizeof *o->edges);
    memcpy(o->other, n->other, n->nother * sizeof *o->other);
    memcpy(o->writes, n->writes, n->nwrites * sizeof *o->writes);
}

static int add_node(struct exact *e, int like)
{
    struct cs_needs *o = e->out;
    CS_GROW(o->other, o->nother, o->aother);
    o->other[o->nother++] = *other(e, like);
    return o->nnodes++;
}

static void add_edge(struct exact *e, struct cs_need_edge edge, int from, int to)
{
    struct cs_needs *o = e->out;
    CS_GROW(o->edges, o->nedges, o->aedges);
    edge.from = from;
    edge.to = to;
    o->edges[o->nedges++] = edge;
}

/* ---- what can arrive ---- */

/* The calls of the writer's function for which it writes the place. */
static int calls_of(const struct exact *e, int place, int stmt, int *calls, int most)
{
    int n = 0, lo = e->wfirst[place], hi = e->wfirst[place + 1];
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (e->writes[mid].stmt < stmt)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < e->wfirst[place + 1] && e->writes[lo].stmt == stmt && n < most; lo++)
        calls[n++] = e->writes[lo].call;
    return n;
}

/* Calls of one writer's function that are looked at. */
enum { CALLS = 100 };

/* A read: statements, and beside each for which call of its function it runs, -1: for any. */
struct read {
    struct cs_intlist stmts, calls;
};

/* May both mean one array? Not if their pointers are different members of one array of structs, nor, in Fortran, of one
 * variable. */
static bool arrays_meet(const struct exact *e, int writer, int call, int reader, int reader_call)
{
    const struct cs_stmt *w = &e->g->stmts[writer], *s = &e->g->stmts[reader];
    struct cs_path a, b;
    if (w->kind != CS_STMT_STORE || s->kind != CS_STMT_LOAD ||
        !cs_pointer_path(e->paths, w->func, call, w->store.base, w->store.pat, &a) ||
        !cs_pointer_path(e->paths, s->func, reader_call, s->load.base, s->load.pat, &b))
        return true;
    int last = a.n - 2;
    bool fortran = e->g->funcs[w->func].fortran && e->g->funcs[s->func].fortran;
    if (a.n != b.n || last < 0 || a.obj != b.obj || (!fortran && !a.stride[last]) || a.stride[last] != b.stride[last])
        return true;
    for (int i = 0; i < last; i++)
        if (a.off[i] != b.off[i] || a.stride[i] != b.stride[i])
            return true;
    return a.off[last] == b.off[last];
}

/* May the writer mean what the reader reads? That says nothing of the place, and is asked for each that they may mean.
 */
static bool one_meets(const struct exact *e, int writer, int call, int reader, int reader_call)
{
    struct cs_known_question q = {{writer, call, reader, reader_call}};
    struct cs_known_answer *a = cs_known_answer(&e->met, q);
    if (!a->known) {
        a->yes = arrays_meet(e, writer, call, reader, reader_call) && cs_elements_meet(e->elements, writer, reader) &&
                 cs_arrays_meet(e->elements, writer, call, reader, reader_call) &&
                 cs_scan_meets(e->g, e->paths, writer, call, reader, reader_call) &&
                 cs_index_ranges_meet(e->ranges, writer, call, reader, reader_call, -1);
        a->known = true;
    }
    return a->yes;
}

/* May the writer, for this call (-1: any), mean what one of them reads? */
static bool meets(const struct exact *e, const struct read *r, int writer, int call)
{
    for (int i = 0; i < r->stmts.n; i++)
        if (one_meets(e, writer, call, r->stmts.a[i], r->calls.a[i]))
            return true;
    return !r->stmts.n;
}

/* Does the writer store through a pointer of a descriptor that its function is given, of which points-to does not say
 * for which call it means what? */
static bool is_described(const struct exact *e, int writer)
{
    const struct cs_stmt *s = &e->g->stmts[writer];
    struct cs_operand op = s->kind == CS_STMT_STORE ? s->store.base : cs_opnd_none();
    for (int i = 0; i < 4 && op.kind == CS_OPND_VALUE && e->g->values[op.id].def >= 0; i++) {
        const struct cs_stmt *d = &e->g->stmts[e->g->values[op.id].def];
        if (d->kind == CS_STMT_LOAD)
            return cs_param_number(e->g, s->func, d->load.base) >= 0 && !d->load.pat.stride && !d->load.pat.off;
        if (d->kind != CS_STMT_ASSIGN || (d->op != CS_OP_COPY && d->op != CS_OP_PTRADD) || !d->nuses)
            return false;
        op = d->uses[0];
    }
    return false;
}

/* Does the writer write what is read for this call? If not, that is noted. */
static bool call_writes(const struct exact *e, struct place *p, const struct read *r, int writer, int call)
{
    bool is = cs_arrives_by(&e->a, call) && meets(e, r, writer, call);
    if (!is)
        p->others = cs_hash(cs_hash(p->others, writer), call) | 1;
    return is;
}

/* Likewise for the calls of its function, each by itself; notes those. */
static bool some_call_meets(struct exact *e, struct place *p, const struct read *r, int writer)
{
    const struct cs_intlist *calls = &e->a.callers[e->g->stmts[writer].func];
    bool any = false;
    for (int i = 0; i < calls->n; i++) {
        int c = calls->a[i];
        if (!call_writes(e, p, r, writer, c))
            continue;
        any = true;
        cs_intlist_add(&p->own, writer);
        cs_intlist_add(&p->own, c);
    }
    return any;
}

/* Have some calls of the writer's function begun before the read, and others not? */
static bool some_begin(const struct exact *e, int writer)
{
    int func = e->g->stmts[writer].func, n = 0;
    const struct cs_intlist *calls = &e->a.callers[func];
    for (int i = 0; i < calls->n && calls->n <= CALLS; i++)
        n += cs_arrives_by(&e->a, calls->a[i]);
    return n > 0 && n < calls->n && !e->a.flow->any_time[func];
}

/* Can what a call writes when it is completed be there at the read? */
static bool late_arrives(const struct exact *e, int stmt)
{
    struct cs_intlist by = {0};
    cs_completed_by(e->g, stmt, &by);
    bool can = !by.n || cs_arrives(&e->a, stmt);
    for (int i = 0; i < by.n && !can; i++)
        can = cs_arrives(&e->a, by.a[i]);
    cs_intlist_free(&by);
    return can;
}

/* Does no rank run the writer that runs one of those? */
static bool others_run(const struct exact *e, const struct read *r, int writer)
{
    bool others = r->stmts.n > 0;
    for (int i = 0; i < r->stmts.n && others; i++)
        others = cs_are_exclusive(e->exclusive, writer, r->stmts.a[i]);
    return others;
}

static bool writer_arrives(struct exact *e, struct place *p, const struct read *r, const struct cs_need_edge *edge)
{
    int calls[CALLS], s = stmt_of(e, edge->to), n = calls_of(e, p->node, s, calls, CALLS);
    if (!p->brought && others_run(e, r, s))
        return false;
    if (edge->late)
        return late_arrives(e, s) && meets(e, r, s, -1);
    if (!cs_arrives(&e->a, s))
        return false;
    bool any = false;
    for (int i = 0; i < n; i++)
        any |= call_writes(e, p, r, s, calls[i]);
    if (n > 0)
        return any;
    if (is_described(e, s) || some_begin(e, s))
        return some_call_meets(e, p, r, s);
    return meets(e, r, s, -1);
}

/* Adds the calls that the node leads to by way of what functions change. */
static void add_effects(const struct exact *e, int node, struct cs_intlist *nodes)
{
    struct cs_intlist work = {0};
    struct cs_intset seen = {0};
    cs_intlist_add(&work, node);
    while (work.n) {
        int at = work.a[--work.n];
        if (!cs_intset_add(&seen, at))
            continue;
        for (int i = e->first[at]; i < e->first[at + 1]; i++) {
            int to = e->needs->edges[e->by_from[i]].to;
            if (is_other(e, to, CS_NEED_EFFECT))
                cs_intlist_add(&work, to);
            else if (at != node && stmt_of(e, to) >= 0)
                cs_intlist_add(nodes, to);
        }
    }
    cs_intset_free(&seen);
    cs_intlist_free(&work);
}

/* A call that takes effect when it is completed writes the place there. */
static void add_completed(struct exact *e, int stmt)
{
    struct cs_intlist by = {0};
    cs_completed_by(e->g, stmt, &by);
    for (int i = 0; i < by.n; i++)
        cs_arrivals_writer(&e->a, by.a[i], false, CS_LOOP_WRITES_PART, NULL, 0);
    cs_intlist_free(&by);
}

/* Does the loop round the store write all that the load reads? */
static bool covers(void *arg, int store, int load)
{
    const struct exact *e = arg;
    return cs_index_ranges_cover(e->ranges, store, load);
}

/* Does the statement write only a part of the array: a row, or other rows than another store of its function, or what
 * is left over by the loop of that one, which goes in steps? */
static bool writes_part(const struct exact *e, int place, int stmt)
{
    enum { MOST = 200 }; /* writers that are looked at */
    int func = e->g->stmts[stmt].func;
    bool part = cs_index_ranges_is_slice(e->ranges, stmt);
    for (int i = e->first[place]; i < e->first[place + 1] && i < e->first[place] + MOST && !part; i++) {
        int w = stmt_of(e, e->needs->edges[e->by_from[i]].to);
        part = w >= 0 && w != stmt && e->g->stmts[w].func == func &&
               (cs_index_ranges_apart(e->ranges, stmt, w) || cs_index_ranges_is_rest(e->ranges, stmt, w));
    }
    return part;
}

/* Says what writes the place; false if nothing does. */
static bool look_at(struct exact *e, struct place *p)
{
    const struct cs_need_other *o = other(e, p->node);
    bool shared = cs_pieces(e->g, e->runs, o->obj) > 1;
    cs_arrivals_place(&e->a, o->obj, o->exact);
    for (int i = e->rfirst[p->node]; i < e->rfirst[p->node + 1]; i++)
        cs_intlist_add(&p->in, e->by_to[i]);
    for (int i = e->first[p->node]; i < e->first[p->node + 1]; i++) {
        const struct cs_need_edge *edge = &e->needs->edges[e->by_from[i]];
        int calls[CALLS], s = stmt_of(e, edge->to);
        cs_intlist_add(&p->out, e->by_from[i]);
        if (s < 0)
            continue;
        cs_intlist_add(&p->nodes, edge->to);
        p->brought |= edge->to != cs_need_stmt(e->needs, s) && cs_spreads(e->g, s);
        int n = calls_of(e, p->node, s, calls, CALLS);
        enum cs_loop_writes loop = writes_part(e, p->node, s)  ? CS_LOOP_WRITES_PART
                                   : edge->among > 1 || shared ? CS_LOOP_WRITES_POINTED
                                                               : CS_LOOP_WRITES_WHOLE;
        bool replaces = (edge->replaces && !cs_fills_behind(e->g, s)) || cs_begins_fill(e->g, s, o->obj);
        cs_arrivals_writer(&e->a, s, replaces && !edge->late, loop, calls, n);
        if (edge->late)
            add_completed(e, s);
    }
    bool any = p->nodes.n > 0;
    add_effects(e, p->node, &p->nodes);
    for (int i = p->nodes.n - 1; i >= 0; i--)
        e->number[p->nodes.a[i]] = i;
    p->can = cs_calloc(p->nodes.n + 1, sizeof *p->can);
    e->a.effort += p->nodes.n + p->in.n;
    return any && p->in.n > 0;
}

static void add_read(struct read *r, int stmt, int call)
{
    cs_intlist_add(&r->stmts, stmt);
    cs_intlist_add(&r->calls, call);
}

/* Adds the reads of a parameter's place, which run for the call, also those in what is called so deep; further ones as
 * calls. */
static bool add_reads(const struct exact *e, int place, int call, struct cs_intlist *at, struct read *r, int depth)
{
    for (int k = e->rfirst[place]; k < e->rfirst[place + 1]; k++) {
        const struct cs_need_edge *up = &e->needs->edges[e->by_to[k]];
        int s = up->call ? up->call - 1 : stmt_of(e, up->from);
        if (s < 0)
            return false;
        if (at)
            cs_intlist_add(at, s);
        if (!up->call)
            add_read(r, s, call);
        else if (depth <= 0 || r->stmts.n > MOST_READS || !is_other(e, up->from, CS_NEED_PLACE) ||
                 !add_reads(e, up->from, s, NULL, r, depth - 1))
            add_read(r, s, -1);
    }
    return true;
}

/* Adds the reads of a parameter's place in functions that are called deeper down, and the calls that lead there: what
 * is there at them may be replaced before the function ends. */
static void add_deeper(struct exact *e, int place, int depth)
{
    enum { MOST = 200 };
    struct cs_intlist *at = &e->a.deeper;
    for (int k = e->rfirst[place]; k < e->rfirst[place + 1] && depth > 0 && at->n < MOST; k++) {
        const struct cs_need_edge *up = &e->needs->edges[e->by_to[k]];
        int s = up->call ? up->call - 1 : stmt_of(e, up->from);
        if (s >= 0)
            cs_intlist_add(at, s);
        if (s >= 0 && up->call && is_other(e, up->from, CS_NEED_PLACE))
            add_deeper(e, up->from, depth - 1);
    }
}

/* Notes that control may go from the function to what arrives. */
static void note_func(struct exact *e, int func)
{
    e->writes_in[func] = e->mark;
}

/* Likewise from those calls for which writers write it of which the needs do not say so. */
static void note_own(struct exact *e, const struct place *p)
{
    for (int i = 0; i < p->own.n; i += 2) {
        e->has_own[p->own.a[i]] = e->mark;
        e->writes_by[p->own.a[i + 1]] = e->mark;
        note_func(e, e->g->stmts[p->own.a[i + 1]].func);
    }
}

/* Notes from which functions, and by which calls, a writer does write what is read. */
static void note_writer(struct exact *e, const struct place *p, const struct read *r, const struct cs_need_edge *edge)
{
    int calls[CALLS], s = stmt_of(e, edge->to), n = calls_of(e, p->node, s, calls, CALLS);
    if ((n == 0 && e->has_own[s] != e->mark) || n == CALLS || edge->late)
        note_func(e, e->g->stmts[s].func);
    for (int i = 0; i < n; i++)
        if (cs_arrives_by(&e->a, calls[i]) && meets(e, r, s, calls[i])) {
            e->writes_by[calls[i]] = e->mark;
            note_func(e, e->g->stmts[calls[i]].func);
        }
}

static bool leads_to_write(const struct exact *e, int call)
{
    const struct cs_need_flow *f = e->a.flow;
    bool is = e->writes_by[call] == e->mark;
    for (int i = f->first_callee[call]; i < f->first_callee[call + 1] && !is; i++)
        is = e->writes_in[f->callees[i]] == e->mark;
    return is;
}

/* Finds by which calls, the nodes from `first` on, the program comes to what arrives. */
static void find_calls(struct exact *e, struct place *p, const struct read *r, int first)
{
    bool more = first < p->nodes.n;
    int w = 0;
    e->mark++;
    note_own(e, p);
    for (int k = 0; k < p->out.n && more; k++) {
        const struct cs_need_edge *edge = &e->needs->edges[p->out.a[k]];
        if (stmt_of(e, edge->to) >= 0 && p->can[w++])
            note_writer(e, p, r, edge);
    }
    for (int i = first; i < p->nodes.n; i++)
        p->can[i] = CANNOT;
    while (more) {
        more = false;
        for (int i = first; i < p->nodes.n; i++) {
            int s = stmt_of(e, p->nodes.a[i]);
            if (p->can[i] || !cs_arrives_by(&e->a, s) || !leads_to_write(e, s))
                continue;
            p->can[i] = CAN;
            more = true;
            note_func(e, e->g->stmts[s].func);
        }
        e->a.effort += p->nodes.n;
    }
}

/* How much the receive runs under the conditions under which it is read. */
static int alike(const struct exact *e, const struct read *r, int receive)
{
    enum { READS = 8 };
    int best = CS_NOT_ALIKE;
    for (int i = 0; i < r->stmts.n && i < READS; i++) {
        int one = cs_occasions_alike(e->occasions, r->stmts.a[i], receive);
        best = one > best ? one : best;
    }
    return best;
}

/* Of the calls that receive into the place, those hardly bring what is read that run under other conditions, where some
 * run under the same. */
static void find_unlikely(const struct exact *e, struct place *p, const struct read *r)
{
    int best = CS_NOT_ALIKE;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0, w = 0; k < p->out.n; k++) {
            const struct cs_need_edge *out = &e->needs->edges[p->out.a[k]];
            int s = stmt_of(e, out->to);
            if (s < 0)
                continue;
            bool receives = p->can[w] == CAN && out->late && cs_receives(e->g, s);
            int one = receives ? alike(e, r, s) : CS_NOT_ALIKE;
            best = one > best ? one : best;
            if (receives && pass && one < best)
                p->can[w] = UNLIKELY;
            w++;
        }
}

/* Finds what can arrive at the read that the edge to the place stands for. */
static void find_arriving(struct exact *e, struct place *p, const struct cs_need_edge *edge)
{
    struct cs_intlist at = {0};
    struct read r = {0};
    p->own.n = 0;
    p->others = 0;
    int s = stmt_of(e, edge->from), i = 0;
    s = s < 0 && !edge->call ? edge->copy - 1 : s;
    bool known = edge->call ? is_other(e, edge->from, CS_NEED_PLACE) : s >= 0;
    if (s >= 0 && !edge->call) {
        cs_intlist_add(&at, s);
        add_read(&r, s, -1);
    }
    if (edge->call && known)
        known = add_reads(e, edge->from, edge->call - 1, &at, &r, READ_DEPTH);
    e->a.deeper.n = 0;
    for (int k = e->rfirst[edge->from]; known && edge->call && k < e->rfirst[edge->from + 1]; k++) {
        const struct cs_need_edge *up = &e->needs->edges[e->by_to[k]];
        if (up->call && is_other(e, up->from, CS_NEED_PLACE))
            add_deeper(e, up->from, DEEPEST);
    }
    known = known && cs_arrivals_read(&e->a, at.a, at.n, edge->call - 1);
    for (; i < p->nodes.n && !known; i++)
        p->can[i] = CAN;
    int w = 0;
    for (int k = 0; k < p->out.n && known; k++) {
        const struct cs_need_edge *out = &e->needs->edges[p->out.a[k]];
        if (stmt_of(e, out->to) >= 0)
            p->can[w++] = writer_arrives(e, p, &r, out) ? CAN : CANNOT;
    }
    if (known)
        find_calls(e, p, &r, w);
    find_unlikely(e, p, &r);
    cs_intlist_free(&at);
    cs_intlist_free(&r.stmts);
    cs_intlist_free(&r.calls);
}

/* ---- a node for those reads ---- */

static int can(const struct exact *e, const struct place *p, const struct group *gr, const struct cs_need_edge *edge)
{
    int node = edge->copy ? cs_need_stmt(e->needs, edge->copy - 1) : edge->to;
    if (stmt_of(e, node) < 0)
        return CAN;
    int i = e->number[node];
    bool asked = i < p->nodes.n && p->nodes.a[i] == node; /* else the needs do not say that it writes the place */
    return asked ? gr->can[i] : CAN;
}

/* Can all calls have begun by which the program comes to what the function changes? */
static bool all_begin(const struct exact *e, const struct place *p, const struct group *gr, int node)
{
    struct cs_intlist calls = {0};
    bool all = true;
    add_effects(e, node, &calls);
    for (int i = 0; i < calls.n && all; i++)
        all = can(e, p, gr, &(struct cs_need_edge){.to = calls.a[i]});
    for (int i = e->first[node]; i < e->first[node + 1] && all; i++)
        all = can(e, p, gr, &e->needs->edges[e->by_from[i]]);
    cs_intlist_free(&calls);
    return all;
}

/* A copy of what a function changes, with those calls that can have begun; itself, if all can. */
static int copy_effect(struct exact *e, const struct place *p, const struct group *gr, int node)
{
    for (int i = 0; i < e->made.n; i++)
        if (e->made_from.a[i] == node)
            return e->made.a[i];
    int made = add_node(e, node);
    cs_intlist_add(&e->made, made);
    cs_intlist_add(&e->made_from, node);
    for (int i = e->first[node]; i < e->first[node + 1]; i++) {
        struct cs_need_edge edge = e->needs->edges[e->by_from[i]];
        if (is_other(e, edge.to, CS_NEED_EFFECT))
            add_edge(e, edge, made, copy_effect(e, p, gr, edge.to));
        else if (can(e, p, gr, &edge))
            add_edge(e, edge, made, edge.to);
    }
    return made;
}

static void add_write(struct exact *e, struct cs_need_write w)
{
    struct cs_needs *o = e->out;
    CS_GROW(o->writes, o->nwrites, o->awrites);
    o->writes[o->nwrites++] = w;
}

static void add_writes(struct exact *e, const struct place *p, const struct group *gr)
{
    for (int i = 0; i < p->own.n; i += 2)
        add_write(e, (struct cs_need_write){gr->node, p->own.a[i], p->own.a[i + 1]});
    for (int i = e->wfirst[p->node]; i < e->wfirst[p->node + 1]; i++) {
        struct cs_need_write w = e->writes[i];
        if (!cs_arrives_by(&e->a, w.call))
            continue;
        w.place = gr->node;
        add_write(e, w);
    }
}

static void make_node(struct exact *e, const struct place *p, struct group *gr)
{
    gr->node = add_node(e, p->node);
    e->made.n = e->made_from.n = 0;
    for (int i = 0; i < p->out.n; i++) {
        struct cs_need_edge edge = e->needs->edges[p->out.a[i]];
        if (is_other(e, edge.to, CS_NEED_EFFECT))
            add_edge(e, edge, gr->node, all_begin(e, p, gr, edge.to) ? edge.to : copy_effect(e, p, gr, edge.to));
        else if (can(e, p, gr, &edge)) {
            int s = stmt_of(e, edge.to);
            if (s >= 0 && p->own.n && e->has_own[s] == e->mark && is_described(e, s))
                edge.among = 1;
            edge.unlikely = can(e, p, gr, &edge) == UNLIKELY;
            add_edge(e, edge, gr->node, edge.to);
        }
    }
    add_writes(e, p, gr);
}

static bool all_can(const struct place *p)
{
    if (p->others)
        return false;
    for (int i = 0; i < p->nodes.n; i++)
        if (p->can[i] != CAN)
            return false;
    return true;
}

static struct group *group_of(const struct place *p, struct group *groups, int n)
{
    for (int i = 0; i < n; i++)
        if (groups[i].others == p->others && !memcmp(groups[i].can, p->can, p->nodes.n * sizeof *p->can))
            return &groups[i];
    return NULL;
}

static void tell_apart(struct exact *e, struct place *p)
{
    struct group *groups = cs_calloc(p->in.n + 1, sizeof *groups);
    int n = 0;
    for (int i = 0; i < p->in.n && e->a.effort < MAX_EFFORT; i++) {
        struct cs_need_edge edge = e->needs->edges[p->in.a[i]];
        find_arriving(e, p, &edge);
        e->a.effort += p->nodes.n + n;
        if (all_can(p))
            continue;
        struct group *gr = group_of(p, groups, n);
        if (!gr) {
            gr = &groups[n++];
            gr->can = cs_calloc(p->nodes.n + 1, sizeof *gr->can);
            memcpy(gr->can, p->can, p->nodes.n * sizeof *gr->can);
            gr->others = p->others;
            make_node(e, p, gr);
        }
        add_edge(e, edge, edge.from, gr->node);
        e->out->edges[p->in.a[i]].doubtful = true;
    }
    for (int i = 0; i < n; i++)
        free(groups[i].can);
    free(groups);
}

static void exact_place(struct exact *e, int node)
{
    struct place p = {.node = node};
    if (look_at(e, &p))
        tell_apart(e, &p);
    cs_intlist_free(&p.in);
    cs_intlist_free(&p.out);
    cs_intlist_free(&p.nodes);
    cs_intlist_free(&p.own);
    free(p.can);
}

/* Marks the edges from a place to its writers if another one writes it too, and perhaps not all of it. */
static void find_unsure(struct cs_needs *n)
{
    int *partly = cs_calloc(n->nnodes + 1, sizeof *partly), what;
    for (int i = 0; i < n->nedges; i++)
        partly[n->edges[i].from] += cs_need_kind(n, n->edges[i].to, &what) == CS_NEED_STMT && !n->edges[i].replaces;
    for (int i = 0; i < n->nedges; i++) {
        struct cs_need_edge *e = &n->edges[i];
        int kind = cs_need_kind(n, e->from, &what);
        bool place = kind == CS_NEED_OTHER && cs_need_other(n, e->from)->kind == CS_NEED_PLACE;
        e->unsure = place && partly[e->from] > !e->replaces;
    }
    free(partly);
}

void cs_exact_needs(const struct cs_graph *g, const struct cs_needs *needs, struct cs_settings *settings,
                    struct cs_needs *out)
{
    struct exact e = {.g = g, .needs = needs, .out = out};
    copy_needs(&e);
    if (!needs->flow.first_callee || !needs->nedges)
        return;
    size_t step = sizeof *needs->edges / sizeof(int);
    assert(sizeof *needs->edges % sizeof(int) == 0);
    sort(&needs->edges->from, step, needs->nedges, needs->nnodes, &e.first, &e.by_from);
    sort(&needs->edges->to, step, needs->nedges, needs->nnodes, &e.rfirst, &e.by_to);
    sort_writes(&e);
    e.number = cs_calloc(needs->nnodes + 1, sizeof *e.number);
    e.writes_in = cs_calloc(g->nfuncs + 1, sizeof *e.writes_in);
    e.writes_by = cs_calloc(g->nstmts + 1, sizeof *e.writes_by);
    e.has_own = cs_calloc(g->nstmts + 1, sizeof *e.has_own);
    e.runs = cs_runs_count(g);
    cs_arrivals_start(&e.a, g, &needs->flow, settings);
    e.paths = cs_pointer_paths_start(g, e.a.callers);
    e.ranges = cs_index_ranges_start(g, &needs->flow, e.a.callers, e.paths);
    e.elements = cs_elements_start(g, e.a.callers);
    e.occasions = cs_occasions_start(g);
    e.exclusive = cs_exclusive_start(g);
    e.a.cover = covers;
    e.a.arg = &e;
    cs_known_answers_start(&e.met, MAX_MET);
    for (int i = 0; i < needs->nnodes; i++)
        if (is_other(&e, i, CS_NEED_PLACE) && out->nedges / MAX_EDGES <= needs->nedges && e.a.effort < MAX_EFFORT)
            exact_place(&e, i);
    cs_index_ranges_free(e.ranges);
    cs_pointer_paths_free(e.paths);
    cs_elements_free(e.elements);
    cs_occasions_free(e.occasions);
    cs_exclusive_free(e.exclusive);
    cs_known_answers_free(&e.met);
    cs_arrivals_free(&e.a);
    find_unsure(out);
    cs_intlist_free(&e.made);
    cs_intlist_free(&e.made_from);
    free(e.number);
    free(e.writes_in);
    free(e.writes_by);
    free(e.has_own);
    free(e.runs);
    free(e.first);
    free(e.by_from);
    free(e.rfirst);
    free(e.by_to);
    free(e.wfirst);
    free(e.writes);
}
