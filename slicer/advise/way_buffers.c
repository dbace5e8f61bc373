/* SPDX-License-Identifier: GPL-3.0-or-later
 * Who fills the buffers of messages, and writes memory that functions write for some of their calls alone: mostly who
 * works together with the one that reads it (partners.h). */
#include "slicer/advise/way_search.h"

#include <stdlib.h>

#include "slicer/advise/own_elements.h"
#include "slicer/advise/partners.h"
#include "slicer/advise/unpacks.h"
#include "slicer/graph/storage.h"

/* Finds out whether one who works together with the reader, a function, writes the buffer. */
static void find_partner(struct cs_way_search *s, int node, int reader)
{
    enum { MOST = 100 }; /* writers that are looked at */
    const struct cs_ways *w = s->w;
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    if (s->partner.node == node && s->partner.reader == reader)
        return;
    s->partner.node = node;
    s->partner.reader = reader;
    s->partner.has = s->partner.helps = false;
    for (int k = w->first[node]; k < w->first[node + 1] && k < w->first[node] + MOST && !s->partner.helps; k++) {
        int func = cs_ways_func(w, w->edges[k].to);
        s->partner.has |= func >= 0 && cs_are_partners(w->g, callers, reader, func);
        s->partner.helps = func >= 0 && cs_is_helper(w->g, callers, reader, func);
    }
}

/* What the way from a buffer to a function that writes it costs more, as others write it for who reads it. */
static int buffer_cost(struct cs_way_search *s, int buffer, int reader, int func)
{
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    find_partner(s, buffer, reader);
    if (s->partner.has && !cs_are_partners(s->w->g, callers, reader, func))
        return ELSEWHERE;
    return s->partner.helps && !cs_is_helper(s->w->g, callers, reader, func) ? FARTHER : 0;
}

/* Likewise to a call of such a function, by way of what that changes. */
static int changes_cost(struct cs_way_search *s, int mark, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    const struct cs_need_flow *flow = s->calls->flow;
    int call, place = cs_way_written_place(w, &w->marks[mark], e), m = mark;
    if (place < 0 || !s->buffer[place] || cs_ways_kind(w, e->to, &call) != CS_NEED_STMT ||
        flow->first_callee[call + 1] != flow->first_callee[call] + 1)
        return 0;
    while (cs_ways_node(w, m) != place)
        m = w->marks[m].from;
    int reader = w->marks[m].reader;
    return reader < 0 ? 0 : buffer_cost(s, place, reader, flow->callees[flow->first_callee[call]]);
}

/* Does the reader, a function, or one that it calls, unpack messages to the place? */
static bool unpacks_itself(struct cs_way_search *s, int place, int reader)
{
    const struct cs_ways *w = s->w;
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    int what;
    if (s->unpacker.node == place && s->unpacker.reader == reader)
        return s->unpacker.is;
    s->unpacker.node = place;
    s->unpacker.reader = reader;
    s->unpacker.is = false;
    for (int k = w->first[place]; k < w->first[place + 1] && !s->unpacker.is; k++)
        s->unpacker.is = w->edges[k].to < w->n && cs_ways_kind(w, w->edges[k].to, &what) == CS_NEED_STMT &&
                         s->unpacks[what] && cs_is_helper(w->g, callers, reader, w->g->stmts[what].func);
    return s->unpacker.is;
}

/* Does the edge lead to who unpacks messages elsewhere than the reader does? */
static bool unpacks_elsewhere(struct cs_way_search *s, const struct cs_way_edge *e, int reader)
{
    const struct cs_ways *w = s->w;
    int what, by = e->to < w->n ? e->to : w->written[e->to - w->n];
    return s->unpacked[e->from] && by >= 0 && cs_ways_kind(w, by, &what) == CS_NEED_STMT && s->unpacks[what] &&
           !cs_is_helper(w->g, cs_settings_callers(s->settings), reader, w->g->stmts[what].func) &&
           unpacks_itself(s, e->from, reader);
}

int cs_way_elsewhere_cost(struct cs_way_search *s, int mark, const struct cs_way_edge *e)
{
    int writer, reader = s->w->marks[mark].reader;
    enum cs_need_kind kind = cs_ways_kind(s->w, e->to, &writer);
    if (s->buffer && cs_ways_is_other(s->w, e->from, CS_NEED_EFFECT))
        return changes_cost(s, mark, e);
    if (reader >= 0 && unpacks_elsewhere(s, e, reader))
        return FARTHER;
    if (reader < 0 || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)))
        return 0;
    int cost = s->buffer[e->from] ? buffer_cost(s, e->from, reader, s->w->g->stmts[writer].func) : 0;
    bool skipped = !cost && e->to < s->w->n && s->partly[e->from] &&
                   cs_is_elsewhere(s->w->g, cs_settings_callers(s->settings), s->calls, reader, writer);
    return skipped ? ELSEWHERE : cost;
}

/* Notes the objects that are sent or received, of the program's own memory and of that of allocators. */
static void find_buffers(const struct cs_way_search *s, bool *sent)
{
    const struct cs_ways *w = s->w;
    bool *is = cs_calloc(w->g->nobjs + 1, sizeof *is);
    int what;
    cs_ways_find_sent(w, sent);
    for (int i = 0; i < w->nedges; i++) {
        const struct cs_way_edge *e = &w->edges[i];
        const struct cs_need_other *from = cs_ways_other(w, e->from), *to = cs_ways_other(w, e->to);
        if (from && from->kind == CS_NEED_PLACE && from->obj >= 0 && cs_ways_kind(w, e->to, &what) == CS_NEED_CONTENT)
            is[from->obj] = true;
        if (to && to->kind == CS_NEED_PLACE && to->obj >= 0 && sent[e->from])
            is[to->obj] = true;
    }
    for (int i = 0; i < w->n; i++) {
        const struct cs_need_other *o = cs_ways_other(w, i);
        s->buffer[i] = o && o->kind == CS_NEED_PLACE && o->obj >= 0 && o->obj < w->g->nobjs && is[o->obj] &&
                       (w->g->objs[o->obj].kind == CS_OBJ_HEAP || w->g->objs[o->obj].kind == CS_OBJ_GLOBAL);
    }
    free(is);
}

/* Notes the statements that copy what a buffer has elsewhere, and where. Elements that are packed, or copied to where
 * they are in another order, or that the library reads, are mostly a rank's own; sent: nodes of what messages read. */
static void find_unpacked(const struct cs_way_search *s, const bool *sent)
{
    const struct cs_ways *w = s->w;
    const struct cs_need_flow *flow = s->calls->flow;
    bool *from = cs_calloc(w->g->nstmts + 1, sizeof *from);
    int what;
    for (int i = 0; i < w->nedges; i++)
        if (s->buffer[w->edges[i].to] && cs_ways_kind(w, w->edges[i].from, &what) == CS_NEED_STMT)
            from[what] = true;
    for (int i = 0; i < w->g->nstmts; i++) {
        int load = cs_copies_from(w->g, i);
        s->unpacks[i] = load >= 0 && from[load];
        const struct cs_stmt *t = &w->g->stmts[i];
        bool by_call = t->kind == CS_STMT_LOAD && t->source < 0;
        s->own[i] |= (by_call && !sent[cs_need_stmt(w->needs, i)]) ||
                     (t->kind == CS_STMT_CALL && flow->first_callee[i] == flow->first_callee[i + 1]);
    }
    for (int i = 0; i < w->nedges; i++) {
        int place = w->edges[i].from;
        if (!cs_ways_is_other(w, place, CS_NEED_PLACE) || cs_ways_kind(w, w->edges[i].to, &what) != CS_NEED_STMT)
            continue;
        s->unpacked[place] |= s->unpacks[what] && !s->buffer[place];
        int obj = cs_ways_other(w, place)->obj, load = cs_copies_from(w->g, what);
        bool heap = obj >= 0 && obj < w->g->nobjs && w->g->objs[obj].kind == CS_OBJ_HEAP;
        if (load >= 0 && (heap || s->buffer[place]))
            s->own[load] = true;
    }
    free(from);
}

void cs_way_find_buffers(struct cs_way_search *s)
{
    const struct cs_ways *w = s->w;
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    bool *skips = cs_calloc(w->g->nfuncs + 1, sizeof *skips);
    bool *sent = cs_calloc(w->n + w->nextra + 1, sizeof *sent);
    s->partly = cs_calloc(w->n + w->nextra + 1, sizeof *s->partly);
    s->buffer = cs_calloc(w->n + w->nextra + 1, sizeof *s->buffer);
    s->own = cs_calloc(w->g->nstmts + 1, sizeof *s->own);
    s->unpacks = cs_calloc(w->g->nstmts + 1, sizeof *s->unpacks);
    s->unpacked = cs_calloc(w->n + w->nextra + 1, sizeof *s->unpacked);
    s->partner.node = s->unpacker.node = -1;
    cs_own_loads_find(w->g, s->own);
    find_buffers(s, sent);
    find_unpacked(s, sent);
    free(sent);
    for (int f = 0; f < w->g->nfuncs; f++)
        for (int i = 0; i < callers[f].n && !skips[f]; i++)
            skips[f] = cs_constant_call_skips(s->calls, callers[f].a[i]);
    for (int i = 0; i < w->nedges; i++) {
        int func = cs_ways_is_other(w, w->edges[i].from, CS_NEED_PLACE) ? cs_ways_func(w, w->edges[i].to) : -1;
        s->partly[w->edges[i].from] |= func >= 0 && skips[func];
    }
    free(skips);
}
