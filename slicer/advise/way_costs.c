/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the steps of a way cost: the more, the more others might be meant in their place; ways.h. */
#include "slicer/advise/ways_internal.h"

#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/advise/call_ways.h"
#include "slicer/advise/gives_up.h"
#include "slicer/advise/meetings.h"
#include "slicer/advise/message_fit.h"
#include "slicer/advise/scan_size.h"
#include "slicer/graph/storage.h"

/* How many pieces of memory the object may stand for, that one statement allocates for different callers. */
static int pieces(const struct cs_ways *w, const struct cs_need_other *o)
{
    return cs_pieces(w->g, w->runs, o->obj);
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
    if (!cs_ways_is_mark(cs_ways_kind(w, from, &what)) || what == call || callee->kind != CS_OPND_ADDR)
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
    bool variable = d >= 0 && g->stmts[d].kind == CS_STMT_LOAD && g->stmts[d].load.base.kind == CS_OPND_ADDR &&
                    !g->stmts[d].load.pat.stride && !g->stmts[d].nuses;
    return d >= 0 && !variable && g->stmts[d].line != g->stmts[s].line && g->stmts[d].line && g->stmts[s].line &&
           !has_name(cs_graph_str(g, g->stmts[d].text));
}

/* Does the edge lead to who only sets the place to a number at first, as a constructor does? */
static bool is_initial(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int s;
    if (!e->unsure || cs_ways_kind(w, e->to, &s) != CS_NEED_STMT)
        return false;
    const struct cs_stmt *st = &w->g->stmts[s];
    return st->kind == CS_STMT_STORE && st->nuses && st->uses[0].kind == CS_OPND_CONST;
}

/* Does the edge lead from a variable or member to who stores a number of another size through a pointer? The language
 * has each read as what it is. */
static bool is_of_other_size(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int s;
    const struct cs_need_other *o = cs_ways_other(w, e->from);
    if (!o || o->kind != CS_NEED_PLACE || !o->exact || cs_ways_kind(w, e->to, &s) != CS_NEED_STMT)
        return false;
    const struct cs_stmt *st = &w->g->stmts[s];
    bool stores = st->kind == CS_STMT_STORE && !st->has_load && st->store.base.kind == CS_OPND_VALUE;
    int64_t size = stores ? st->store.size : cs_scan_size(w->g, s);
    return size > 0 && o->size > 0 && size != o->size;
}

/* Does the edge lead to a condition that has the function give up in place of what it decides on? */
static bool is_early_end(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int s, condition;
    enum cs_need_kind kind = cs_ways_kind(w, e->from, &s);
    return (kind == CS_NEED_STMT || cs_ways_is_mark(kind)) && !is_plain_value(w, e->from) &&
           cs_ways_kind(w, e->to, &condition) == CS_NEED_STMT && w->g->stmts[condition].kind == CS_STMT_COND &&
           cs_gives_up(w->g, condition, s);
}

static int cost_of(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int what, cost = 0;
    enum cs_need_kind kind = cs_ways_kind(w, e->to, &what);
    const struct cs_need_other *to = cs_ways_other(w, e->to);
    if (to && to->kind == CS_NEED_PLACE)
        cost += place_cost(w, to);
    if (kind == CS_NEED_STMT || cs_ways_is_mark(kind))
        cost += STEP;
    if (cs_ways_is_mark(kind) && meets(w, e->from, what))
        cost += MEETING;
    if (to && to->kind == CS_NEED_EFFECT)
        cost += EFFECT;
    if (kind == CS_NEED_STMT && is_plain_value(w, e->from) && w->g->stmts[what].kind == CS_STMT_COND)
        cost += COMPUTED;
    cost += MANY * power(e->among) + (is_reused(w, e) ? REUSED : 0);
    cost += (e->doubtful ? DOUBTFUL : 0) + (e->loose ? LOOSE : 0) + (e->unsure ? AGAIN : 0);
    cost += (e->unlikely ? UNFIT : 0) + (is_initial(w, e) ? INITIAL : 0) + (is_of_other_size(w, e) ? OTHER_SIZE : 0) +
            (is_early_end(w, e) ? GIVES_UP : 0);
    return cost + (cs_ways_goes_in(w, e) || cs_ways_goes_out(w, e) ? CROSSING : 0);
}

int cs_ways_cost_of_one(const struct cs_way_edge *e)
{
    return e->cost - MANY * power(e->among);
}

/* Is the edge one from a receive to a send that it may match, which go to *receive and *send, or the other way? */
static bool is_message(const struct cs_ways *w, const struct cs_way_edge *e, int *receive, int *send)
{
    if (!cs_ways_is_mark(cs_ways_kind(w, e->from, receive)) || !cs_ways_is_mark(cs_ways_kind(w, e->to, send)) ||
        *receive == *send)
        return false;
    if (cs_receives(w->g, *receive) && cs_sends(w->g, *send))
        return true;
    int other = *receive;
    *receive = *send;
    *send = other;
    return cs_receives(w->g, *receive) && cs_sends(w->g, *send);
}

/* Of the messages that a call may send or receive, those that fit less than others of the same call cost more; where
 * another one has the count that is expected, those with another count seem never to be that. */
static void find_unfit(struct cs_ways *w, const struct cs_intlist *callers)
{
    struct cs_message_fit *f = cs_message_fit_start(w->g, callers);
    int *best = cs_calloc(w->g->nstmts + 1, sizeof *best), receive, send;
    bool *counted = cs_calloc(w->g->nstmts + 1, sizeof *counted);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < w->nedges; i++) {
            if (!is_message(w, &w->edges[i], &receive, &send))
                continue;
            int fits = cs_message_fits(f, send, receive);
            if (pass && (fits < best[send] || fits < best[receive]))
                w->edges[i].cost += UNFIT;
            if (pass && counted[send] && counted[receive] && !w->edges[i].doubtful &&
                cs_message_has_other_count(f, send, receive)) {
                w->edges[i].doubtful = true;
                w->edges[i].cost += DOUBTFUL;
            }
            counted[send] |= fits & CS_SAME_COUNT;
            counted[receive] |= fits & CS_SAME_COUNT;
            best[send] = fits > best[send] ? fits : best[send];
            best[receive] = fits > best[receive] ? fits : best[receive];
        }
    free(best);
    free(counted);
    cs_message_fit_free(f);
}

/* The object of a place; -1. */
static int object_of(const struct cs_ways *w, int node)
{
    const struct cs_need_other *o = cs_ways_other(w, node);
    return o && o->kind == CS_NEED_PLACE && o->obj < w->g->nobjs ? o->obj : -1;
}

/* Memory that surely is received is hardly what a store means that may mean other memory, too. */
static void find_received(struct cs_ways *w)
{
    bool *received = cs_calloc(w->g->nobjs + 1, sizeof *received);
    int what;
    for (int i = 0; i < w->nedges; i++) {
        int obj = object_of(w, w->edges[i].from);
        bool mark = obj >= 0 && cs_ways_kind(w, w->edges[i].to, &what) == CS_NEED_CONTENT;
        if (mark && w->edges[i].among <= 1 && cs_receives(w->g, what))
            received[obj] = true;
    }
    for (int i = 0; i < w->nedges; i++) {
        int obj = object_of(w, w->edges[i].from);
        bool store = obj >= 0 && cs_ways_kind(w, w->edges[i].to, &what) == CS_NEED_STMT;
        if (store && w->edges[i].among > 1 && received[obj])
            w->edges[i].cost += RECEIVED;
    }
    free(received);
}

/* Notes the steps between collective calls that never meet, as it seems. */
static void find_apart(struct cs_ways *w, const struct cs_need_flow *flow, const struct cs_intlist *callers)
{
    struct cs_meetings *m = cs_meetings_start(w->g, flow, callers);
    int from, to;
    for (int i = 0; i < w->nedges; i++) {
        struct cs_way_edge *e = &w->edges[i];
        if (!cs_ways_is_mark(cs_ways_kind(w, e->to, &to)) || !meets(w, e->from, to))
            continue;
        cs_ways_kind(w, e->from, &from);
        e->doubtful |= !cs_may_meet(m, from, to);
    }
    cs_meetings_free(m);
}

void cs_ways_find_costs(struct cs_ways *w, struct cs_rewritten *r, const struct cs_need_flow *flow,
                        const struct cs_intlist *callers)
{
    w->runs = cs_runs_count(w->g);
    if (callers)
        find_apart(w, flow, callers);
    for (int i = 0; i < w->nedges; i++) {
        struct cs_way_edge *e = &w->edges[i];
        const struct cs_need_other *to = cs_ways_other(w, e->to);
        int shared = to && to->kind == CS_NEED_PLACE ? pieces(w, to) : 1;
        e->among = e->among > shared ? e->among : shared;
        int first;
        e->writes = cs_ways_writes_of(w, e, &first) > 0;
        int what;
        bool reads = to && to->kind == CS_NEED_PLACE && cs_ways_kind(w, e->from, &what) == CS_NEED_STMT;
        e->cost = cost_of(w, e) + (reads && cs_rewritten_before(r, what) ? REWRITTEN : 0);
    }
    find_unfit(w, callers);
    find_received(w);
}
