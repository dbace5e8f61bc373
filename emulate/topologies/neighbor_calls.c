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

#define ARGS(...) __VA_ARGS__
#define FORMS(name_, iname_, parameters, ...) \
    CS_EMU_CALL(int, name_, (parameters, MPI_Comm comm)) \
    { \
        struct cs_emu_neighbor_call k = {.name = "MPI_" #name_, __VA_ARGS__}; \
        return run(&k, comm, NULL); \
    } \
    CS_EMU_CALL(int, iname_, (parameters, MPI_Comm comm, MPI_Request * request)) \
    { \
        struct cs_emu_neighbor_call k = {.name = "MPI_" #iname_, __VA_ARGS__}; \
        return run(&k, comm, request); \
    } \
    CS_EMU_CALL(int, name_##_init, (parameters, MPI_Comm comm, MPI_Info info, MPI_Request * request)) \
    { \
        struct cs_emu_neighbor_call k = {.name = "MPI_" #name_ "_init", __VA_ARGS__}; \
        return prepare(&k, comm, request); \
    }

FORMS(Neighbor_allgather, Ineighbor_allgather,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype), .same = true,
      .send = {.buf = (void *)sbuf, .count = scount, .type = stype},
      .recv = {.buf = rbuf, .count = rcount, .type = rtype})
FORMS(Neighbor_allgatherv, Ineighbor_allgatherv,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, const int rcounts[], const int rdispls[],
           MPI_Datatype rtype),
      .same = true, .send = {.buf = (void *)sbuf, .count = scount, .type = stype},
      .recv = {.buf = rbuf, .counts = rcounts, .displs = rdispls, .type = rtype})
/* With two ranks in a periodic dimension a rank has the same neighbour on both sides, and what that one sends down
 * comes in from above. MPICH takes care of this in MPI_Neighbor_alltoall only: it receives from the last edge to the
 * first. */
FORMS(Neighbor_alltoall, Ineighbor_alltoall,
      ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype),
      .backwards = true, .send = {.buf = (void *)sbuf, .count = scount, .type = stype},
      .recv = {.buf = rbuf, .count = rcount, .type = rtype})
FORMS(Neighbor_alltoallv, Ineighbor_alltoallv,
      ARGS(const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype, void *rbuf,
           const int rcounts[], const int rdispls[], MPI_Datatype rtype),
      .send = {.buf = (void *)sbuf, .counts = scounts, .displs = sdispls, .type = stype},
      .recv = {.buf = rbuf, .counts = rcounts, .displs = rdispls, .type = rtype})
FORMS(Neighbor_alltoallw, Ineighbor_alltoallw,
      ARGS(const void *sbuf, const int scounts[], const MPI_Aint sdispls[], const MPI_Datatype stypes[], void *rbuf,
           const int rcounts[], const MPI_Aint rdispls[], const MPI_Datatype rtypes[]),
      .send = {.buf = (void *)sbuf, .counts = scounts, .types = stypes}, .sdispls = sdispls,
      .recv = {.buf = rbuf, .counts = rcounts, .types = rtypes}, .rdispls = rdispls)
