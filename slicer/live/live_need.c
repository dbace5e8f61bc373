/* SPDX-License-Identifier: GPL-3.0-or-later
 * Notes the steps of LIVE propagation where somebody wants to know them; needs.h.
 * A step is noted also where its target was LIVE before: who else needs it is what matters. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>

void cs_need_start(struct cs_live *l, struct cs_needs *n)
{
    l->cause = -1;
    l->needs = n;
    if (!n)
        return;
    n->nedges = n->nother = n->files = 0;
    n->nstmts = l->g->nstmts;
    n->nvalues = l->g->nvalues;
    n->nnodes = 1 + 3 * n->nstmts + n->nvalues;
}

int cs_need_node(struct cs_live *l, int *node, enum cs_need_other_kind kind)
{
    struct cs_needs *n = l->needs;
    if (n && !*node) {
        *node = n->nnodes++;
        assert(n->nother == *node - 1 - 3 * n->nstmts - n->nvalues); /* others follow the values */
        CS_GROW(n->other, n->nother, n->aother);
        n->other[n->nother++] = (char)kind;
    }
    return *node;
}

int cs_need_mark_node(const struct cs_live *l, int stmt, int mark)
{
    return l->needs ? cs_need_mark(l->needs, stmt, mark) : 0;
}

int cs_need_value_node(const struct cs_live *l, int value)
{
    return l->needs ? 1 + 3 * l->needs->nstmts + value : 0;
}

int cs_need_because(struct cs_live *l, int node)
{
    int was = l->cause;
    assert(node >= -1);
    l->cause = node;
    return was;
}

void cs_need_note(struct cs_live *l, int parent, int to)
{
    struct cs_needs *n = l->needs;
    if (!n)
        return;
    int from = l->cause >= 0 ? l->cause : parent >= 0 ? cs_need_stmt(n, parent) : 0;
    if (from == to || (n->nedges && n->edges[n->nedges - 1].from == from && n->edges[n->nedges - 1].to == to))
        return;
    assert(from < n->nnodes && to >= 0 && to < n->nnodes);
    CS_GROW(n->edges, n->nedges, n->aedges);
    n->edges[n->nedges++] = (struct cs_need_edge){from, to};
}

void cs_needs_free(struct cs_needs *n)
{
    free(n->edges);
    free(n->other);
    *n = (struct cs_needs){0};
}
