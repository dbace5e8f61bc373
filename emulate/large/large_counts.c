/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of 64 bits that become int, and the lengths of arrays of them; large_counts.h. */
#include "emulate/large/large_counts.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "emulate/objects/comm.h"
#include "emulate/topologies/topo.h"
#include "emulate/types/buffer_check.h"
#include "emulate/world/caller_lookup.h"
#include "emulate/world/world.h"

_Static_assert(sizeof(MPI_Count) == 8 && sizeof(MPI_Aint) == 8, "numbers of another size");

int cs_emu_large_number(const struct cs_emu_large *l, MPI_Count n)
{
    if (n >= INT_MIN && n <= INT_MAX)
        return (int)n;
    cs_emu_note_caller(l->call, l->caller);
    cs_emu_fail("%s with a number of %lld: engine emulate has none above %d; --engine mpich has", l->call, (long long)n,
                INT_MAX);
}

int cs_emu_large_elements(struct cs_emu_large *l, MPI_Count n, MPI_Datatype *type)
{
    if (n < 0)
        return -1;
    if (n > INT_MAX && cs_emu_check_type(*type) != MPI_SUCCESS)
        return INT_MAX;
    MPI_Datatype many = n > INT_MAX ? cs_emu_type_repeated(*type, n) : MPI_DATATYPE_NULL;
    if (many == MPI_DATATYPE_NULL)
        return cs_emu_large_number(l, n);
    assert(l->ntypes < CS_EMU_LARGE_TYPES);
    l->types[l->ntypes++] = *type = many;
    return 1;
}

const int *cs_emu_large_array(struct cs_emu_large *l, const void *numbers, MPI_Count n)
{
    const int64_t *from = numbers;
    if (!from)
        return NULL;
    assert(l->narrays < CS_EMU_LARGE_ARRAYS);
    int *to = malloc(((n > 0 ? (size_t)n : 0) + 1) * sizeof *to);
    if (!to)
        cs_emu_fail("%s: no memory for %lld counts", l->call, (long long)n);
    for (MPI_Count i = 0; i < n; i++)
        to[i] = cs_emu_large_number(l, from[i]);
    l->arrays[l->narrays++] = to;
    return to;
}

void cs_emu_large_end(struct cs_emu_large *l)
{
    for (int i = 0; i < l->narrays; i++)
        free(l->arrays[i]);
    for (int i = 0; i < l->ntypes; i++)
        cs_emu_type_release(l->types[i]);
}

int cs_emu_large_length(MPI_Comm comm, int length)
{
    const struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int sources = 0, destinations = 0;
    if (!c)
        return 0;
    switch (length) {
    case CS_MPI_PEERS: return cs_emu_comm_peers(c);
    case CS_MPI_MEMBERS: return c->local->size;
    case CS_MPI_INDEGREE: cs_emu_topo_degrees(c, &sources, &destinations); return sources;
    case CS_MPI_OUTDEGREE: cs_emu_topo_degrees(c, &sources, &destinations); return destinations;
    default: assert(!"a length that no call with large counts has"); return 0;
    }
}

bool cs_emu_large_at_root(MPI_Comm comm, int root)
{
    const struct cs_emu_comm *c = cs_emu_comm_of(comm);
    return c && (c->inter ? root == MPI_ROOT : root == c->rank);
}
