/* SPDX-License-Identifier: BSD-3-Clause
 * The neighbours of the own rank, for each kind of topology, in the order of MPI's neighbourhood collectives. */
#include <assert.h>
#include <string.h>

#include "emulate/objects/comm.h"
#include "emulate/topologies/topo_internal.h"

/* The number of neighbours of a node of a graph; *edges points to them. */
static int graph_degree(const struct cs_emu_topo *t, int rank, const int **edges)
{
    int first = rank > 0 ? t->u.graph.index[rank - 1] : 0;

    *edges = t->u.graph.edges + first;
    return t->u.graph.index[rank] - first;
}

int cs_emu_topo_degrees(const struct cs_emu_comm *c, int *sources, int *destinations)
{
    const struct cs_emu_topo *t = c->topo;
    const int *edges;

    if (!t)
        return MPI_ERR_TOPOLOGY;
    if (t->kind == MPI_DIST_GRAPH) {
        *sources = t->u.dist.nin;
        *destinations = t->u.dist.nout;
    } else {
        *sources = *destinations = t->kind == MPI_CART ? 2 * t->u.cart.ndims : graph_degree(t, c->rank, &edges);
    }
    return MPI_SUCCESS;
}

void cs_emu_topo_neighbours(const struct cs_emu_comm *c, int sources[], int destinations[])
{
    const struct cs_emu_topo *t = c->topo;
    const int *edges;
    int n;

    assert(t);
    if (t->kind == MPI_DIST_GRAPH) {
        memcpy(sources, t->u.dist.in, (size_t)t->u.dist.nin * sizeof(int));
        memcpy(destinations, t->u.dist.out, (size_t)t->u.dist.nout * sizeof(int));
        return;
    }
    if (t->kind == MPI_CART) {
        n = 2 * t->u.cart.ndims;
        for (int d = 0; d < t->u.cart.ndims; d++)
            cs_emu_cart_shift(c, d, 1, &sources[2 * d], &sources[2 * d + 1]);
    } else {
        n = graph_degree(t, c->rank, &edges);
        memcpy(sources, edges, (size_t)n * sizeof(int));
    }
    memcpy(destinations, sources, (size_t)n * sizeof(int));
}
