/* SPDX-License-Identifier: BSD-3-Clause
 * Topology objects, and making communicators that have one. Ranks are never reordered: MPICH does not do so either. */
#include "emulate/topologies/topo.h"

#include <assert.h>
#include <stdlib.h>

#include "emulate/objects/comm.h"
#include "emulate/topologies/topo_internal.h"
#include "emulate/world/entry.h"

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
    assert(!t || t->refs > 0);
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
        *result = cs_emu_comm_error(*c, *c ? MPI_ERR_TOPOLOGY : MPI_ERR_COMM, call);
    return t;
}

/* The group of the parent's first n ranks, or of the n ranks in `ranks`. All of them are the parent's group itself:
 * that costs nothing, however many they are. NULL: no memory. */
static struct cs_emu_group *group_of(struct cs_emu_comm *parent, int n, const int *ranks)
{
    if (!ranks && n == parent->local->size)
        return cs_emu_group_hold(parent->local);
    int *world = malloc((size_t)n * sizeof *world);
    for (int i = 0; world && i < n; i++)
        world[i] = cs_emu_group_world(parent->local, ranks ? ranks[i] : i);
    return world ? cs_emu_group_new(n, world) : NULL;
}

int cs_emu_topo_comm(struct cs_emu_comm *parent, int n, const int *ranks, struct cs_emu_topo *t, MPI_Comm *out)
{
    struct cs_emu_group *g = t ? group_of(parent, n, ranks) : NULL;
    int class;

    if (t && !g) {
        cs_emu_topo_release(t);
        return MPI_ERR_NO_MEM;
    }
    class = cs_emu_comm_make(parent, g, out);
    if (t && class == MPI_SUCCESS)
        cs_emu_comm_set_topo(cs_emu_comm_of(*out), t, cs_emu_topo_release);
    else
        cs_emu_topo_release(t);
    return class;
}

CS_EMU_CALL(int, Topo_test, (MPI_Comm comm, int *status))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);

    if (!c || !status)
        return cs_emu_comm_error(c, c ? MPI_ERR_ARG : MPI_ERR_COMM, "MPI_Topo_test");
    *status = c->topo ? c->topo->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
