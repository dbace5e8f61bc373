/* SPDX-License-Identifier: GPL-3.0-or-later
 * Who fills the buffers of messages, and writes memory that functions write for some of their calls alone: mostly who
 * works together with the one that reads it (partners.h). */
#include "slicer/advise/way_search.h"

#include <stdlib.h>

#include "slicer/advise/partners.h"
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

/* What the edge from a buffer costs more, as others write it for who reads it on this way. */
static int buffer_cost(struct cs_way_search *s, const struct cs_way_edge *e, int reader, int writer)
{
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    int func = s->w->g->stmts[writer].func;
    find_partner(s, e->from, reader);
    if (s->partner.has && !cs_are_partners(s->w->g, callers, reader, func))
        return ELSEWHERE;
    return s->partner.helps && !cs_is_helper(s->w->g, callers, reader, func) ? FARTHER : 0;
}

int cs_way_elsewhere_cost(struct cs_way_search *s, int mark, const struct cs_way_edge *e)
{
    int writer, reader = s->w->marks[mark].reader;
    enum cs_need_kind kind = cs_ways_kind(s->w, e->to, &writer);
    if (reader < 0 || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)))
        return 0;
    int cost = s->buffer[e->from] ? buffer_cost(s, e, reader, writer) : 0;
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

void cs_way_find_buffers(struct cs_way_search *s)
{
    const struct cs_ways *w = s->w;
    const struct cs_intlist *callers = cs_settings_callers(s->settings);
    bool *skips = cs_calloc(w->g->nfuncs + 1, sizeof *skips);
    bool *sent = cs_calloc(w->n + w->nextra + 1, sizeof *sent);
    s->partly = cs_calloc(w->n + w->nextra + 1, sizeof *s->partly);
    s->buffer = cs_calloc(w->n + w->nextra + 1, sizeof *s->buffer);
    s->partner.node = -1;
    find_buffers(s, sent);
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
