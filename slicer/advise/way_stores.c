/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stores through the same pointer as a read, in the same turn of a loop: of all that may write what is read, those
 * are sure to (same_turn.h), so the search for best ways gets edges to them. */
#include "slicer/advise/ways_internal.h"

#include <stdbool.h>

#include "slicer/advise/same_turn.h"

/* The stores of the same turn that replace what the statement reads; n 0: it is not known that they do. */
struct stored {
    struct cs_ways *w;
    struct cs_same_turn *turns;
    struct cs_intlist by;
};

static bool is_in(const struct cs_intlist *l, int a)
{
    for (int i = 0; i < l->n; i++)
        if (l->a[i] == a)
            return true;
    return false;
}

/* Is there an edge between both? Those of statements are sorted by `to`, and come before those of calls. */
static bool has_edge(const struct cs_ways *w, int from, int to)
{
    int lo = w->first[from], end = w->first[from + 1], hi = end;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (!w->edges[mid].call && w->edges[mid].to < to)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < end && (w->edges[lo].to == to || w->edges[lo].call); lo++)
        if (w->edges[lo].to == to)
            return true;
    return false;
}

/* Is it known of all that the statement reads that what the store writes is not there any more (exact_needs.h)?
 */
static bool is_gone(const struct cs_ways *w, int stmt, int store)
{
    int node = cs_need_stmt(w->needs, stmt), to = cs_need_stmt(w->needs, store);
    bool gone = false;
    for (int k = w->first[node]; k < w->first[node + 1]; k++) {
        const struct cs_way_edge *e = &w->edges[k];
        if (!cs_ways_is_other(w, e->to, CS_NEED_PLACE) || !has_edge(w, e->to, to))
            continue;
        if (!e->doubtful)
            return false;
        gone = true;
    }
    return gone;
}

static void add_same(void *arg, int stmt, int store)
{
    struct stored *st = arg;
    struct cs_ways *w = st->w;
    if ((st->by.n && !is_in(&st->by, store)) || !cs_same_turn_arrives(st->turns, store, stmt) ||
        is_gone(w, stmt, store))
        return;
    cs_ways_add_edge(w, (struct cs_way_edge){.from = cs_need_stmt(w->needs, stmt),
                                             .to = cs_need_stmt(w->needs, store),
                                             .among = 1,
                                             .cost = STEP + SAME,
                                             .same = true});
}

void cs_ways_add_stores(struct cs_ways *w, struct cs_rewritten *r, const struct cs_need_flow *flow)
{
    struct stored st = {.w = w, .turns = cs_same_turn_start(w->g, flow)};
    for (int s = 0; s < w->needs->nstmts; s++) {
        if (!w->g->stmts[s].keep)
            continue;
        st.by.n = 0;
        cs_same_turn_stored(st.turns, s, &st.by);
        cs_rewritten_by(r, s, add_same, &st);
    }
    cs_same_turn_free(st.turns);
    cs_intlist_free(&st.by);
    cs_ways_sort_edges(w);
}
