/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI functions of the neighbourhood collectives: each FORMS defines a blocking one, a nonblocking one
 * and a persistent one. */
#include <stddef.h>

#include "emulate/objects/comm.h"
#include "emulate/topologies/neighbor_internal.h"
#include "emulate/world/entry.h"

static int run(struct cs_emu_neighbor_call *k, MPI_Comm comm, MPI_Request *request)
{
    k->comm = cs_emu_comm_of(comm);
    int rc = k->comm ? cs_emu_neighbor_run(k, request) : MPI_ERR_COMM;
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(k->comm, rc, k->name);
}

static int prepare(struct cs_emu_neighbor_call *k, MPI_Comm comm, MPI_Request *request)
{
    k->comm = cs_emu_comm_of(comm);
    int rc = !k->comm ? MPI_ERR_COMM : request ? cs_emu_neighbor_prepare(k, request) : MPI_ERR_ARG;
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(k->comm, rc, k->name);
}

/* Each with int and with large counts: `parameters` is a macro of those before the communicator, by the types of counts
 * and displacements. */
#define BLOCKING(name_, parameters, COUNT, DISPL, ...) \
    CS_EMU_CALL(int, name_, (parameters(COUNT, DISPL), MPI_Comm comm)) \
    { \
        struct cs_emu_neighbor_call k = {.name = "MPI_" #name_, __VA_ARGS__}; \
        return run(&k, comm, NULL); \
    }
#define NONBLOCKING(name_, parameters, COUNT, DISPL, ...) \
    CS_EMU_CALL(int, name_, (parameters(COUNT, DISPL), MPI_Comm comm, MPI_Request * request)) \
    { \
        struct cs_emu_neighbor_call k = {.name = "MPI_" #name_, __VA_ARGS__}; \
        return run(&k, comm, request); \
    }
#define PERSISTENT(name_, parameters, COUNT, DISPL, ...) \
    CS_EMU_CALL(int, name_, (parameters(COUNT, DISPL), MPI_Comm comm, MPI_Info info, MPI_Request * request)) \
    { \
        struct cs_emu_neighbor_call k = {.name = "MPI_" #name_, __VA_ARGS__}; \
        return prepare(&k, comm, request); \
    }
#define FORMS(name_, iname_, parameters, ...) \
    BLOCKING(name_, parameters, int, int, __VA_ARGS__) \
    BLOCKING(name_##_c, parameters, MPI_Count, MPI_Aint, __VA_ARGS__) \
    NONBLOCKING(iname_, parameters, int, int, __VA_ARGS__) \
    NONBLOCKING(iname_##_c, parameters, MPI_Count, MPI_Aint, __VA_ARGS__) \
    PERSISTENT(name_##_init, parameters, int, int, __VA_ARGS__) \
    PERSISTENT(name_##_init_c, parameters, MPI_Count, MPI_Aint, __VA_ARGS__)

#define ONE_EACH(COUNT, DISPL) \
    const void *sbuf, COUNT scount, MPI_Datatype stype, void *rbuf, COUNT rcount, MPI_Datatype rtype
#define SENT CS_EMU_BLOCKS(sbuf, scount, stype)
#define RECEIVED CS_EMU_BLOCKS(rbuf, rcount, rtype)

FORMS(Neighbor_allgather, Ineighbor_allgather, ONE_EACH, .same = true, .send = SENT, .recv = RECEIVED)
#define ALLGATHERV(COUNT, DISPL) \
    const void *sbuf, COUNT scount, MPI_Datatype stype, void *rbuf, const COUNT rcounts[], const DISPL rdispls[], \
        MPI_Datatype rtype
FORMS(Neighbor_allgatherv, Ineighbor_allgatherv, ALLGATHERV, .same = true, .send = SENT,
      .recv = CS_EMU_VBLOCKS(rbuf, rcounts, rdispls, rtype))
/* With two ranks in a periodic dimension a rank has the same neighbour on both sides, and what that one sends down
 * comes in from above. MPICH takes care of this in MPI_Neighbor_alltoall only: it receives from the last edge to the
 * first. */
FORMS(Neighbor_alltoall, Ineighbor_alltoall, ONE_EACH, .backwards = true, .send = SENT, .recv = RECEIVED)
#define ALLTOALLV(COUNT, DISPL) \
    const void *sbuf, const COUNT scounts[], const DISPL sdispls[], MPI_Datatype stype, void *rbuf, \
        const COUNT rcounts[], const DISPL rdispls[], MPI_Datatype rtype
FORMS(Neighbor_alltoallv, Ineighbor_alltoallv, ALLTOALLV, .send = CS_EMU_VBLOCKS(sbuf, scounts, sdispls, stype),
      .recv = CS_EMU_VBLOCKS(rbuf, rcounts, rdispls, rtype))
/* Its displacements are in bytes, and of type MPI_Aint in either form. */
#define ALLTOALLW(COUNT, DISPL) \
    const void *sbuf, const COUNT scounts[], const MPI_Aint sdispls[], const MPI_Datatype stypes[], void *rbuf, \
        const COUNT rcounts[], const MPI_Aint rdispls[], const MPI_Datatype rtypes[]
FORMS(Neighbor_alltoallw, Ineighbor_alltoallw, ALLTOALLW, .send = CS_EMU_WBLOCKS(sbuf, scounts, sdispls, stypes),
      .recv = CS_EMU_WBLOCKS(rbuf, rcounts, rdispls, rtypes))
