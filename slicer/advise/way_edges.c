/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes and edges of the needs as ways go by them; ways.h. */
#include "slicer/advise/ways_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

enum cs_need_kind cs_ways_kind(const struct cs_ways *w, int node, int *what)
{
    assert(node >= 0 && node < w->n + w->nextra);
    *what = node < w->n ? w->nodes[node].what : w->extra[node - w->n];
    return node < w->n ? w->nodes[node].kind : CS_NEED_STMT;
}

const struct cs_need_other *cs_ways_other(const struct cs_ways *w, int node)
{
    return node < w->n && w->nodes[node].kind == CS_NEED_OTHER ? cs_need_other(w->needs, node) : NULL;
}

bool cs_ways_is_other(const struct cs_ways *w, int node, enum cs_need_other_kind kind)
{
    const struct cs_need_other *o = cs_ways_other(w, node);
    return o && o->kind == kind;
}

bool cs_ways_is_mark(enum cs_need_kind kind)
{
    return kind == CS_NEED_ENVELOPE || kind == CS_NEED_CONTENT;
}

int cs_ways_func(const struct cs_ways *w, int node)
{
    int what;
    enum cs_need_kind kind = cs_ways_kind(w, node, &what);
    if (kind == CS_NEED_VALUE)
        return w->g->values[what].func;
    return kind == CS_NEED_STMT || cs_ways_is_mark(kind) ? w->g->stmts[what].func : -1;
}

bool cs_ways_is_own(const struct cs_ways *w, const struct cs_need_other *o, int func)
{
    return o->obj >= 0 && o->obj < w->g->nobjs && w->g->objs[o->obj].kind == CS_OBJ_LOCAL &&
           w->g->objs[o->obj].func == func;
}

bool cs_ways_asks_result(const struct cs_ways *w, const struct cs_way_edge *e)
{
    return cs_ways_is_other(w, e->to, CS_NEED_RESULT);
}

bool cs_ways_goes_in(const struct cs_ways *w, const struct cs_way_edge *e)
{
    return e->writes || cs_ways_asks_result(w, e);
}

/* A load that stands for what a call reads from memory by itself. */
static bool is_pseudo_load(const struct cs_ways *w, int stmt)
{
    return stmt >= 0 && w->g->stmts[stmt].kind == CS_STMT_LOAD && w->g->stmts[stmt].source < 0;
}

bool cs_ways_reads_message(const struct cs_ways *w, const struct cs_way_edge *e)
{
    int from, to;
    enum cs_need_kind kind = cs_ways_kind(w, e->from, &from), other = cs_ways_kind(w, e->to, &to);
    if (other == CS_NEED_VALUE)
        return kind == CS_NEED_CONTENT && is_pseudo_load(w, w->g->values[to].def);
    return (cs_ways_is_mark(kind) || kind == CS_NEED_VALUE) && other == CS_NEED_STMT && is_pseudo_load(w, to);
}

void cs_ways_find_sent(const struct cs_ways *w, bool *sent)
{
    int what;
    for (int i = 0; i < w->nedges; i++) {
        const struct cs_way_edge *e = &w->edges[i];
        if (!cs_ways_is_mark(cs_ways_kind(w, e->from, &what)) || !cs_ways_reads_message(w, e))
            continue;
        bool value = cs_ways_kind(w, e->to, &what) == CS_NEED_VALUE;
        sent[value ? cs_need_stmt(w->needs, w->g->values[what].def) : e->to] = true;
    }
}

void cs_ways_take_writes(struct cs_ways *w)
{
    int n = 0;
    w->writes = cs_calloc(w->needs->nwrites + 1, sizeof *w->writes);
    for (int i = 0; i < w->needs->nwrites; i++)
        w->writes[i] = w->needs->writes[i];
    qsort(w->writes, w->needs->nwrites, sizeof *w->writes, cs_need_write_order);
    for (int i = 0; i < w->needs->nwrites; i++)
        if (!n || cs_need_write_order(&w->writes[n - 1], &w->writes[i]))
            w->writes[n++] = w->writes[i];
    w->nwrites = n;
}

/* The first of the place's writes by this statement or a later one. */
static int first_write(const struct cs_ways *w, int place, int stmt)
{
    struct cs_need_write key = {place, stmt, -1};
    int lo = 0, hi = w->nwrites;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (cs_need_write_order(&w->writes[mid], &key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

int cs_ways_writes_of(const struct cs_ways *w, const struct cs_way_edge *e, int *first)
{
    int stmt, n = 0;
    enum cs_need_kind kind = cs_ways_kind(w, e->to, &stmt);
    if (!cs_ways_is_other(w, e->from, CS_NEED_PLACE) || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)))
        return 0;
    *first = first_write(w, e->from, stmt);
    while (*first + n < w->nwrites && w->writes[*first + n].place == e->from && w->writes[*first + n].stmt == stmt)
        n++;
    return n;
}

int cs_ways_first_write(const struct cs_ways *w, int place)
{
    return first_write(w, place, -1);
}

int cs_ways_passed_on(const struct cs_ways *w, int place, int call)
{
    int i = first_write(w, place, call);
    return i < w->nwrites && w->writes[i].place == place && w->writes[i].stmt == call ? i : -1;
}

/* Does a statement of the function write the place, of which the needs do not say for which calls? */
static bool writes_for_some(const struct cs_ways *w, int place, int func)
{
    int what;
    for (int k = w->first[place]; k < w->first[place + 1]; k++)
        if (w->edges[k].to < w->n && cs_ways_kind(w, w->edges[k].to, &what) == CS_NEED_STMT &&
            w->g->stmts[what].func == func && cs_ways_passed_on(w, place, what) < 0)
            return true;
    return false;
}

bool cs_ways_writes_for(const struct cs_ways *w, int place, int func, int call)
{
    bool known = false;
    for (int i = first_write(w, place, -1); i < w->nwrites && w->writes[i].place == place; i++) {
        const struct cs_need_write *k = &w->writes[i];
        bool inner = w->g->stmts[k->call].func == func && cs_ways_passed_on(w, place, k->call) < 0;
        if (inner || (w->g->stmts[k->stmt].func == func && k->call == call))
            return true;
        known |= w->g->stmts[k->stmt].func == func;
    }
    return !known || writes_for_some(w, place, func);
}

bool cs_ways_passes(const struct cs_ways *w, int first, int call)
{
    const struct cs_need_write *a = &w->writes[first];
    for (int i = first; i < w->nwrites && w->writes[i].place == a->place && w->writes[i].stmt == a->stmt; i++)
        if (w->writes[i].call == call)
            return true;
    return false;
}

bool cs_ways_goes_out(const struct cs_ways *w, const struct cs_way_edge *e)
{
    return !cs_ways_goes_in(w, e) && cs_ways_other(w, e->from) &&
           (e->call || cs_ways_is_other(w, e->from, CS_NEED_EFFECT));
}

/* Is it needed by the root only since it gives memory back? Such a call is no reason for anything. */
static bool gives_back(const struct cs_ways *w, const struct cs_need_edge *e)
{
    int s;
    if (e->from != 0 || cs_need_kind(w->needs, e->to, &s) != CS_NEED_STMT)
        return false;
    const struct cs_stmt *st = &w->g->stmts[s];
    return st->why == CS_WHY_FREE || st->why == CS_WHY_COUNT || st->parent >= 0;
}

static int by_end(const void *x, const void *y)
{
    const struct cs_way_edge *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->read != b->read ? (a->read < b->read ? -1 : 1) : (a->among > b->among) - (a->among < b->among);
}

/* Of edges that are the same, the first stays: that of the fewest objects. */
static void drop_doubles(struct cs_ways *w)
{
    int n = 0;
    for (int i = 0; i < w->nedges; i++) {
        const struct cs_way_edge *e = &w->edges[i], *last = n ? &w->edges[n - 1] : NULL;
        if (!last || last->from != e->from || last->call != e->call || last->to != e->to || last->read != e->read)
            w->edges[n++] = *e;
    }
    w->nedges = n;
}

/* Sets w->first, an array of n + 2, to where the edges from each node begin, once they are in that order. */
static void find_first(struct cs_ways *w, int n)
{
    memset(w->first, 0, (size_t)(n + 2) * sizeof *w->first);
    for (int i = 0; i < w->nedges; i++)
        w->first[w->edges[i].from + 1]++;
    for (int i = 0; i < n; i++)
        w->first[i + 1] += w->first[i];
}

/* First by where they begin, for which there are few numbers, and then those from each node. */
void cs_ways_sort_edges(struct cs_ways *w)
{
    int n = w->n + w->nextra;
    struct cs_way_edge *sorted = cs_calloc((size_t)w->aedges + 1, sizeof *sorted);
    free(w->first);
    w->first = cs_calloc(n + 2, sizeof *w->first);
    find_first(w, n);
    for (int i = 0; i < w->nedges; i++)
        sorted[w->first[w->edges[i].from]++] = w->edges[i];
    free(w->edges);
    w->edges = sorted;
    find_first(w, n);
    for (int i = 0; i < n; i++)
        qsort(w->edges + w->first[i], (size_t)(w->first[i + 1] - w->first[i]), sizeof *w->edges, by_end);
    drop_doubles(w);
    find_first(w, n);
}

void cs_ways_take_edges(struct cs_ways *w)
{
    w->edges = cs_calloc((size_t)w->needs->nedges + 1, sizeof *w->edges);
    w->aedges = w->needs->nedges + 1;
    for (int i = 0; i < w->needs->nedges; i++) {
        struct cs_need_edge e = w->needs->edges[i];
        if (!gives_back(w, &e))
            w->edges[w->nedges++] = (struct cs_way_edge){.from = e.from,
                                                         .to = e.to,
                                                         .call = e.call,
                                                         .among = e.among,
                                                         .doubtful = e.doubtful,
                                                         .loose = e.loose,
                                                         .unsure = e.unsure,
                                                         .unlikely = e.unlikely,
                                                         .copy = e.copy};
    }
    cs_ways_sort_edges(w);
}

void cs_ways_add_edge(struct cs_ways *w, struct cs_way_edge e)
{
    CS_GROW(w->edges, w->nedges, w->aedges);
    w->edges[w->nedges++] = e;
}
