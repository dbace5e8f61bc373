/* SPDX-License-Identifier: BSD-3-Clause
 * Distributed graph topologies, in which each rank knows only its own neighbours. MPI 3.1, section 7.5.4. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/collectives/coll.h"
#include "emulate/objects/comm.h"
#include "emulate/topologies/topo_internal.h"
#include "emulate/world/entry.h"
#include "emulate/world/world.h"

static struct cs_emu_topo *new_dist(int nin, int nout, bool weighted)
{
    struct cs_emu_topo *t = cs_emu_topo_new(MPI_DIST_GRAPH, 2 * (nin + nout));

    if (!t)
        return NULL;
    t->u.dist.nin = nin;
    t->u.dist.nout = nout;
    t->u.dist.in = t->numbers;
    t->u.dist.out = t->numbers + nin;
    t->u.dist.in_weights = t->numbers + nin + nout;
    t->u.dist.out_weights = t->numbers + 2 * nin + nout;
    t->u.dist.weighted = weighted;
    return t;
}

static int check_ranks(int n, const int *ranks, int size)
{
    if (n < 0 || (n > 0 && !ranks))
        return MPI_ERR_ARG;
    for (int i = 0; i < n; i++)
        if (ranks[i] < 0 || ranks[i] >= size)
            return MPI_ERR_RANK;
    return MPI_SUCCESS;
}

static void copy(int *to, const int *from, int n)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * sizeof *to);
}

CS_EMU_CALL(int, Dist_graph_create_adjacent,
            (MPI_Comm comm, int indegree, const int sources[], const int sourceweights[], int outdegree,
             const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *newcomm))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    bool weighted = sourceweights != MPI_UNWEIGHTED && destweights != MPI_UNWEIGHTED;
    struct cs_emu_topo *t = NULL;
    int class = c && !c->inter ? MPI_SUCCESS : MPI_ERR_COMM;

    if (class == MPI_SUCCESS)
        class = check_ranks(indegree, sources, c->local->size);
    if (class == MPI_SUCCESS)
        class = newcomm ? check_ranks(outdegree, destinations, c->local->size) : MPI_ERR_ARG;
    if (class == MPI_SUCCESS && (sourceweights == MPI_UNWEIGHTED) != (destweights == MPI_UNWEIGHTED))
        class = MPI_ERR_TOPOLOGY;
    if (class == MPI_SUCCESS) {
        t = new_dist(indegree, outdegree, weighted);
        class = t ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    }
    if (class == MPI_SUCCESS) {
        copy(t->u.dist.in, sources, indegree);
        copy(t->u.dist.out, destinations, outdegree);
        if (weighted) {
            copy(t->u.dist.in_weights, sourceweights, indegree);
            copy(t->u.dist.out_weights, destweights, outdegree);
        }
        class = cs_emu_topo_comm(c, c->local->size, NULL, t, newcomm);
    }
    return class == MPI_SUCCESS ? class : cs_emu_comm_error(c, class, "MPI_Dist_graph_create_adjacent");
}

/* ---- MPI_Dist_graph_create: any rank may name any edges ---- */

/* One edge that a rank names. All edges go to all ranks. */
struct edge {
    int source, destination, weight;
};

/* The edges at rank `own` among those of all ranks. They are counted in the first round, and stored in the second. */
struct heard {
    int own, nin, nout;
    struct cs_emu_topo *topo; /* NULL in the first round */
};

static void hear(void *arg, int rank, const void *data, uint64_t bytes)
{
    struct heard *h = arg;
    const struct edge *e = data;
    (void)rank;
    for (uint64_t i = 0; i < bytes / sizeof *e; i++) {
        if (e[i].destination == h->own) {
            if (h->topo) {
                h->topo->u.dist.in[h->nin] = e[i].source;
                h->topo->u.dist.in_weights[h->nin] = e[i].weight;
            }
            h->nin++;
        }
        if (e[i].source == h->own) {
            if (h->topo) {
                h->topo->u.dist.out[h->nout] = e[i].destination;
                h->topo->u.dist.out_weights[h->nout] = e[i].weight;
            }
            h->nout++;
        }
    }
}

/* Checks the arguments of MPI_Dist_graph_create; returns an error class. *total is the number of edges. */
static int check_edges(int n, const int *sources, const int *degrees, const int *destinations, const int *weights,
                       int size, int *total)
{
    int class = check_ranks(n, sources, size);
    *total = 0;
    if (class != MPI_SUCCESS || (n > 0 && !degrees))
        return class != MPI_SUCCESS ? class : MPI_ERR_ARG;
    for (int i = 0; i < n; i++) {
        if (degrees[i] < 0)
            return MPI_ERR_ARG;
        *total += degrees[i];
    }
    class = check_ranks(*total, destinations, size);
    for (int i = 0; class == MPI_SUCCESS && weights != MPI_UNWEIGHTED && i < *total; i++)
        if (!weights || weights[i] < 0)
            class = MPI_ERR_ARG;
    return class;
}

/* Makes the topology from the edges of all ranks. Collective, so a rank without memory ends the run. Neighbours are in
 * the order of the ranks that named them; in MPICH that order depends on the arrival of messages. */
static struct cs_emu_topo *collect_edges(struct cs_emu_comm *c, const struct edge *own, int n, bool weighted)
{
    static const char call[] = "MPI_Dist_graph_create";
    struct heard h = {.own = c->rank};
    uint64_t bytes = (uint64_t)n * sizeof *own;

    cs_emu_exchange_each(c, own, bytes, hear, &h, call);
    if (!(h.topo = new_dist(h.nin, h.nout, weighted)))
        cs_emu_fail("no memory for a topology");
    h.nin = h.nout = 0;
    cs_emu_exchange_each(c, own, bytes, hear, &h, call);
    assert(h.nin == h.topo->u.dist.nin && h.nout == h.topo->u.dist.nout);
    return h.topo;
}

CS_EMU_CALL(int, Dist_graph_create,
            (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
             const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_topo *t = NULL;
    struct edge *own = NULL;
    int total = 0, k = 0;
    int class =
        !c || c->inter ? MPI_ERR_COMM : check_edges(n, sources, degrees, destinations, weights, c->local->size, &total);

    if (class == MPI_SUCCESS && !newcomm)
        class = MPI_ERR_ARG;
    if (class == MPI_SUCCESS && !(own = malloc((size_t)total * sizeof *own + 1)))
        cs_emu_fail("no memory for a topology"); /* the other ranks would wait for this one's edges */
    for (int i = 0; class == MPI_SUCCESS && i < n; i++)
        for (int d = 0; d < degrees[i]; d++, k++)
            own[k] = (struct edge){sources[i], destinations[k], weights != MPI_UNWEIGHTED ? weights[k] : 0};
    if (class == MPI_SUCCESS)
        t = collect_edges(c, own, total, weights != MPI_UNWEIGHTED);
    free(own);
    if (class == MPI_SUCCESS)
        class = cs_emu_topo_comm(c, c->local->size, NULL, t, newcomm);
    return class == MPI_SUCCESS ? class : cs_emu_comm_error(c, class, "MPI_Dist_graph_create");
}

CS_EMU_CALL(int, Dist_graph_neighbors_count, (MPI_Comm comm, int *indegree, int *outdegree, int *weighted))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t =
        cs_emu_topo_asked(comm, MPI_DIST_GRAPH, &c, &result, "MPI_Dist_graph_neighbors_count");

    if (!t)
        return result;
    if (!indegree || !outdegree || !weighted)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Dist_graph_neighbors_count");
    *indegree = t->u.dist.nin;
    *outdegree = t->u.dist.nout;
    *weighted = t->u.dist.weighted;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Dist_graph_neighbors,
            (MPI_Comm comm, int maxin, int sources[], int sourceweights[], int maxout, int destinations[],
             int destweights[]))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_DIST_GRAPH, &c, &result, "MPI_Dist_graph_neighbors");

    if (!t)
        return result;
    if (maxin < t->u.dist.nin || maxout < t->u.dist.nout)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Dist_graph_neighbors");
    copy(sources, t->u.dist.in, t->u.dist.nin);
    copy(destinations, t->u.dist.out, t->u.dist.nout);
    if (t->u.dist.weighted && sourceweights != MPI_UNWEIGHTED)
        copy(sourceweights, t->u.dist.in_weights, t->u.dist.nin);
    if (t->u.dist.weighted && destweights != MPI_UNWEIGHTED)
        copy(destweights, t->u.dist.out_weights, t->u.dist.nout);
    return MPI_SUCCESS;
}
