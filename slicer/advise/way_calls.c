/* SPDX-License-Identifier: GPL-3.0-or-later
 * For which call a way is in a function: a way that goes in for what one call gets must come out by the same one, and
 * what runs before it in the same run must have let it come there (guards.h). */
#include "slicer/advise/way_search.h"

#include "slicer/graph/storage.h"

/* The function with guards of which the way stays in one run behind the edge, -1. */
static int guarded(const struct cs_way_search *s, const struct cs_way_edge *e)
{
    int func = cs_ways_func(s->w, e->to);
    const struct cs_need_other *o = cs_ways_other(s->w, e->to);
    if (!s->guards || cs_ways_goes_in(s->w, e) || cs_ways_goes_out(s->w, e))
        return -1;
    if (o && o->kind == CS_NEED_PLACE && o->obj >= 0 && s->w->g->objs[o->obj].kind == CS_OBJ_LOCAL)
        func = s->w->g->objs[o->obj].func;
    return func >= 0 && cs_guards_in(s->guards, func) ? func : -1;
}

bool cs_way_pass_guards(const struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                        struct cs_way_mark *to)
{
    int what, func = guarded(s, e);
    enum cs_need_kind kind = cs_ways_kind(s->w, e->to, &what);
    bool stays = func >= 0 && before->later >= 0 && s->w->g->stmts[before->later].func == func;
    to->guards = stays ? before->guards : 0;
    to->later = stays ? before->later : -1;
    if (!s->guards || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)) ||
        !cs_guards_in(s->guards, s->w->g->stmts[what].func))
        return true;
    cs_guard_set own = cs_guards_before(s->guards, what), gone = to->guards & ~own & cs_guards_gone(s->guards, what);
    bool bar = gone || (stays && cs_guards_bar(s->guards, to->settings, to->later, what));
    to->guards = (to->guards & ~gone) | own;
    to->later = stays && !bar ? to->later : what;
    return !bar;
}

/* In a mark, less the number of a node for what functions change: who does. */
enum { EFFECT_OF = -2 };

int cs_way_leaving_call(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int what;
    bool effect = cs_ways_is_other(w, e->from, CS_NEED_EFFECT) && cs_ways_kind(w, e->to, &what) == CS_NEED_STMT;
    return e->call ? e->call - 1 : effect ? what : -1;
}

static bool calls(const struct cs_way_search *s, int call, int func)
{
    const struct cs_intlist *callers = &cs_settings_callers(s->settings)[func];
    for (int i = 0; i < callers->n; i++)
        if (callers->a[i] == call)
            return true;
    return false;
}

/* Does the node for what functions change say so of calls of this one? */
static bool is_of_calls(const struct cs_way_search *s, int effect, int func)
{
    const struct cs_ways *w = s->w;
    int what;
    for (int k = w->first[effect]; k < w->first[effect + 1]; k++)
        if (cs_ways_kind(w, w->edges[k].to, &what) == CS_NEED_STMT && w->edges[k].to < w->n && calls(s, what, func))
            return true;
    return false;
}

/* Something that the function writes is needed by the node, a place or what a function that it calls changes: the node
 * for which calls change it so; -1: there is none. */
static int effect_of_callers(struct cs_way_search *s, int node, int func)
{
    const struct cs_ways *w = s->w;
    struct cs_way_asked *known = &s->asked[cs_hash(cs_hash(0, node), func) % ASKED];
    if (known->node == node && known->func == func)
        return known->effect;
    *known = (struct cs_way_asked){node, func, -1};
    for (int i = w->first[node]; i < w->first[node + 1] && known->effect < 0; i++)
        if (cs_ways_is_other(w, w->edges[i].to, CS_NEED_EFFECT) && is_of_calls(s, w->edges[i].to, func))
            known->effect = w->edges[i].to;
    return known->effect;
}

/* Does the call change what the node says? */
static bool changes(const struct cs_ways *w, int effect, int call)
{
    for (int i = w->first[effect]; i < w->first[effect + 1]; i++)
        if (w->edges[i].to == cs_need_stmt(w->needs, call))
            return true;
    return false;
}

/* For a place, or (-1) what the node says: a statement of this function writes it, or calls who does. Who calls the
 * function for that? */
static int asked_by(struct cs_way_search *s, int place, int node, int stmt)
{
    int wrote = place < 0 ? -1 : cs_ways_passed_on(s->w, place, stmt);
    int up = wrote < 0 ? effect_of_callers(s, node, s->w->g->stmts[stmt].func) : -1;
    return up < 0 ? wrote : EFFECT_OF - up;
}

/* May what the call calls write the place, or call who does? */
static bool may_write(struct cs_way_search *s, int place, int call)
{
    const struct cs_need_flow *flow = s->calls->flow;
    struct cs_way_asked *known = &s->writing[cs_hash(cs_hash(0, place), call) % ASKED];
    if (known->node == place && known->func == call)
        return known->effect;
    bool may = flow->first_callee[call] == flow->first_callee[call + 1];
    for (int i = flow->first_callee[call]; i < flow->first_callee[call + 1] && !may; i++)
        may = cs_ways_writes_for(s->w, place, flow->callees[i], call);
    *known = (struct cs_way_asked){place, call, may};
    return may;
}

bool cs_way_pass_calls(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                       struct cs_way_mark *to)
{
    const struct cs_ways *w = s->w;
    int func = cs_ways_func(w, e->to), place = cs_way_written_place(w, before, e), what;
    if (!s->settings)
        return true;
    if (place >= 0) {
        cs_ways_kind(w, e->to, &what);
        to->wrote = asked_by(s, place, e->from, what);
        to->inner = w->g->stmts[what].func;
        return !cs_ways_is_other(w, e->from, CS_NEED_EFFECT) || may_write(s, place, what);
    }
    if (before->wrote == -1)
        return true;
    bool by_effect = before->wrote <= EFFECT_OF;
    int from = by_effect ? EFFECT_OF - before->wrote : w->writes[before->wrote].place;
    if (cs_ways_goes_out(w, e)) {
        int call = cs_way_leaving_call(w, e);
        if (call < 0)
            return true;
        to->wrote = asked_by(s, by_effect ? -1 : from, from, call);
        to->inner = w->g->stmts[call].func;
        return by_effect ? changes(w, from, call) : cs_ways_passes(w, before->wrote, call);
    }
    const struct cs_need_other *o = cs_ways_other(w, e->to);
    bool reads = o && o->kind == CS_NEED_PLACE && cs_ways_func(w, e->from) == before->inner;
    bool inside = o ? o->kind == CS_NEED_PARAM || reads || cs_ways_is_own(w, o, before->inner) : func == before->inner;
    if (inside && !cs_ways_goes_in(w, e)) {
        to->wrote = before->wrote;
        to->inner = before->inner;
    }
    return true;
}

int cs_way_call_behind(struct cs_way_search *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                       int state)
{
    int first = 0, n = e->writes ? cs_ways_writes_of(s->w, e, &first) : 0,
        call = cs_ways_asks_result(s->w, e) ? e->call - 1 : -1;
    if (!cs_ways_goes_in(s->w, e))
        return state % 2 ? before->call : -1;
    if (n == 1)
        call = s->w->writes[first].call;
    return s->settings && call >= 0 && cs_constant_call_skips(s->calls, call) ? call : -1;
}

/* May the call come to the function, by so many calls at most? */
static bool leads_to(const struct cs_way_search *s, int call, int func, int depth)
{
    enum { MOST = 40 }; /* callers that are looked at: what more call makes memory for nobody in particular */
    const struct cs_intlist *callers = &cs_settings_callers(s->settings)[func];
    if (calls(s, call, func))
        return true;
    for (int i = 0; i < callers->n && callers->n <= MOST && depth > 1; i++)
        if (leads_to(s, call, s->w->g->stmts[callers->a[i]].func, depth - 1))
            return true;
    return false;
}

/* Calls between the one that makes memory for its function and the statement that writes there. */
enum { MAKER_DEPTH = 3 };

/* Does the edge lead from memory that the call makes to a statement of what it calls? */
static bool is_made_by(const struct cs_way_search *s, const struct cs_way_edge *e, int call)
{
    int what;
    return cs_ways_kind(s->w, e->to, &what) == CS_NEED_STMT &&
           leads_to(s, call, s->w->g->stmts[what].func, MAKER_DEPTH);
}

bool cs_way_leaves_maker(const struct cs_way_search *s, int maker, const struct cs_way_edge *e)
{
    int call = maker >= 0 && cs_ways_goes_out(s->w, e) ? cs_way_leaving_call(s->w, e) : -1;
    return call >= 0 && call != maker && !leads_to(s, maker, s->w->g->stmts[call].func, MAKER_DEPTH);
}

/* Does the way stay below the call that makes the memory? Through a place only where its function asks for that. */
static bool stays_below(const struct cs_way_search *s, int maker, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    const struct cs_need_other *to = cs_ways_other(w, e->to);
    int func = cs_ways_func(w, e->to), before = cs_ways_func(w, e->from);
    if (cs_ways_goes_in(w, e))
        return false;
    if (cs_ways_goes_out(w, e)) {
        int call = cs_way_leaving_call(w, e);
        return call >= 0 && call != maker && leads_to(s, maker, w->g->stmts[call].func, MAKER_DEPTH);
    }
    if (to)
        return to->kind == CS_NEED_PARAM || (to->kind == CS_NEED_PLACE && before >= 0);
    return cs_ways_is_other(w, e->from, CS_NEED_PLACE) ? func >= 0 && leads_to(s, maker, func, MAKER_DEPTH)
                                                       : before < 0 || func == before;
}

int cs_way_maker_behind(const struct cs_way_search *s, int before, const struct cs_way_edge *e)
{
    const struct cs_need_other *from = cs_ways_other(s->w, e->from);
    bool heap = s->settings && from && from->kind == CS_NEED_PLACE && from->obj >= 0 &&
                s->w->g->objs[from->obj].kind == CS_OBJ_HEAP;
    int call = heap ? s->w->g->objs[from->obj].stmt : -1;
    if (call >= 0 && is_made_by(s, e, call))
        return call;
    return before >= 0 && stays_below(s, before, e) ? before : -1;
}
