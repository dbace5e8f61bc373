/* SPDX-License-Identifier: GPL-3.0-or-later
 * Best ways through the needs; ways.h. Dijkstra's algorithm over small costs: a step costs the more the more others
 * might be meant in its place, as one through memory of which points-to knows many objects.
 * A way that goes into a function for what it returns must leave it for the call by which it came in: what an argument
 * does to a result is found first, function by function, and is then one step in the caller (Reps, Horwitz and Sagiv,
 * "Precise interprocedural dataflow analysis via graph reachability", 1995). Memory that is not a function's own, and
 * messages, may have been written whenever: there the way is free again. */
#include "slicer/advise/ways.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/advise/way_search.h"
#include "slicer/graph/storage.h"

/* Must the way still leave the function for the call by which it came in, behind the edge, if it must before? */
static bool stays_bound(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int a, b, from = cs_ways_func(w, e->from), to = cs_ways_func(w, e->to);
    enum cs_need_kind x = cs_ways_kind(w, e->from, &a), y = cs_ways_kind(w, e->to, &b);
    const struct cs_need_other *o = cs_ways_other(w, e->from);
    if (o && o->kind == CS_NEED_PLACE)
        return cs_ways_is_own(w, o, to);
    if (cs_ways_is_mark(y) && (cs_ways_is_mark(x) || x == CS_NEED_STMT) && a != b)
        return false;
    return from < 0 || to < 0 || from == to;
}

/* The state behind the edge, and what it costs to come there. */
static int state_behind(const struct cs_ways *w, int state, const struct cs_way_edge *e, int *cost)
{
    bool bound = state & 1;
    *cost = e->cost;
    if (cs_ways_goes_in(w, e))
        return 2 * e->to + 1;
    if (cs_ways_goes_out(w, e)) {
        *cost += bound ? IMPOSSIBLE : 0;
        return 2 * e->to;
    }
    return 2 * e->to + (bound && stays_bound(w, e));
}

/* The statement that must run for the node to be something: itself, or what allocates the memory; -1. */
static int runs_for(const struct cs_way_search *s, int node)
{
    int what;
    enum cs_need_kind kind = cs_ways_kind(s->w, node, &what);
    const struct cs_need_other *o = cs_ways_other(s->w, node);
    if (kind == CS_NEED_STMT || cs_ways_is_mark(kind))
        return what;
    bool heap = o && o->kind == CS_NEED_PLACE && o->obj >= 0 && s->w->g->objs[o->obj].kind == CS_OBJ_HEAP;
    return heap ? s->w->g->objs[o->obj].stmt : -1;
}

/* The settings with which what the node stands for runs; of who runs elsewhere, too: all. */
static int settings_of(const struct cs_way_search *s, int node)
{
    int stmt = s->settings ? runs_for(s, node) : -1;
    return stmt < 0 ? CS_SETTINGS_ALL : cs_settings_of(s->settings, stmt);
}

/* From one rank to another one, by a message? */
static bool changes_rank(const struct cs_way_search *s, const struct cs_way_edge *e)
{
    int a, b;
    return cs_ways_is_mark(cs_ways_kind(s->w, e->from, &a)) && cs_ways_is_mark(cs_ways_kind(s->w, e->to, &b)) && a != b;
}

/* The settings with which the program can go by the edge, too: also those of the call for which a statement writes, or,
 * of several, of some of them. */
static int settings_behind(const struct cs_way_search *s, int before, const struct cs_way_edge *e)
{
    int own = settings_of(s, e->to), first = 0, n = s->settings ? cs_ways_writes_of(s->w, e, &first) : 0,
        with = s->settings ? cs_settings_both(s->settings, before, own) : own;
    for (int i = 0; i < n; i++) {
        int one = cs_settings_both(s->settings, with, cs_settings_of(s->settings, s->w->writes[first + i].call));
        if (n == 1)
            return one;
        if (one != CS_SETTINGS_NONE)
            return with;
    }
    return n ? CS_SETTINGS_NONE : with;
}

/* Does the edge lead from a place that a load reads to call it to who writes no address there? */
static bool calls_number(const struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e)
{
    int load, writer;
    bool place = s->called && k->from >= 0 && e->to < s->w->n && cs_ways_is_other(s->w, e->from, CS_NEED_PLACE);
    return place && cs_ways_kind(s->w, cs_ways_node(s->w, k->from), &load) == CS_NEED_STMT && s->called[load] &&
           cs_ways_kind(s->w, e->to, &writer) == CS_NEED_STMT && !cs_writes_address(s->w->g, writer);
}

/* Does the edge lead from a place that a load reads, where a call on every way to it has received that, to another call
 * that receives there, and is not on every such way? */
static bool is_received_elsewhere(struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int load, by, other;
    bool place = s->called && k->from >= 0 && cs_ways_is_other(w, e->from, CS_NEED_PLACE);
    if (!place || cs_ways_kind(w, e->to, &by) != CS_NEED_CONTENT ||
        cs_ways_kind(w, cs_ways_node(w, k->from), &load) != CS_NEED_STMT ||
        cs_runs_before_always(&s->received, by, load))
        return false;
    for (int i = w->first[e->from]; i < w->first[e->from + 1]; i++)
        if (cs_ways_kind(w, w->edges[i].to, &other) == CS_NEED_CONTENT && other != by &&
            cs_runs_before_always(&s->received, other, load))
            return true;
    return false;
}

/* Does the edge lead from a place to a store that is updated in place before the way reads it? */
static bool is_updated_before(struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int what, reader, by = e->to < w->n ? e->to : w->written[e->to - w->n];
    bool place = s->called && by >= 0 && (e->same || cs_ways_is_other(w, e->from, CS_NEED_PLACE));
    if (!place || cs_ways_kind(w, by, &what) != CS_NEED_STMT)
        return false;
    if (e->same)
        return cs_ways_kind(w, e->from, &reader) == CS_NEED_STMT && cs_is_updated_after(&s->updated, what, reader);
    enum cs_need_kind kind = k->from < 0 ? CS_NEED_ROOT : cs_ways_kind(w, cs_ways_node(w, k->from), &reader);
    return (kind == CS_NEED_STMT || cs_ways_is_mark(kind)) && cs_is_updated_after(&s->updated, what, reader);
}

/* Does the edge lead to a store of which the load reads one row or column alone, or which writes one alone of what the
 * load reads? Others that read, and write, all of them say more. */
static bool is_beside_others(struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int load = -1, store;
    bool place = s->ranges && e->to < w->n && k->from >= 0 && cs_ways_is_other(w, e->from, CS_NEED_PLACE);
    if (!s->ranges || (!place && !e->same) || cs_ways_kind(w, e->to, &store) != CS_NEED_STMT ||
        cs_ways_kind(w, place ? cs_ways_node(w, k->from) : e->from, &load) != CS_NEED_STMT ||
        w->g->stmts[store].kind != CS_STMT_STORE || w->g->stmts[load].kind != CS_STMT_LOAD)
        return false;
    return cs_index_ranges_is_slice(s->ranges, load) != cs_index_ranges_is_slice(s->ranges, store);
}

/* What the edge costs more as it hardly is what the program does on this way. */
static int unlikely(struct cs_way_search *s, int mark, const struct cs_way_edge *e)
{
    const struct cs_way_mark *k = &s->w->marks[mark];
    return cs_way_elsewhere_cost(s, mark, e) + (cs_way_is_other_member(s, k->read, e) ? OTHER_NAME : 0) +
           (cs_way_is_behind_first(s, k->first, e) ? BEHIND : 0) + (is_received_elsewhere(s, k, e) ? ELSEWHERE : 0) +
           (is_updated_before(s, k, e) ? UPDATED : 0) + (is_beside_others(s, k, e) ? ROW : 0);
}

/* Goes on by the edge, with these settings behind it, for so much more. */
static void follow_with(struct cs_way_search *s, int mark, int edge, int settings, int more)
{
    const struct cs_way_edge *e = &s->w->edges[edge];
    struct cs_way_mark k = s->w->marks[mark],
                       to = {.edge = edge, .from = mark, .settings = settings, .reader = -1, .wrote = -1, .part = -1};
    to.state = state_behind(s->w, k.state, e, &to.cost);
    bool part = k.part >= 0 || k.own >= 0 || k.bind >= 0 || (s->buffer && (s->buffer[e->to] || s->unpacked[e->to])) ||
                cs_way_in_message(s->w, k.read, e->to);
    if (cs_way_adds_nothing(s, to.state, k.cost + to.cost + more, part))
        return;
    to.call = cs_way_call_behind(s, &k, e, to.state);
    to.read = cs_way_read_behind(s, k.read, e);
    to.bind = cs_way_bind_behind(s, &k, e, &to.read);
    to.part = cs_way_part_behind(&s->parts, &k, e);
    if (s->partly && (s->partly[e->to] || s->buffer[e->to] || s->unpacked[e->to]))
        to.reader = e->call ? s->w->g->stmts[e->call - 1].func : cs_ways_func(s->w, e->from);
    bool skipped = cs_ways_is_skipped(s->w, s->calls, to.call, e->to);
    to.broken = to.settings == CS_SETTINGS_NONE || skipped || cs_way_misses(s, &k, e);
    bool perhaps_other, other_memory;
    cs_way_pass_owners(s, &k, e, &to, &other_memory);
    to.broken |= other_memory || calls_number(s, &k, e);
    to.broken |= cs_way_is_beside(s, k.bind, e) || ((k.state & 1) && cs_ways_goes_out(s->w, e));
    to.broken |= cs_way_is_other_part(&s->parts, &k, e, to.own, &perhaps_other);
    to.broken |= !cs_way_pass_guards(s, &k, e, &to);
    to.broken |= !cs_way_pass_calls(s, &k, e, &to);
    if (to.settings == CS_SETTINGS_NONE)
        to.settings = settings_of(s, e->to) == CS_SETTINGS_NONE ? CS_SETTINGS_ALL : settings_of(s, e->to);
    if (skipped)
        to.call = -1;
    to.maker = cs_way_maker_behind(s, k.maker, e);
    enum cs_run_order_step step;
    to.when = cs_way_when_behind(s, mark, e, &step);
    to.cost += step == CS_ORDER_LATER ? LATER : step == CS_ORDER_BEFORE ? EARLIER : 0;
    to.cost += cs_way_leaves_maker(s, k.maker, e) ? ELSEWHERE : 0;
    const struct cs_need_other *o = cs_ways_other(s->w, e->to);
    bool place = o && o->kind == CS_NEED_PLACE && !o->exact;
    to.obj = place ? o->obj : k.obj;
    bool moved = place && o->obj >= 0 && o->obj == k.obj && cs_ways_other(s->w, cs_ways_node(s->w, mark)) == NULL;
    to.cost += moved ? MOVED : 0;
    to.cost += perhaps_other ? PART : 0;
    to.cost += k.cost + more + (to.broken ? IMPOSSIBLE : 0) + unlikely(s, mark, e);
    to.first = moved || cs_way_first_behind(s, k.first, e);
    cs_way_add_mark(s, to);
}

/* Another rank may have other settings, but mostly it has the same, if it can come by what it does with them. */
static void follow(struct cs_way_search *s, int mark, int edge)
{
    const struct cs_way_edge *e = &s->w->edges[edge];
    int same = settings_behind(s, s->w->marks[mark].settings, e), own = settings_of(s, e->to);
    bool other = changes_rank(s, e) && same != own;
    int fewer = s->settings ? cs_settings_fewer(s->settings, s->w->marks[mark].settings, same, FEWER) : 0;
    if (!other || same != CS_SETTINGS_NONE)
        follow_with(s, mark, edge, same, fewer);
    if (other)
        follow_with(s, mark, edge, own, same != CS_SETTINGS_NONE ? OTHERS : 0);
}

static void find_best(struct cs_ways *w, const struct cs_need_flow *flow, struct cs_settings *settings,
                      struct cs_constant_calls *calls, struct cs_elements *elements)
{
    int nstates = 2 * (w->n + w->nextra);
    struct cs_way_search s = {.w = w, .settings = settings, .calls = calls, .parts = {.w = w}};
    if (s.settings) {
        const struct cs_intlist *callers = cs_settings_callers(s.settings);
        s.elements = elements;
        s.paths = cs_pointer_paths_start(w->g, callers);
        s.homes = cs_pointer_homes_start(w->g, s.paths);
        s.ranges = cs_index_ranges_start(w->g, flow, callers, s.paths);
        s.order = flow->first_callee ? cs_run_order_start(w->g, flow, callers) : NULL;
        s.guards = cs_guards_find(w->g, flow, s.settings);
        s.class_of = cs_calloc(2 * w->g->nstmts + 1, sizeof *s.class_of);
        for (int i = 0; i < 2 * w->g->nstmts; i++)
            s.class_of[i] = CLASS_UNKNOWN;
        cs_received_here_start(&s.received, w->g);
        cs_updated_after_start(&s.updated, w->g, s.elements);
        s.called = cs_calloc(w->g->nstmts + 1, sizeof *s.called);
        cs_called_loads_find(w->g, s.called);
        cs_way_find_buffers(&s);
        s.parts = (struct cs_way_parts){w, s.ranges, s.buffer};
    }
    w->marked = cs_calloc(nstates + 1, sizeof *w->marked);
    memset(w->marked, -1, (nstates + 1) * sizeof *w->marked);
    cs_way_add_mark(&s, (struct cs_way_mark){.state = 0,
                                             .settings = CS_SETTINGS_ALL,
                                             .call = -1,
                                             .read = -1,
                                             .bind = -1,
                                             .part = -1,
                                             .reader = -1,
                                             .later = -1,
                                             .wrote = -1,
                                             .maker = -1,
                                             .when = -1,
                                             .own = -1,
                                             .edge = -1,
                                             .from = -1,
                                             .obj = -1});
    while (s.heap.n) {
        int mark = cs_way_queue_pop(&s.heap).number, node = cs_ways_node(w, mark);
        for (int k = w->first[node]; k < w->first[node + 1] && !w->marks[mark].dropped; k++)
            follow(&s, mark, k);
    }
    free(s.heap.a);
    if (s.settings) {
        cs_index_ranges_free(s.ranges);
        cs_pointer_homes_free(s.homes);
        cs_pointer_paths_free(s.paths);
    }
    if (s.order)
        cs_run_order_free(s.order);
    cs_guards_free(s.guards);
    if (s.called) {
        cs_received_here_free(&s.received);
        cs_updated_after_free(&s.updated);
    }
    free(s.called);
    free(s.partly);
    free(s.buffer);
    free(s.own);
    free(s.unpacks);
    free(s.unpacked);
    free(s.class_of);
    cs_intlist_free(&s.classes);
    cs_intlist_free(&s.words);
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

/* Which statements write memory that others need. */
static bool *writing(const struct cs_ways *w)
{
    bool *is = cs_calloc(w->g->nstmts + 1, sizeof *is);
    int what;
    for (int i = 0; i < w->nedges; i++) {
        enum cs_need_kind to = cs_ways_kind(w, w->edges[i].to, &what);
        if (cs_ways_is_other(w, w->edges[i].from, CS_NEED_PLACE) && (to == CS_NEED_STMT || cs_ways_is_mark(to)))
            is[what] = true;
    }
    return is;
}

void cs_ways_find(struct cs_ways *w, const struct cs_graph *g, const struct cs_needs *needs,
                  const struct cs_need_flow *flow, struct cs_settings *settings)
{
    *w = (struct cs_ways){.g = g, .needs = needs, .n = needs->nnodes};
    w->nodes = cs_calloc(w->n + 1, sizeof *w->nodes);
    for (int i = 0; i < w->n; i++)
        w->nodes[i].kind = cs_need_kind(needs, i, &w->nodes[i].what);
    cs_ways_take_writes(w);
    cs_ways_take_edges(w);
    struct cs_rewritten r;
    bool *writes = writing(w);
    struct cs_elements *elements = settings ? cs_elements_start(g, cs_settings_callers(settings)) : NULL;
    cs_rewritten_start(&r, g, writes, elements);
    free(writes);
    cs_ways_find_costs(w, &r, flow, settings ? cs_settings_callers(settings) : NULL);
    if (flow->first_callee)
        cs_ways_add_stores(w, &r, flow);
    cs_rewritten_free(&r);
    struct cs_constant_calls calls;
    cs_constant_calls_start(&calls, g, flow);
    cs_ways_join_calls(w, &calls);
    find_best(w, flow, settings, &calls, elements);
    cs_constant_calls_free(&calls);
    if (elements)
        cs_elements_free(elements);
}

void cs_ways_free(struct cs_ways *w)
{
    free(w->nodes);
    free(w->extra);
    free(w->written);
    free(w->writes);
    free(w->edges);
    free(w->first);
    free(w->runs);
    free(w->marks);
    free(w->marked);
}
