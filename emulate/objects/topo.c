/* SPDX-License-Identifier: BSD-3-Clause
 * Topologies: the object, the communicator that carries it, and who the neighbours are.
 * Ranks are never reordered, as MPICH does not reorder them either. */
#include "emulate/objects/topo.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/world/entry.h"
#include "emulate/objects/comm.h"
#include "emulate/errors/error.h"
#include "emulate/objects/topo_internal.h"

struct cs_emu_topo *cs_emu_topo_new(int kind, int n)
{
    struct cs_emu_topo *t = malloc(sizeof *t + (size_t)n * sizeof t->numbers[0]);

    if (t) {
        t->refs = 1;
        t->kind = kind;
    }
    return t;
}

struct cs_emu_topo *cs_emu_topo_hold(struct cs_emu_topo *t)
{
    if (t)
        t->refs++;
    return t;
}

void cs_emu_topo_release(struct cs_emu_topo *t)
{
    if (t && --t->refs == 0)
        free(t);
}

const struct cs_emu_topo *cs_emu_topo_asked(MPI_Comm comm, int kind, struct cs_emu_comm **c, int *result,
                                            const char *call)
{
    const struct cs_emu_topo *t;

    *c = cs_emu_comm_of(comm);
    t = *c && (*c)->topo && (*c)->topo->kind == kind ? (*c)->topo : NULL;
    if (!t)
        *result = cs_emu_error(*c, *c ? MPI_ERR_TOPOLOGY : MPI_ERR_COMM, call);
    return t;
}

int cs_emu_topo_comm(struct cs_emu_comm *parent, int n, const int *ranks, struct cs_emu_topo *t, MPI_Comm *out)
{
    struct cs_emu_group *g = NULL;
    int class, *world;

    if (t) {
        world = malloc((size_t)n * sizeof *world);
        for (int i = 0; world && i < n; i++)
            world[i] = cs_emu_group_world(parent->local, ranks ? ranks[i] : i);
        g = world ? cs_emu_group_new(n, world) : NULL;
        if (!g) {
            cs_emu_topo_release(t);
            return MPI_ERR_NO_MEM;
        }
    }
    class = cs_emu_comm_make(parent, g, out);
    if (t && class == MPI_SUCCESS)
        cs_emu_comm_of(*out)->topo = t;
    else
        cs_emu_topo_release(t);
    return class;
}

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

CS_EMU_CALL(int, Topo_test, (MPI_Comm comm, int *status))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !status)
        return cs_emu_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Topo_test");
    *status = c->topo ? c->topo->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
