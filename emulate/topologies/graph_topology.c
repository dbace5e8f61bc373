/* SPDX-License-Identifier: BSD-3-Clause
 * Graph topologies, in which every rank knows the whole graph. MPI 3.1, section 7.5.3: index[i] is the number of edges
 * of nodes 0 to i, and `edges` has the neighbours of all nodes, one node after the other. */
#include <string.h>

#include "emulate/objects/comm.h"
#include "emulate/topologies/topo_internal.h"
#include "emulate/world/entry.h"

static int check(const struct cs_emu_comm *c, int nnodes, const int *index, const int *edges)
{
    int last = 0;

    if (nnodes < 0 || nnodes > c->local->size || (nnodes > 0 && (!index || !edges)))
        return MPI_ERR_ARG;
    for (int i = 0; i < nnodes; i++) {
        if (index[i] < last)
            return MPI_ERR_ARG;
        last = index[i];
    }
    for (int i = 0; i < last; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return MPI_ERR_ARG;
    return MPI_SUCCESS;
}

static struct cs_emu_topo *new_graph(int nnodes, const int *index, const int *edges)
{
    int nedges = index[nnodes - 1];
    struct cs_emu_topo *t = cs_emu_topo_new(MPI_GRAPH, nnodes + nedges);

    if (!t)
        return NULL;
    t->u.graph.nnodes = nnodes;
    t->u.graph.nedges = nedges;
    t->u.graph.index = t->numbers;
    t->u.graph.edges = t->numbers + nnodes;
    memcpy(t->u.graph.index, index, (size_t)nnodes * sizeof(int));
    memcpy(t->u.graph.edges, edges, (size_t)nedges * sizeof(int));
    return t;
}

CS_EMU_CALL(int, Graph_create,
            (MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder, MPI_Comm *newcomm))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_topo *t = NULL;
    int class;

    if (!c || c->inter)
        return cs_emu_comm_error(c, MPI_ERR_COMM, "MPI_Graph_create");
    class = newcomm ? check(c, nnodes, index, edges) : MPI_ERR_ARG;
    if (class == MPI_SUCCESS && c->rank < nnodes) {
        t = new_graph(nnodes, index, edges);
        class = t ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    }
    if (class == MPI_SUCCESS)
        class = cs_emu_topo_comm(c, nnodes, NULL, t, newcomm);
    return class == MPI_SUCCESS ? class : cs_emu_comm_error(c, class, "MPI_Graph_create");
}

CS_EMU_CALL(int, Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_GRAPH, &c, &result, "MPI_Graphdims_get");

    if (!t)
        return result;
    if (!nnodes || !nedges)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Graphdims_get");
    *nnodes = t->u.graph.nnodes;
    *nedges = t->u.graph.nedges;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_GRAPH, &c, &result, "MPI_Graph_get");

    if (!t)
        return result;
    if (t->u.graph.nnodes > maxindex || t->u.graph.nedges > maxedges || !index || !edges)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Graph_get");
    memcpy(index, t->u.graph.index, (size_t)t->u.graph.nnodes * sizeof(int));
    memcpy(edges, t->u.graph.edges, (size_t)t->u.graph.nedges * sizeof(int));
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int *n))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_GRAPH, &c, &result, "MPI_Graph_neighbors_count");

    if (!t)
        return result;
    if (rank < 0 || rank >= t->u.graph.nnodes || !n)
        return cs_emu_comm_error(c, n ? MPI_ERR_RANK : MPI_ERR_ARG, "MPI_Graph_neighbors_count");
    *n = t->u.graph.index[rank] - (rank > 0 ? t->u.graph.index[rank - 1] : 0);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Graph_neighbors, (MPI_Comm comm, int rank, int max, int neighbours[]))
{
    int result = MPI_SUCCESS, first, n;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_GRAPH, &c, &result, "MPI_Graph_neighbors");

    if (!t)
        return result;
    if (rank < 0 || rank >= t->u.graph.nnodes)
        return cs_emu_comm_error(c, MPI_ERR_RANK, "MPI_Graph_neighbors");
    first = rank > 0 ? t->u.graph.index[rank - 1] : 0;
    n = t->u.graph.index[rank] - first;
    if (n > 0 && (n > max || !neighbours))
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Graph_neighbors");
    if (n > 0)
        memcpy(neighbours, t->u.graph.edges + first, (size_t)n * sizeof(int));
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Graph_map, (MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || c->inter)
        return cs_emu_comm_error(c, MPI_ERR_COMM, "MPI_Graph_map");
    if (nnodes <= 0 || nnodes > c->local->size || !index || !edges || !newrank)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Graph_map");
    *newrank = c->rank < nnodes ? c->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
