/* SPDX-License-Identifier: GPL-3.0-or-later
 * Searches the needs of a propagation; reach.h. What a search has found stays found, so that what two calls need
 * together is counted once. */
#include "slicer/reach.h"

#include <stdlib.h>

void cs_reach_init(struct cs_reach *r, const struct cs_graph *g, const struct cs_needs *n)
{
    *r = (struct cs_reach){.g = g, .needs = n};
    r->first = cs_calloc(n->nnodes + 2, sizeof *r->first);
    r->to = cs_calloc(n->nedges + 1, sizeof *r->to);
    r->seen = cs_calloc(n->nnodes + 1, 1);
    for (int i = 0; i < n->nedges; i++)
        r->first[n->edges[i].from + 2]++;
    for (int i = 2; i < n->nnodes + 2; i++)
        r->first[i] += r->first[i - 1];
    for (int i = 0; i < n->nedges; i++)
        r->to[r->first[n->edges[i].from + 1]++] = n->edges[i].to;
}

void cs_reach_free(struct cs_reach *r)
{
    free(r->first);
    free(r->to);
    free(r->seen);
    cs_intlist_free(&r->found);
}

/* All that a node needs and that was not needed before goes to `found`. -1 if it is more than `limit` statements, or
 * the content or envelope of a message; else how many statements it is. */
static int search(struct cs_reach *r, int node)
{
    int cost = 0, what;
    r->found.n = 0;
    if (r->seen[node])
        return 0;
    r->seen[node] = true;
    cs_intlist_add(&r->found, node);
    for (int i = 0; i < r->found.n; i++) {
        int at = r->found.a[i];
        enum cs_need_kind kind = cs_need_kind(r->needs, at, &what);
        cost += kind == CS_NEED_STMT && r->g->stmts[what].source >= 0;
        bool refused = kind == CS_NEED_STMT && r->refuses && r->refuses(r->who, what);
        if (kind == CS_NEED_ENVELOPE || kind == CS_NEED_CONTENT || cost > r->limit || refused)
            return -1;
        for (int k = r->first[at]; k < r->first[at + 1]; k++) {
            if (r->seen[r->to[k]])
                continue;
            r->seen[r->to[k]] = true;
            cs_intlist_add(&r->found, r->to[k]);
        }
    }
    return cost;
}

void cs_reach_forget(struct cs_reach *r)
{
    for (int i = 0; i < r->found.n; i++)
        r->seen[r->found.a[i]] = false;
    r->found.n = 0;
}

int cs_reach_search(struct cs_reach *r, int node)
{
    int cost = search(r, node);
    if (cost < 0)
        cs_reach_forget(r);
    return cost;
}

void cs_reach_roots(struct cs_reach *r, const bool *calls)
{
    int what;
    struct cs_intlist work = {0};
    cs_intlist_add(&work, 0);
    r->seen[0] = true;
    while (work.n) {
        int at = work.a[--work.n];
        for (int k = r->first[at]; k < r->first[at + 1]; k++) {
            int to = r->to[k];
            bool call = at == 0 && cs_need_kind(r->needs, to, &what) == CS_NEED_STMT && calls[what];
            if (call || r->seen[to])
                continue;
            r->seen[to] = true;
            cs_intlist_add(&work, to);
        }
    }
    cs_intlist_free(&work);
}
