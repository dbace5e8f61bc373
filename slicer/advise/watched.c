/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a run of the original should tell; watched.h: what advise may suggest something about, whatever plans it would
 * make, and the branches that hold most up. */
#include "slicer/advise/watched.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/candidates.h"
#include "slicer/advise/polled.h"
#include "slicer/advise/reentered.h"
#include "slicer/graph/storage.h"

/* stmt -1: files. */
static void watch(struct cs_watched *w, const struct cs_need_graph *ng, const struct cs_polled *polled, int stmt)
{
    const struct cs_graph *g = ng->g;
    const struct cs_need_flow *flow = &ng->needs->flow;
    if (stmt < 0) {
        w->files = !g->no_read_back;
        return;
    }
    const struct cs_stmt *s = &g->stmts[stmt];
    for (int i = 0; i < w->n; i++)
        if (g->stmts[w->stmt[i]].file == s->file && g->stmts[w->stmt[i]].line == s->line)
            return;
    bool any_time = flow->any_time && flow->any_time[s->func], recursive = flow->any_time && flow->recursive[s->func];
    w->in_order[w->n] = !any_time;
    w->loops[w->n] = !any_time && !(recursive && cs_may_reenter(g, flow, stmt));
    w->polled[w->n] = cs_polled_candidate(polled, ng, &(struct cs_candidate){stmt, 0, CS_ASSUME_NEVER});
    w->stmt[w->n++] = stmt;
}

/* Not twice. */
static void watch_value(struct cs_watched *w, const struct cs_need_graph *ng, const struct cs_polled *polled,
                        const struct cs_candidate *value)
{
    char text[512];
    cs_candidate_text(ng->g, value, text, sizeof text);
    *strrchr(text, '=') = 0;
    for (int i = 0; i < w->nvalues; i++)
        if (!strcmp(w->values[i], text))
            return;
    w->polled_values[w->nvalues] = cs_polled_candidate(polled, ng, value);
    w->values[w->nvalues++] = cs_strdup(text);
}

/* The branches and values that advise may suggest, and the branches that hold most up. */
void cs_watched_find(struct cs_watched *w, struct cs_graph *g, const struct cs_need_graph *ng,
                     const struct cs_holders *h)
{
    enum { PLANS = 24, HOLDERS = 40 };
    struct cs_polled polled;
    const int64_t budget = 500000000; /* seconds; the branches and values below are told of anyhow */
    struct cs_plan plans[PLANS];
    int n = cs_candidates_find(ng, g, NULL, cs_least_held(g), plans, PLANS, budget), branches[CS_BRANCHES_MOST];
    struct cs_candidate arguments[CS_VALUES_MOST];
    const int most = PLANS * CS_PLAN_MOST + HOLDERS + CS_BRANCHES_MOST;
    memset(w, 0, sizeof *w);
    w->stmt = cs_calloc(most, sizeof *w->stmt);
    w->in_order = cs_calloc(most, sizeof *w->in_order);
    w->loops = cs_calloc(most, sizeof *w->loops);
    w->polled = cs_calloc(most, sizeof *w->polled);
    w->values = cs_calloc(CS_VALUES_MOST + PLANS * CS_PLAN_MOST, sizeof *w->values);
    w->polled_values = cs_calloc(CS_VALUES_MOST + PLANS * CS_PLAN_MOST, sizeof *w->polled_values);
    cs_polled_find(&polled, ng);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < plans[i].n; k++)
            if (plans[i].c[k].kind == CS_ASSUME_VALUE)
                watch_value(w, ng, &polled, &plans[i].c[k]);
            else
                watch(w, ng, &polled, plans[i].c[k].stmt);
    for (int i = 0, all = cs_candidates_branches(ng, branches); i < all; i++)
        watch(w, ng, &polled, branches[i]);
    for (int i = 0, values = cs_candidates_values(ng, g, arguments); i < values; i++)
        watch_value(w, ng, &polled, &arguments[i]);
    for (int i = 0; i < h->n && i < HOLDERS; i++)
        if (h->holder[i].stmt < 0 || g->stmts[h->holder[i].stmt].kind == CS_STMT_COND)
            watch(w, ng, &polled, h->holder[i].stmt);
    cs_polled_free(&polled);
}

void cs_watched_free(struct cs_watched *w)
{
    free(w->stmt);
    free(w->in_order);
    free(w->loops);
    free(w->polled);
    free(w->polled_values);
    for (int i = 0; i < w->nvalues; i++)
        free(w->values[i]);
    free(w->values);
}
