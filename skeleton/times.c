/* SPDX-License-Identifier: BSD-3-Clause
 * Computation between calls: from the trace that a nest was made of, every rank's events once more, in step with its walk
 * through the nest; or from what is known of the call sites on the way. */
#include <stdlib.h>
#include <string.h>

#include "skeleton.h"

struct walk {
    struct cs_merged *m;
    struct cs_trace_iter *it;   /* or, without a trace of this run: */
    cs_skeleton_gap_fn *gap;
    void *arg;
    int site;                   /* of the call before */
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

static void add(struct walk *w, int64_t node, double gap, double busy, bool first)
{
    const struct cs_merged_letter *l = &w->m->letter[w->m->node[node].value];
    struct cs_gap *g = &w->m->gap[w->m->gap_at[node] + (cs_merged_part_of(l, w->cls) - l->part)];
    gap = gap < 0 ? 0 : gap;
    g->n++;
    g->gap += gap;
    g->busy += busy;
    if (first) {
        g->first_n++;
        g->first_gap += gap;
    }
}

static void letter(struct walk *w, int64_t node, bool first)
{
    const struct cs_merged_letter *l = &w->m->letter[w->m->node[node].value];
    struct cs_event e;
    if (!w->it) {
        int site = w->m->record[cs_merged_part_of(l, w->cls)->record].site;
        bool known = site >= 0 && w->last >= 0;
        add(w, node, known ? w->gap(w->arg, w->site >= 0 ? &w->m->site[w->site] : NULL, &w->m->site[site]) : 0, 0, first);
        w->site = site;
        w->last = 0;
        return;
    }
    if (cs_trace_iter_next(w->it, &e) != 1 || e.call != l->call) {
        w->failed = true;
        return;
    }
    add(w, node, w->last < 0 ? 0 : (double)(e.t_enter - w->last - e.t_lost), (double)(e.t_exit - e.t_enter), first);
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

static int walk_all(struct walk *w, const struct cs_trace *t, char *errbuf, size_t errlen)
{
    struct cs_merged *m = w->m;
    w->has = calloc((size_t)m->nnodes + 1, 1);
    const char *why = w->has && allocate(m) == 0 ? NULL : "not enough memory";
    for (int rank = 0; rank < m->info.nranks && !why; rank++) {
        w->cls = m->class_of[rank];
        w->last = w->site = -1;
        w->it = t ? cs_trace_iter_open(t, rank) : NULL;
        find_nodes(w, 0, m->nnodes);
        if (w->it || !t)
            nodes(w, 0, m->nnodes, true);
        if ((t && !w->it) || w->failed)
            why = "the times do not go with the calls";
        cs_trace_iter_free(w->it);
    }
    free(w->has);
    if (!why)
        return 0;
    snprintf(errbuf, errlen, "%s", why);
    cs_merged_forget_times(m);
    return -1;
}

int cs_skeleton_times(struct cs_merged *m, const struct cs_trace *t, char *errbuf, size_t errlen)
{
    return walk_all(&(struct walk){.m = m}, t, errbuf, errlen);
}

int cs_skeleton_times_from(struct cs_merged *m, cs_skeleton_gap_fn *gap, void *arg, char *errbuf, size_t errlen)
{
    if (m->gap_at)
        cs_merged_forget_times(m);
    return walk_all(&(struct walk){.m = m, .gap = gap, .arg = arg}, NULL, errbuf, errlen);
}
