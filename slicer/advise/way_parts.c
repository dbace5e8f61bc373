/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which part of a buffer a way asks for, by the offsets that calls pass, and who writes another one; way_parts.h. */
#include "slicer/advise/way_parts.h"

int cs_way_written_place(const struct cs_ways *w, const struct cs_way_mark *before, const struct cs_way_edge *e)
{
    int what, node = e->from;
    bool stmt = cs_ways_kind(w, e->to, &what) == CS_NEED_STMT;
    for (int m = before->from; stmt && m >= 0 && cs_ways_is_other(w, node, CS_NEED_EFFECT); m = w->marks[m].from)
        node = cs_ways_node(w, m);
    return stmt && cs_ways_is_other(w, node, CS_NEED_PLACE) ? node : -1;
}

/* The call for which the way is in the function, to write what is asked for; -1: it is not known. */
static int asking_call(const struct cs_ways *w, const struct cs_way_mark *at, int func)
{
    enum { STEPS = 40 };
    int what;
    for (int i = 0; i < STEPS && at->from >= 0; i++) {
        const struct cs_way_edge *e = &w->edges[at->edge];
        int first = 0, n = cs_ways_writes_of(w, e, &first);
        if (cs_ways_kind(w, e->to, &what) == CS_NEED_STMT && w->g->stmts[what].func != func)
            return -1;
        if (cs_ways_is_other(w, e->from, CS_NEED_PLACE))
            return n == 1 ? w->writes[first].call : -1;
        at = &w->marks[at->from];
    }
    return -1;
}

/* The part of a buffer that is read by the edge to it, on this way. */
static int part_read(const struct cs_way_parts *s, const struct cs_way_mark *before, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int load, extra = e->from >= w->n ? w->extra[e->from - w->n] : -1;
    if (extra >= 0)
        return e->read > 0 ? cs_index_ranges_part(s->ranges, e->read - 1, extra) : -1;
    if (cs_ways_kind(w, e->from, &load) != CS_NEED_STMT)
        return -1;
    return cs_index_ranges_part(s->ranges, load, asking_call(w, before, w->g->stmts[load].func));
}

/* Is the edge one along a plain copy, from what stores it back to what is read for it? */
static bool along_copy(const struct cs_way_parts *s, const struct cs_way_edge *e)
{
    const struct cs_graph *g = s->w->g;
    int from, to;
    enum cs_need_kind a = cs_ways_kind(s->w, e->from, &from), b = cs_ways_kind(s->w, e->to, &to);
    if (a == CS_NEED_VALUE)
        return b == CS_NEED_STMT && g->stmts[to].kind == CS_STMT_LOAD && g->values[from].def == to;
    bool place = a == CS_NEED_OTHER && s->buffer[e->from];
    int store = a == CS_NEED_STMT ? from : place && b == CS_NEED_STMT ? to : -1;
    const struct cs_stmt *st = store < 0 ? NULL : &g->stmts[store];
    int v = st && st->kind == CS_STMT_STORE && st->nuses && st->uses[0].kind == CS_OPND_VALUE ? st->uses[0].id : -1;
    bool copies = v >= 0 && g->values[v].def >= 0 && g->stmts[g->values[v].def].kind == CS_STMT_LOAD;
    return copies && (a != CS_NEED_STMT || (b == CS_NEED_VALUE && to == v));
}

int cs_way_part_behind(const struct cs_way_parts *s, const struct cs_way_mark *before, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int what;
    bool mark = cs_ways_is_mark(cs_ways_kind(w, e->to, &what));
    if (!s->buffer)
        return -1;
    if (cs_ways_is_other(w, e->to, CS_NEED_PLACE) && s->buffer[e->to]) {
        int read = part_read(s, before, e);
        return read >= 0 ? read : before->part;
    }
    bool effect = cs_ways_is_other(w, e->from, CS_NEED_EFFECT),
         goes_on = s->buffer[e->from] || effect || cs_ways_is_mark(cs_ways_kind(w, e->from, &what));
    bool asks = mark || cs_ways_is_other(w, e->to, CS_NEED_EFFECT);
    bool stays = before->part >= 0 && ((asks && goes_on) || cs_ways_reads_message(w, e) || along_copy(s, e));
    return stays ? before->part : -1;
}

/* Does the call have another part of the place written than the one that is asked for? */
static bool writes_other_part(const struct cs_way_parts *s, int place, int call, int part)
{
    const struct cs_ways *w = s->w;
    bool other = false;
    for (int i = cs_ways_first_write(w, place); i < w->nwrites && w->writes[i].place == place; i++) {
        if (w->writes[i].call != call)
            continue;
        int written = cs_index_ranges_part(s->ranges, w->writes[i].stmt, call);
        if (!cs_index_ranges_other_part(s->ranges, part, written))
            return false;
        other = true;
    }
    return other;
}

/* The statement that the way came by last but one, along a copy; -1: it is none. */
static int copied_to(const struct cs_ways *w, const struct cs_way_mark *load)
{
    int what, value = load->from, store = value < 0 ? -1 : w->marks[value].from;
    bool copy = store >= 0 && cs_ways_kind(w, cs_ways_node(w, value), &what) == CS_NEED_VALUE &&
                cs_ways_kind(w, cs_ways_node(w, store), &what) == CS_NEED_STMT && cs_ways_node(w, store) < w->n;
    return copy ? what : -1;
}

static bool leads_to(const struct cs_ways *w, int node, int to)
{
    for (int k = w->first[node]; k < w->first[node + 1]; k++)
        if (w->edges[k].to == to)
            return true;
    return false;
}

/* A copy into that part of a buffer is read for from the place: does none of the calls that write this part do so? */
static bool copies_other(const struct cs_way_parts *s, const struct cs_way_mark *load, int place)
{
    const struct cs_ways *w = s->w;
    int store = copied_to(w, load);
    bool known = false;
    for (int i = 0; store >= 0 && i < w->nextra; i++) {
        if (w->written[i] != cs_need_stmt(w->needs, store))
            continue;
        int part = cs_index_ranges_part(s->ranges, store, w->extra[i]);
        known = true;
        if (!cs_index_ranges_other_part(s->ranges, load->part, part) && leads_to(w, w->n + i, place))
            return false;
    }
    return known;
}

bool cs_way_is_other_part(const struct cs_way_parts *s, const struct cs_way_mark *before, const struct cs_way_edge *e,
                          int own, bool *perhaps)
{
    const struct cs_ways *w = s->w;
    int part = before->part, what, by = e->to < w->n ? e->to : w->written[e->to - w->n], first = 0,
        n = cs_ways_writes_of(w, e, &first);
    *perhaps = false;
    if (part >= 0 && cs_ways_kind(w, e->from, &what) == CS_NEED_STMT && cs_ways_is_other(w, e->to, CS_NEED_PLACE) &&
        !s->buffer[e->to])
        return copies_other(s, before, e->to);
    if (part >= 0 && cs_ways_is_other(w, e->from, CS_NEED_EFFECT)) {
        int place = cs_way_written_place(w, before, e);
        return place >= 0 && s->buffer[place] && cs_ways_kind(w, e->to, &what) == CS_NEED_STMT &&
               writes_other_part(s, place, what, part);
    }
    if (part < 0 || !s->buffer[e->from] || by < 0 || cs_ways_kind(w, by, &what) != CS_NEED_STMT)
        return false;
    int call = by != e->to ? w->extra[e->to - w->n] : n == 1 ? w->writes[first].call : own;
    *perhaps = by == e->to && n > 1 && own < 0;
    return cs_index_ranges_other_part(s->ranges, part, cs_index_ranges_part(s->ranges, what, call));
}
