/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which elements, or members of records, a way asks for: what it read last tells, until it comes to who wrote that. Who
 * writes only others cannot be who is looked for. */
#include "slicer/advise/way_search.h"

#include "slicer/advise/components.h"
#include "slicer/advise/unpacks.h"

/* Do both loads read numbers of one size, and both whole ones or both not? */
static bool same_numbers(const struct cs_way_search *s, int load, int other)
{
    const struct cs_stmt *a = &s->w->g->stmts[load], *b = &s->w->g->stmts[other];
    return a->load.size == b->load.size && !a->bits == !b->bits;
}

static int find_class(struct cs_way_search *s, int load, bool buffer)
{
    int like = cs_index_ranges_like(s->ranges, load);
    int64_t component;
    bool told = cs_elements_some(s->elements, load) || (buffer && s->w->g->stmts[load].shape >= 0) ||
                cs_component(s->w->g, load, &component);
    if (!told && like < 0)
        return -1;
    for (int i = 0; i < s->classes.n; i++) {
        int one = s->classes.a[i] / 2;
        if (s->classes.a[i] % 2 == told && !cs_other_component(s->w->g, one, load) &&
            cs_index_ranges_like(s->ranges, one) == like &&
            (told ? cs_elements_same(s->elements, one, load) : same_numbers(s, one, load)))
            return one;
    }
    cs_intlist_add(&s->classes, 2 * load + told);
    return load;
}

/* A load that reads the same elements, as far as they are known, and of a buffer by the same words; -1. */
static int read_class(struct cs_way_search *s, int load, bool buffer)
{
    int *known = &s->class_of[2 * load + buffer];
    if (*known == CLASS_UNKNOWN)
        *known = find_class(s, load, buffer);
    return *known;
}

/* What is read of what was sent, if that is a member of records: the same of those that are sent. */
static int read_in_message(const struct cs_way_search *s, int read)
{
    int n = s->w->g->nstmts;
    int64_t component;
    bool told = read >= 0 && read < n &&
                (cs_elements_some(s->elements, read) || s->w->g->stmts[read].shape >= 0 ||
                 cs_component(s->w->g, read, &component));
    return read >= n ? read : told ? n + read : -1;
}

int cs_way_read_behind(struct cs_way_search *s, int before, const struct cs_way_edge *e)
{
    int what, to;
    enum cs_need_kind kind = cs_ways_kind(s->w, e->from, &what), other = cs_ways_kind(s->w, e->to, &to);
    bool place = cs_ways_is_other(s->w, e->from, CS_NEED_PLACE);
    if (!s->elements)
        return -1;
    if (cs_ways_is_mark(other) || e->to >= s->w->n)
        return place || cs_ways_is_mark(kind) ? before : -1;
    if (cs_ways_reads_message(s->w, e))
        return before;
    if (!cs_ways_is_other(s->w, e->to, CS_NEED_PLACE))
        return -1;
    bool reads = kind == CS_NEED_STMT && e->from < s->w->n && s->w->g->stmts[what].source < 0;
    if (e->read < 0 || cs_ways_is_mark(kind) || (reads && before >= 0))
        return read_in_message(s, before);
    if (e->read)
        return read_class(s, e->read - 1, s->buffer[e->to]);
    return kind == CS_NEED_STMT ? read_class(s, what, s->buffer[e->to]) : place ? before : -1;
}

/* Does what the statement writes, for this call (-1: any), miss all elements that are read? */
static bool misses_by(const struct cs_way_search *s, const struct cs_way_mark *k, int stmt, int call)
{
    int n = s->w->g->nstmts, read = k->read;
    if (read >= n)
        return !cs_elements_meet(s->elements, stmt, read - n) || cs_other_component(s->w->g, stmt, read - n);
    return !cs_elements_meet(s->elements, stmt, read) ||
           !cs_index_ranges_meet(s->ranges, stmt, call, read, -1, k->bind);
}

bool cs_way_misses(const struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    int what, by = e->to < w->n ? -1 : w->written[e->to - w->n], first = 0, n = cs_ways_writes_of(w, e, &first);
    enum cs_need_kind kind = cs_ways_kind(w, by < 0 ? e->to : by, &what);
    if (k->read < 0 || (kind != CS_NEED_STMT && !cs_ways_is_mark(kind)) || !cs_ways_is_other(w, e->from, CS_NEED_PLACE))
        return false;
    if (by >= 0)
        return misses_by(s, k, what, w->extra[e->to - w->n]);
    for (int i = first; i < first + n; i++)
        if (!misses_by(s, k, what, w->writes[i].call))
            return false;
    return n > 0 || misses_by(s, k, what, -1);
}

/* The shape of what a node behind a place stores, -1: it has none; NO_STORE: it stores nothing. */
enum { NO_STORE = -2 };

static int stored_shape(const struct cs_ways *w, int node)
{
    int what, by = node < w->n ? node : w->written[node - w->n];
    if (by < 0 || cs_ways_kind(w, by, &what) != CS_NEED_STMT || w->g->stmts[what].kind != CS_STMT_STORE)
        return NO_STORE;
    return w->g->stmts[what].shape;
}

/* Is a buffer read by words of this shape, or (`stored`) stored to? False if that was asked for too many. */
static bool has_words(struct cs_way_search *s, int shape, bool stored)
{
    enum { MOST = 600 };
    const struct cs_ways *w = s->w;
    int what;
    for (int i = 0; i < s->words.n; i += 2)
        if (s->words.a[i] == 2 * shape + stored)
            return s->words.a[i + 1];
    bool is = false;
    for (int i = 0; s->words.n < 2 * MOST && i < w->nedges && !is; i++) {
        const struct cs_way_edge *e = &w->edges[i];
        if (s->buffer[stored ? e->from : e->to])
            is = stored ? stored_shape(w, e->to) == shape
                        : cs_ways_kind(w, e->from, &what) == CS_NEED_STMT && w->g->stmts[what].kind == CS_STMT_LOAD &&
                              w->g->stmts[what].shape == shape;
    }
    cs_intlist_add(&s->words, 2 * shape + stored);
    cs_intlist_add(&s->words, is);
    return is;
}

bool cs_way_is_other_member(struct cs_way_search *s, int read, const struct cs_way_edge *e)
{
    const struct cs_ways *w = s->w;
    bool place = cs_ways_is_other(w, e->from, CS_NEED_PLACE);
    int shape = read < w->g->nstmts || !place ? -1 : w->g->stmts[read - w->g->nstmts].shape;
    int stored = shape < 0 ? NO_STORE : stored_shape(w, e->to);
    return stored != NO_STORE && stored != shape &&
           ((stored >= 0 && has_words(s, stored, false)) || has_words(s, shape, true));
}

bool cs_way_is_beside(const struct cs_way_search *s, int bind, const struct cs_way_edge *e)
{
    int load, store;
    return e->same && s->elements && cs_ways_kind(s->w, e->from, &load) == CS_NEED_STMT &&
           cs_ways_kind(s->w, e->to, &store) == CS_NEED_STMT &&
           (!cs_elements_meet(s->elements, store, load) || !cs_index_ranges_meet(s->ranges, store, -1, load, -1, bind));
}

int cs_way_bind_behind(const struct cs_way_search *s, const struct cs_way_mark *k, const struct cs_way_edge *e,
                       int *read)
{
    const struct cs_ways *w = s->w;
    int what, to, n = w->g->nstmts;
    enum cs_need_kind from = cs_ways_kind(w, e->from, &what), kind = cs_ways_kind(w, e->to, &to);
    bool place = cs_ways_is_other(w, e->from, CS_NEED_PLACE), stmt = kind == CS_NEED_STMT && e->to < w->n;
    if (!s->elements || e->to >= w->n || e->from >= w->n)
        return place && k->read >= 0 && k->read == *read ? k->bind : -1;
    if (place && stmt && k->read >= 0)
        return cs_index_ranges_bind(s->ranges, to, -1, k->read % n, k->bind);
    if (e->same && stmt && from == CS_NEED_STMT)
        return cs_index_ranges_bind(s->ranges, to, -1, what,
                                    k->bind >= 0 && cs_index_ranges_is_bound(s->ranges, what, k->bind) ? k->bind : -1);
    if (k->bind < 0)
        return -1;
    if (cs_ways_is_other(w, e->to, CS_NEED_PLACE) && from == CS_NEED_STMT && w->g->stmts[what].source >= 0) {
        bool bound = cs_index_ranges_is_bound(s->ranges, what, k->bind);
        *read = bound ? what : *read;
        return bound ? k->bind : -1;
    }
    if (place || cs_ways_is_mark(from) || cs_ways_is_mark(kind) || cs_ways_reads_message(w, e))
        return k->read >= 0 && *read >= 0 && k->read % n == *read % n ? k->bind : -1;
    bool inside = !cs_ways_goes_in(w, e) && !cs_ways_goes_out(w, e) && cs_ways_func(w, e->from) >= 0 &&
                  (cs_ways_func(w, e->to) == cs_ways_func(w, e->from) || kind == CS_NEED_VALUE);
    return inside && !(stmt && cs_index_ranges_goes_on(s->ranges, to, k->bind)) ? k->bind : -1;
}

/* Does the load read what is a rank's own, as far as that can be guessed? */
static bool reads_inside(const struct cs_way_search *s, int load)
{
    return cs_reads_first(s->w->g, load) || (s->own && s->own[load]);
}

bool cs_way_first_behind(const struct cs_way_search *s, bool before, const struct cs_way_edge *e)
{
    int what;
    if (!cs_ways_is_other(s->w, e->to, CS_NEED_PLACE))
        return false;
    if (e->read > 0)
        return reads_inside(s, e->read - 1);
    if (cs_ways_kind(s->w, e->from, &what) == CS_NEED_STMT)
        return reads_inside(s, what);
    return before && cs_ways_is_other(s->w, e->from, CS_NEED_PLACE);
}

bool cs_way_is_behind_first(const struct cs_way_search *s, bool first, const struct cs_way_edge *e)
{
    int what, by = e->to < s->w->n ? e->to : s->w->written[e->to - s->w->n];
    return first && by >= 0 && cs_ways_kind(s->w, by, &what) == CS_NEED_STMT &&
           (cs_unpacks(s->w->g, what) || (s->unpacks && s->unpacks[what] && cs_stores_behind(s->w->g, what)));
}
