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

// clang-format off
#define BLOCKS(buf_, count_, type_) \
    { .buf = (void *)(buf_), .count = (count_), .type = (type_) }
#define VBLOCKS(buf_, counts_, displs_, type_) \
    { .buf = (void *)(buf_), .counts = (counts_), .displs = (displs_), .type = (type_) }
#define WBLOCKS(buf_, counts_, displs_, types_) \
    { .buf = (void *)(buf_), .counts = (counts_), .displs = (displs_), .types = (types_) }
// clang-format on
#define ARGS(...) __VA_ARGS__

/* The three forms of one call: `parameters` end before the communicator; the initialisers say what they mean. */
#define FORMS(name_, iname_, kind_, parameters, ...) \
    CS_EMU_CALL(int, name_, (parameters, MPI_Comm comm)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #name_, .kind = kind_, __VA_ARGS__}; \
        return run(&k, comm, NULL); \
    } \
    CS_EMU_CALL(int, iname_, (parameters, MPI_Comm comm, MPI_Request * request)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #iname_, .kind = kind_, __VA_ARGS__}; \
        return run(&k, comm, request); \
    } \
    CS_EMU_CALL(int, name_##_init, (parameters, MPI_Comm comm, MPI_Info info, MPI_Request * request)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #name_ "_init", .kind = kind_, __VA_ARGS__}; \
        return prepare(&k, comm, request); \
    }

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

FORMS(Bcast, Ibcast, CS_EMU_BCAST, ARGS(void *buf, int count, MPI_Datatype t, int root), .send = BLOCKS(buf, count, t),
      .recv = BLOCKS(buf, count, t), .root = root)
FORMS(Gather, Igather, CS_EMU_GATHER,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype, int root),
      .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype), .root = root)
FORMS(Gatherv, Igatherv, CS_EMU_GATHER,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, const int rcounts[], const int rdispls[],
           MPI_Datatype rtype, int root),
      .send = BLOCKS(sbuf, scount, stype), .recv = VBLOCKS(rbuf, rcounts, rdispls, rtype), .root = root)
FORMS(Scatter, Iscatter, CS_EMU_SCATTER,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype, int root),
      .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype), .root = root)
FORMS(Scatterv, Iscatterv, CS_EMU_SCATTER,
      ARGS(const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype, void *rbuf, int rcount,
           MPI_Datatype rtype, int root),
      .send = VBLOCKS(sbuf, scounts, sdispls, stype), .recv = BLOCKS(rbuf, rcount, rtype), .root = root)
FORMS(Allgather, Iallgather, CS_EMU_ALLGATHER,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype),
      .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype))
FORMS(Allgatherv, Iallgatherv, CS_EMU_ALLGATHER,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, const int rcounts[], const int rdispls[],
           MPI_Datatype rtype),
      .send = BLOCKS(sbuf, scount, stype), .recv = VBLOCKS(rbuf, rcounts, rdispls, rtype))
FORMS(Alltoall, Ialltoall, CS_EMU_ALLTOALL,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype),
      .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype))
FORMS(Alltoallv, Ialltoallv, CS_EMU_ALLTOALL,
      ARGS(const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype, void *rbuf,
           const int rcounts[], const int rdispls[], MPI_Datatype rtype),
      .send = VBLOCKS(sbuf, scounts, sdispls, stype), .recv = VBLOCKS(rbuf, rcounts, rdispls, rtype))
FORMS(Alltoallw, Ialltoallw, CS_EMU_ALLTOALL,
      ARGS(const void *sbuf, const int scounts[], const int sdispls[], const MPI_Datatype stypes[], void *rbuf,
           const int rcounts[], const int rdispls[], const MPI_Datatype rtypes[]),
      .send = WBLOCKS(sbuf, scounts, sdispls, stypes), .recv = WBLOCKS(rbuf, rcounts, rdispls, rtypes))
FORMS(Reduce, Ireduce, CS_EMU_REDUCE,
      ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op, int root),
      .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op, .root = root)
FORMS(Allreduce, Iallreduce, CS_EMU_ALLREDUCE, ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op),
      .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op)
FORMS(Reduce_scatter, Ireduce_scatter, CS_EMU_REDUCE_SCATTER,
      ARGS(const void *sbuf, void *rbuf, const int counts[], MPI_Datatype t, MPI_Op op), .send = BLOCKS(sbuf, 0, t),
      .recv = VBLOCKS(rbuf, counts, NULL, t), .op = op)
FORMS(Reduce_scatter_block, Ireduce_scatter_block, CS_EMU_REDUCE_SCATTER,
      ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op), .send = BLOCKS(sbuf, count, t),
      .recv = BLOCKS(rbuf, count, t), .op = op)
FORMS(Scan, Iscan, CS_EMU_SCAN, ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op),
      .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op)
FORMS(Exscan, Iexscan, CS_EMU_EXSCAN, ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op),
      .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op)
