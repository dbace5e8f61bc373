/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominators of functions, as they are asked for; received_here.h. */
#include "slicer/advise/received_here.h"

#include <stdlib.h>

#include "slicer/graph/storage.h"

void cs_received_here_start(struct cs_received_here *r, const struct cs_graph *g)
{
    *r = (struct cs_received_here){.g = g};
    r->dom = cs_calloc(g->nfuncs + 1, sizeof *r->dom);
    r->known = cs_calloc(g->nfuncs + 1, sizeof *r->known);
}

void cs_received_here_free(struct cs_received_here *r)
{
    for (int f = 0; r->known && f < r->g->nfuncs; f++)
        if (r->known[f])
            cs_dom_free(&r->dom[f]);
    free(r->dom);
    free(r->known);
}

bool cs_runs_before_always(struct cs_received_here *r, int stmt, int other)
{
    const struct cs_stmt *a = &r->g->stmts[stmt], *b = &r->g->stmts[other];
    if (a->func != b->func || a->block < 0 || b->block < 0)
        return false;
    if (a->block == b->block)
        return stmt < other;
    if (!r->known[a->func])
        cs_dom_compute(r->g, a->func, &r->dom[a->func]);
    r->known[a->func] = true;
    return cs_dom_dominates(&r->dom[a->func], a->block, b->block);
}
