/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI calls of collectives, blocking, nonblocking and persistent: arguments are put into one form, and checked. */
#include <stddef.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"

static int run(struct cs_emu_coll_call *k, MPI_Comm comm, MPI_Request *request)
{
    k->comm = cs_emu_comm_of(comm);
    int rc = cs_emu_coll_check(k);
    if (rc == MPI_SUCCESS)
        rc = cs_emu_coll_run(k, request);
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(k->comm, rc, k->name);
}

static int prepare(struct cs_emu_coll_call *k, MPI_Comm comm, MPI_Request *request)
{
    k->comm = cs_emu_comm_of(comm);
    int rc = cs_emu_coll_check(k);
    if (rc == MPI_SUCCESS)
        rc = request ? cs_emu_coll_prepare(k, request) : MPI_ERR_ARG;
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(k->comm, rc, k->name);
}

/* The three forms of one call, each with int and with large counts: `parameters` is a macro of those before the
 * communicator, by the types of counts and displacements; the initialisers say what they mean. */
#define BLOCKING(name_, kind_, parameters, COUNT, DISPL, ...) \
    CS_EMU_CALL(int, name_, (parameters(COUNT, DISPL), MPI_Comm comm)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #name_, .kind = kind_, __VA_ARGS__}; \
        return run(&k, comm, NULL); \
    }
#define NONBLOCKING(name_, kind_, parameters, COUNT, DISPL, ...) \
    CS_EMU_CALL(int, name_, (parameters(COUNT, DISPL), MPI_Comm comm, MPI_Request * request)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #name_, .kind = kind_, __VA_ARGS__}; \
        return run(&k, comm, request); \
    }
#define PERSISTENT(name_, kind_, parameters, COUNT, DISPL, ...) \
    CS_EMU_CALL(int, name_, (parameters(COUNT, DISPL), MPI_Comm comm, MPI_Info info, MPI_Request * request)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #name_, .kind = kind_, __VA_ARGS__}; \
        return prepare(&k, comm, request); \
    }
#define FORMS(name_, iname_, kind_, parameters, ...) \
    BLOCKING(name_, kind_, parameters, int, int, __VA_ARGS__) \
    BLOCKING(name_##_c, kind_, parameters, MPI_Count, MPI_Aint, __VA_ARGS__) \
    NONBLOCKING(iname_, kind_, parameters, int, int, __VA_ARGS__) \
    NONBLOCKING(iname_##_c, kind_, parameters, MPI_Count, MPI_Aint, __VA_ARGS__) \
    PERSISTENT(name_##_init, kind_, parameters, int, int, __VA_ARGS__) \
    PERSISTENT(name_##_init_c, kind_, parameters, MPI_Count, MPI_Aint, __VA_ARGS__)

CS_EMU_CALL(int, Barrier, (MPI_Comm comm))
{
    struct cs_emu_coll_call k = {.name = "MPI_Barrier", .kind = CS_EMU_BARRIER};
    return run(&k, comm, NULL);
}

CS_EMU_CALL(int, Ibarrier, (MPI_Comm comm, MPI_Request *request))
{
    struct cs_emu_coll_call k = {.name = "MPI_Ibarrier", .kind = CS_EMU_BARRIER};
    return run(&k, comm, request);
}

CS_EMU_CALL(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *request))
{
    struct cs_emu_coll_call k = {.name = "MPI_Barrier_init", .kind = CS_EMU_BARRIER};
    return prepare(&k, comm, request);
}

/* Parameters that several of them have. */
#define ONE_EACH(COUNT, DISPL) \
    const void *sbuf, COUNT scount, MPI_Datatype stype, void *rbuf, COUNT rcount, MPI_Datatype rtype
#define ONE_TO_MANY(COUNT, DISPL) \
    const void *sbuf, COUNT scount, MPI_Datatype stype, void *rbuf, const COUNT rcounts[], const DISPL rdispls[], \
        MPI_Datatype rtype
#define ELEMENTS(COUNT, DISPL) const void *sbuf, void *rbuf, COUNT count, MPI_Datatype t, MPI_Op op
#define SENT CS_EMU_BLOCKS(sbuf, scount, stype)
#define RECEIVED CS_EMU_BLOCKS(rbuf, rcount, rtype)
#define RECEIVED_MANY CS_EMU_VBLOCKS(rbuf, rcounts, rdispls, rtype)
#define ALL_ELEMENTS .send = CS_EMU_BLOCKS(sbuf, count, t), .recv = CS_EMU_BLOCKS(rbuf, count, t), .op = op

#define BCAST(COUNT, DISPL) void *buf, COUNT count, MPI_Datatype t, int root
FORMS(Bcast, Ibcast, CS_EMU_BCAST, BCAST, .send = CS_EMU_BLOCKS(buf, count, t), .recv = CS_EMU_BLOCKS(buf, count, t),
      .root = root)
#define GATHER(COUNT, DISPL) ONE_EACH(COUNT, DISPL), int root
FORMS(Gather, Igather, CS_EMU_GATHER, GATHER, .send = SENT, .recv = RECEIVED, .root = root)
#define GATHERV(COUNT, DISPL) ONE_TO_MANY(COUNT, DISPL), int root
FORMS(Gatherv, Igatherv, CS_EMU_GATHER, GATHERV, .send = SENT, .recv = RECEIVED_MANY, .root = root)
FORMS(Scatter, Iscatter, CS_EMU_SCATTER, GATHER, .send = SENT, .recv = RECEIVED, .root = root)
#define SCATTERV(COUNT, DISPL) \
    const void *sbuf, const COUNT scounts[], const DISPL sdispls[], MPI_Datatype stype, void *rbuf, COUNT rcount, \
        MPI_Datatype rtype, int root
FORMS(Scatterv, Iscatterv, CS_EMU_SCATTER, SCATTERV, .send = CS_EMU_VBLOCKS(sbuf, scounts, sdispls, stype),
      .recv = RECEIVED, .root = root)
FORMS(Allgather, Iallgather, CS_EMU_ALLGATHER, ONE_EACH, .send = SENT, .recv = RECEIVED)
FORMS(Allgatherv, Iallgatherv, CS_EMU_ALLGATHER, ONE_TO_MANY, .send = SENT, .recv = RECEIVED_MANY)
FORMS(Alltoall, Ialltoall, CS_EMU_ALLTOALL, ONE_EACH, .send = SENT, .recv = RECEIVED)
#define ALLTOALLV(COUNT, DISPL) \
    const void *sbuf, const COUNT scounts[], const DISPL sdispls[], MPI_Datatype stype, void *rbuf, \
        const COUNT rcounts[], const DISPL rdispls[], MPI_Datatype rtype
FORMS(Alltoallv, Ialltoallv, CS_EMU_ALLTOALL, ALLTOALLV, .send = CS_EMU_VBLOCKS(sbuf, scounts, sdispls, stype),
      .recv = RECEIVED_MANY)
#define ALLTOALLW(COUNT, DISPL) \
    const void *sbuf, const COUNT scounts[], const DISPL sdispls[], const MPI_Datatype stypes[], void *rbuf, \
        const COUNT rcounts[], const DISPL rdispls[], const MPI_Datatype rtypes[]
FORMS(Alltoallw, Ialltoallw, CS_EMU_ALLTOALL, ALLTOALLW, .send = CS_EMU_WBLOCKS(sbuf, scounts, sdispls, stypes),
      .recv = CS_EMU_WBLOCKS(rbuf, rcounts, rdispls, rtypes))
#define REDUCE(COUNT, DISPL) ELEMENTS(COUNT, DISPL), int root
FORMS(Reduce, Ireduce, CS_EMU_REDUCE, REDUCE, ALL_ELEMENTS, .root = root)
FORMS(Allreduce, Iallreduce, CS_EMU_ALLREDUCE, ELEMENTS, ALL_ELEMENTS)
#define REDUCE_SCATTER(COUNT, DISPL) const void *sbuf, void *rbuf, const COUNT counts[], MPI_Datatype t, MPI_Op op
FORMS(Reduce_scatter, Ireduce_scatter, CS_EMU_REDUCE_SCATTER, REDUCE_SCATTER, .send = CS_EMU_BLOCKS(sbuf, 0, t),
      .recv = {.buf = rbuf, .counts = CS_EMU_NUMBERS(counts), .type = t}, .op = op)
FORMS(Reduce_scatter_block, Ireduce_scatter_block, CS_EMU_REDUCE_SCATTER, ELEMENTS, ALL_ELEMENTS)
FORMS(Scan, Iscan, CS_EMU_SCAN, ELEMENTS, ALL_ELEMENTS)
FORMS(Exscan, Iexscan, CS_EMU_EXSCAN, ELEMENTS, ALL_ELEMENTS)
