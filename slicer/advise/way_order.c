/* SPDX-License-Identifier: GPL-3.0-or-later
 * In which run of a function a way is: what is read there was written before, in the same run of who calls both
 * (run_order.h). */
#include "slicer/advise/way_search.h"

/* Where the statement runs, -1: not known. */
static int point(const struct cs_way_search *s, int stmt)
{
    const struct cs_need_flow *flow = s->calls->flow;
    return stmt >= 0 && flow->point ? flow->point[stmt] : stmt;
}

/* Who reads what the way is at, in front of the mark: a statement, or a call for what it calls; -1: not known. */
static int reader(const struct cs_way_search *s, int mark)
{
    const struct cs_ways *w = s->w;
    int what;
    for (int m = mark; m >= 0 && w->marks[m].edge >= 0; m = w->marks[m].from) {
        const struct cs_way_edge *e = &w->edges[w->marks[m].edge];
        enum cs_need_kind kind = cs_ways_kind(w, e->from, &what);
        if (e->call && cs_ways_goes_out(w, e))
            return e->call - 1;
        if (kind == CS_NEED_STMT || cs_ways_is_mark(kind))
            return what;
    }
    return -1;
}

/* The statement by which the edge comes to who writes what its first node stands for, or sends it, or decides it for a
 * call; -1: it is no such edge. */
static int writer(const struct cs_way_search *s, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int from, to, first = 0, n = e->writes ? cs_ways_writes_of(w, e, &first) : 0;
    enum cs_need_kind x = cs_ways_kind(w, e->from, &from), y = cs_ways_kind(w, e->to, &to);
    if (n == 1)
        return w->writes[first].call;
    if (y != CS_NEED_STMT && !cs_ways_is_mark(y))
        return -1;
    bool memory = cs_ways_is_other(w, e->from, CS_NEED_PLACE) || cs_ways_is_other(w, e->from, CS_NEED_EFFECT);
    return memory || (cs_ways_is_mark(x) && cs_ways_is_mark(y) && from != to) ? to : -1;
}

int cs_way_when_behind(struct cs_way_search *s, int mark, const struct cs_way_edge *e, enum cs_run_order_step *step)
{
    int when = s->w->marks[mark].when, by = writer(s, e), at = point(s, by);
    *step = CS_ORDER_TOGETHER;
    if (!s->order || (by >= 0 && at < 0))
        return -1;
    if (by >= 0)
        return cs_run_order_behind(s->order, when, when < 0 ? point(s, reader(s, mark)) : -1, at, step);
    if (e->call && cs_ways_goes_out(s->w, e))
        return cs_run_order_leave(s->order, when, e->call - 1, step);
    return when;
}
