/* SPDX-License-Identifier: BSD-3-Clause
 * Computation between calls, from the trace that a nest was made of: every rank's events once more, in step with its walk
 * through the nest. */
#include <stdlib.h>
#include <string.h>

#include "skeleton.h"

struct walk {
    struct cs_merged *m;
    struct cs_trace_iter *it;
    int cls;
    bool *has;                  /* of each node: the class is in it */
    int64_t last;               /* end of the call before; -1: none */
    bool failed;
};

static bool find_nodes(struct walk *w, int64_t from, int64_t to)
{
    bool any = false;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &w->m->node[i];
        w->has[i] = n->count ? find_nodes(w, i + 1, i + 1 + n->value) : cs_merged_part_of(&w->m->letter[n->value], w->cls) != NULL;
        any |= w->has[i];
        i += n->count ? n->value : 0;
    }
    return any;
}

static void letter(struct walk *w, int64_t node, bool first)
{
    const struct cs_merged_letter *l = &w->m->letter[w->m->node[node].value];
    struct cs_event e;
    if (cs_trace_iter_next(w->it, &e) != 1 || e.call != l->call) {
        w->failed = true;
        return;
    }
    struct cs_gap *g = &w->m->gap[w->m->gap_at[node] + (cs_merged_part_of(l, w->cls) - l->part)];
    double gap = w->last < 0 ? 0 : (double)(e.t_enter - w->last);
    gap = gap < 0 ? 0 : gap;
    g->n++;
    g->gap += gap;
    g->busy += (double)(e.t_exit - e.t_enter);
    if (first) {
        g->first_n++;
        g->first_gap += gap;
    }
    w->last = e.t_exit;
}

static void nodes(struct walk *w, int64_t from, int64_t to, bool first)
{
    for (int64_t i = from; i < to && !w->failed; i++) {
        const struct cs_nest_node *n = &w->m->node[i];
        if (w->has[i] && !n->count)
            letter(w, i, first);
        for (int64_t k = 0; w->has[i] && k < n->count && !w->failed; k++)
            nodes(w, i + 1, i + 1 + n->value, k == 0);
        i += n->count ? n->value : 0;
    }
}

static int allocate(struct cs_merged *m)
{
    m->gap_at = calloc((size_t)m->nnodes + 1, sizeof *m->gap_at);
    if (!m->gap_at)
        return -1;
    m->ngaps = 0;
    for (int64_t i = 0; i < m->nnodes; i++) {
        m->gap_at[i] = m->ngaps;
        m->ngaps += m->node[i].count ? 0 : m->letter[m->node[i].value].nparts;
    }
    m->gap = calloc((size_t)m->ngaps + 1, sizeof *m->gap);
    m->tail = calloc((size_t)m->nclasses + 1, sizeof *m->tail);
    return m->gap && m->tail ? 0 : -1;
}

static void forget(struct cs_merged *m)
{
    free(m->gap_at);
    free(m->gap);
    free(m->tail);
    m->gap_at = NULL;
    m->gap = NULL;
    m->tail = NULL;
    m->ngaps = 0;
}

int cs_skeleton_times(struct cs_merged *m, const struct cs_trace *t, char *errbuf, size_t errlen)
{
    struct walk w = {.m = m, .has = calloc((size_t)m->nnodes + 1, 1)};
    const char *why = w.has && allocate(m) == 0 ? NULL : "not enough memory";
    for (int rank = 0; rank < m->info.nranks && !why; rank++) {
        w.cls = m->class_of[rank];
        w.last = -1;
        w.it = cs_trace_iter_open(t, rank);
        find_nodes(&w, 0, m->nnodes);
        if (w.it)
            nodes(&w, 0, m->nnodes, true);
        if (!w.it || w.failed)
            why = "the times do not go with the calls";
        cs_trace_iter_free(w.it);
    }
    free(w.has);
    if (!why)
        return 0;
    snprintf(errbuf, errlen, "%s", why);
    forget(m);
    return -1;
}
