/* SPDX-License-Identifier: GPL-3.0-or-later
 * Places that hold most up, from the dominators of the needs; holders.h. This takes little of a link, so that each can
 * say what its slice is so large for. */
#include "slicer/advise/holders.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

int cs_least_held(const struct cs_graph *g)
{
    enum { LEAST_PART = 100 }; /* who holds less than a hundredth of the slice is none */
    int kept = 0;
    for (int s = 0; s < g->nstmts; s++)
        kept += g->stmts[s].keep && cs_stmt_counts(&g->stmts[s]);
    return kept / LEAST_PART + 2;
}

static int more_held(const void *x, const void *y)
{
    const struct cs_holder *a = x, *b = y;
    return a->held != b->held ? (a->held < b->held) - (a->held > b->held) : a->stmt - b->stmt;
}

/* Of a way of which each holds nearly as much as the one before, the first. */
void cs_holders_find(struct cs_holders *h, const struct cs_need_graph *ng)
{
    int cap = 0, least = cs_least_held(ng->g);
    memset(h, 0, sizeof *h);
    for (int i = 1; i < ng->n; i++) {
        int s, up = ng->idom[i];
        enum cs_need_kind kind = cs_need_graph_kind(ng, i, &s);
        bool branch = cs_need_graph_is_branch(ng, i);
        bool files = i == ng->needs->files;
        if (ng->line[i] != i || ng->held[i] < least || up < 0 || (!branch && !files && kind != CS_NEED_CONTENT))
            continue;
        while (up > 0 && !cs_need_graph_is_branch(ng, up))
            up = ng->idom[up];
        if (!branch && up > 0 && ng->held[up] <= ng->held[i] + ng->held[i] / 8)
            continue;
        CS_GROW(h->holder, h->n, cap);
        h->holder[h->n++] = (struct cs_holder){files ? -1 : s, ng->held[i]};
    }
    if (h->n)
        qsort(h->holder, h->n, sizeof *h->holder, more_held);
}

void cs_holders_free(struct cs_holders *h)
{
    free(h->holder);
}
