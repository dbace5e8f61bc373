/* SPDX-License-Identifier: GPL-3.0-or-later
 * by_arrival.h: backwards along the steps of the need graph, from the calls. */
#include "slicer/advise/by_arrival.h"

#include <stdlib.h>

#include "api/mpi_calls.h"
#include "slicer/control/named_values.h"
#include "slicer/graph/storage.h"

bool cs_arrival_observed(const struct cs_need_graph *ng, int node)
{
    int s;
    bool by_address;
    enum cs_need_kind kind = cs_need_graph_kind(ng, node, &s);
    if (kind != CS_NEED_STMT && kind != CS_NEED_ENVELOPE && kind != CS_NEED_CONTENT)
        return false;
    const struct cs_mpi_call *c = cs_named_call(ng->g, s, &by_address);
    return c && (c->flags & CS_MPI_TIMING) && (c->flags & CS_MPI_EVENT);
}

bool cs_arrival_computes(const struct cs_need_graph *ng, int from, int to)
{
    int s, t;
    enum cs_need_kind kind = cs_need_graph_kind(ng, from, &s), of = cs_need_graph_kind(ng, to, &t);
    if (kind == CS_NEED_ROOT || kind == CS_NEED_CONTENT || kind == CS_NEED_ENVELOPE)
        return false;
    if (kind != CS_NEED_STMT)
        return true;
    const struct cs_stmt *st = &ng->g->stmts[s];
    if (st->kind == CS_STMT_LOAD)
        return of != CS_NEED_VALUE;
    bool branch =
        of == CS_NEED_STMT && (ng->g->stmts[t].kind == CS_STMT_COND || ng->g->stmts[t].kind == CS_STMT_SWITCH);
    return !branch || st->kind == CS_STMT_PHI;
}

char *cs_by_arrival(const struct cs_need_graph *ng)
{
    char *by = cs_calloc(ng->n + 1, 1);
    struct cs_intlist work = {0};
    for (int v = 1; v < ng->n; v++) {
        if (!cs_arrival_observed(ng, v))
            continue;
        by[v] = 1;
        cs_intlist_add(&work, v);
    }
    while (work.n) {
        int v = work.a[--work.n];
        for (int k = ng->rfirst[v]; k < ng->rfirst[v + 1]; k++)
            if (!by[ng->from[k]] && cs_arrival_computes(ng, ng->from[k], v)) {
                by[ng->from[k]] = 1;
                cs_intlist_add(&work, ng->from[k]);
            }
    }
    cs_intlist_free(&work);
    return by;
}
