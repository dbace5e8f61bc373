/* SPDX-License-Identifier: GPL-3.0-or-later
 * What needs what: the steps of a LIVE propagation, as a graph from communication variables back to what decides them.
 * advise/ and `why` ask it what would go with a branch; slicing does not. */
#ifndef CS_NEEDS_H
#define CS_NEEDS_H

#include <assert.h>
#include <stdbool.h>

/* Nodes are numbers. 0 needs all roots. Behind it come, of each statement, itself, its envelope and its content; then
 * values; then what was met on the way: parameters, places in memory, what functions read and change. */
struct cs_needs {
    int nstmts, nvalues, nnodes;
    int nedges, aedges;
    struct cs_need_edge {
        int from, to;
    } * edges; /* `from` was LIVE, so `to` is */
};

enum cs_need_kind { CS_NEED_ROOT, CS_NEED_STMT, CS_NEED_ENVELOPE, CS_NEED_CONTENT, CS_NEED_VALUE, CS_NEED_OTHER };

static inline int cs_need_stmt(const struct cs_needs *n, int stmt)
{
    assert(stmt >= 0 && stmt < n->nstmts);
    return 1 + stmt;
}

/* The kind of a node, and its statement or value, or -1. */
static inline enum cs_need_kind cs_need_kind(const struct cs_needs *n, int node, int *what)
{
    assert(node >= 0 && node < n->nnodes);
    *what = -1;
    if (node == 0)
        return CS_NEED_ROOT;
    if (node > 3 * n->nstmts + n->nvalues)
        return CS_NEED_OTHER;
    *what = (node - 1) % (n->nstmts ? n->nstmts : 1);
    if (node <= 3 * n->nstmts)
        return (enum cs_need_kind)(CS_NEED_STMT + (node - 1) / n->nstmts);
    *what = node - 1 - 3 * n->nstmts;
    return CS_NEED_VALUE;
}

void cs_needs_free(struct cs_needs *n);

#endif
