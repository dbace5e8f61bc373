/* SPDX-License-Identifier: BSD-3-Clause
 * Writes poison into receive buffers. It is unpacked like a message, so gaps in datatypes and memory behind the message
 * keep their values. */
#include "commlib/transmit/poison_buffers.h"

#include <stdlib.h>
#include <string.h>

/* The poison, and the bytes of a buffer beyond which it is left alone. */
enum { BYTE = 0x4d, MOST = 1 << 26 };

/* Is this a rooted collective in which this rank receives nothing into the buffer that would be filled? */
static bool only_others_receive(const struct cs_call *c)
{
    int rank;
    if (!(c->info->flags & CS_MPI_ROOTED))
        return false;
    PMPI_Comm_rank(cs_call_comm(c), &rank);
    bool root = rank == cs_call_int(c, CS_ROLE_ROOT);
    return c->info->flags & CS_MPI_ROOT_RECVS ? !root : root && cs_call_has(c, CS_ROLE_SRBUF);
}

/* The number of elements received. If there is a count for each rank (Gatherv, Alltoallv): the first rank's, and *place
 * moves on to the beginning of its part. 0: not known. */
static int64_t elements(const struct cs_call *c, const struct cs_mpi_arg *buffer, MPI_Datatype type, char **place)
{
    if (buffer->count_arg < 0)
        return 0;
    if (c->info->args[buffer->count_arg].role == CS_ROLE_COUNT)
        return c->a[buffer->count_arg].i;
    MPI_Aint lb, extent;
    if (c->info->args[buffer->count_arg + 1].role != CS_ROLE_DISPLS ||
        PMPI_Type_get_extent(type, &lb, &extent) != MPI_SUCCESS)
        return 0;
    *place += cs_call_element(c, buffer->count_arg + 1, 0) * extent;
    return cs_call_element(c, buffer->count_arg, 0);
}

static void unpack_poison(char *place, int64_t n, MPI_Datatype type)
{
    int size, position = 0;
    if (n > MOST || PMPI_Type_size(type, &size) != MPI_SUCCESS || n <= 0 || size <= 0 || n > MOST / size)
        return;
    char *bytes = malloc((size_t)(n * size));
    if (!bytes)
        return;
    memset(bytes, BYTE, (size_t)(n * size));
    PMPI_Unpack(bytes, (int)(n * size), &position, place, (int)n, type, MPI_COMM_SELF);
    free(bytes);
}

void cs_poison_received(const struct cs_call *c)
{
    int at = cs_call_has(c, CS_ROLE_RBUF) ? c->shape->at[CS_ROLE_RBUF] : c->shape->at[CS_ROLE_SRBUF];
    if (at < 0 || !c->a[at].p || c->a[at].p == MPI_IN_PLACE || only_others_receive(c))
        return;
    if (cs_call_has(c, CS_ROLE_SOURCE) && cs_call_int(c, CS_ROLE_SOURCE) == MPI_PROC_NULL)
        return;
    const struct cs_mpi_arg *buffer = &c->info->args[at];
    char *place = c->a[at].p;
    if (buffer->type_arg < 0 || c->info->args[buffer->type_arg].role != CS_ROLE_TYPE)
        return;
    MPI_Datatype type = (MPI_Datatype)c->a[buffer->type_arg].i;
    int64_t n = elements(c, buffer, type, &place);
    unpack_poison(place, n, type);
}
