/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whose memory a function means that is called for many: a way that comes to it for what one call has it write goes on
 * to what that call passes. The part of a buffer may tell which call that is, and where pointers are kept does. */
#include "slicer/advise/way_search.h"

/* The place behind a pointer that the edge leaves, if it is in memory of an allocator: that object, -1. */
static int object_of(const struct cs_ways *w, int node)
{
    const struct cs_need_other *o = cs_ways_other(w, node);
    bool heap =
        o && o->kind == CS_NEED_PLACE && o->obj >= 0 && o->obj < w->g->nobjs && w->g->objs[o->obj].kind == CS_OBJ_HEAP;
    return heap ? o->obj : -1;
}

/* Can the statement not write what is asked for, for this call (-1: any)? */
static bool cannot(struct cs_way_search *s, const struct cs_way_mark *before, int place, int stmt, int call)
{
    if (cs_pointer_homes_mean(s->homes, stmt, call, object_of(s->w, place)) == CS_HOME_OTHER)
        return true;
    return before->part >= 0 && s->buffer[place] && call >= 0 &&
           cs_index_ranges_other_part(s->ranges, before->part, cs_index_ranges_part(s->ranges, stmt, call));
}

/* Calls of a function that are looked at. */
enum { MOST_CALLS = 100 };

/* The one call for which the statement can write the place, -1: it is not known. *other: it can for none. Where the
 * needs do not say for which calls it does, it may for all. */
static int writing_call(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        int stmt, bool *other)
{
    int func = s->w->g->stmts[stmt].func, first = 0, known = cs_ways_writes_of(s->w, e, &first), can = 0, call = -1;
    const struct cs_intlist *callers = &cs_settings_callers(s->settings)[func];
    bool differ = cs_pointer_homes_differ(s->homes, func);
    int n = known ? known : differ && callers->n <= MOST_CALLS ? callers->n : 0;
    for (int i = 0; i < n; i++) {
        int one = known ? s->w->writes[first + i].call : callers->a[i];
        if (cannot(s, before, e->from, stmt, one))
            continue;
        call = one;
        can++;
    }
    *other = n ? !can : cannot(s, before, e->from, stmt, -1);
    return can == 1 && differ ? call : -1;
}

/* Does the call have the place written by a function that it calls, and each statement there only otherwise? */
static bool call_misses(struct cs_way_search *s, const struct cs_way_mark *before, int place, int call)
{
    const struct cs_ways *w = s->w;
    const struct cs_need_flow *flow = s->calls->flow;
    int what, func = flow->first_callee[call + 1] == flow->first_callee[call] + 1
                         ? flow->callees[flow->first_callee[call]]
                         : -1;
    bool misses = false;
    for (int k = w->first[place]; k < w->first[place + 1] && func >= 0; k++) {
        if (w->edges[k].to >= w->n)
            continue;
        enum cs_need_kind kind = cs_ways_kind(w, w->edges[k].to, &what);
        if (cs_ways_func(w, w->edges[k].to) != func)
            continue;
        if (kind != CS_NEED_STMT || !cannot(s, before, place, what, call))
            return false;
        misses = true;
    }
    return misses;
}

/* Is the memory to which the edge leads what is read there, by the call for which the way is in the function? */
static enum cs_pointer_home reads(struct cs_way_search *s, const struct cs_way_mark *before,
                                  const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int what, obj = object_of(w, e->to);
    if (obj >= 0 && e->from >= w->n && e->read > 0)
        return cs_pointer_homes_mean(s->homes, e->read - 1, w->extra[e->from - w->n], obj);
    if (obj < 0 || e->from >= w->n || cs_ways_kind(w, e->from, &what) != CS_NEED_STMT)
        return CS_HOME_UNKNOWN;
    return cs_pointer_homes_mean(s->homes, what, before->own, obj);
}

/* From a place to who writes it. */
static void pass_writer(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        struct cs_way_mark *to, bool *other)
{
    const struct cs_ways *w = s->w;
    int what, by = e->to < w->n ? e->to : w->written[e->to - w->n];
    if (by < 0 || cs_ways_kind(w, by, &what) != CS_NEED_STMT)
        return;
    int call = by == e->to ? -1 : w->extra[e->to - w->n];
    if (by == e->to)
        to->own = call = writing_call(s, before, e, what, other);
    else
        *other = cannot(s, before, e->from, what, call);
    to->told = cs_pointer_homes_mean(s->homes, what, call, object_of(w, e->from)) == CS_HOME_OWN;
}

void cs_way_pass_owners(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        struct cs_way_mark *to, bool *other)
{
    const struct cs_ways *w = s->w;
    int what, place = cs_way_written_place(w, before, e);
    to->own = -1;
    to->told = *other = false;
    if (!s->homes)
        return;
    if (cs_ways_is_other(w, e->from, CS_NEED_PLACE)) {
        pass_writer(s, before, e, to, other);
        return;
    }
    enum cs_pointer_home is = place < 0 ? reads(s, before, e) : CS_HOME_UNKNOWN;
    to->told = is == CS_HOME_OWN;
    *other = is == CS_HOME_OTHER ||
             (place >= 0 && cs_ways_kind(w, e->to, &what) == CS_NEED_STMT && call_misses(s, before, place, what));
    int out = cs_ways_goes_out(w, e) ? cs_way_leaving_call(w, e) : -1;
    *other |= out >= 0 && before->own >= 0 && out != before->own;
    const struct cs_need_other *o = cs_ways_other(w, e->to);
    bool stays = !cs_ways_goes_out(w, e) && !cs_ways_goes_in(w, e) &&
                 (o ? o->kind == CS_NEED_PARAM || o->kind == CS_NEED_EFFECT
                    : cs_ways_func(w, e->to) == cs_ways_func(w, e->from) || cs_ways_func(w, e->from) < 0);
    to->own = stays ? before->own : -1;
}
