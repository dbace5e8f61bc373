/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI calls of collectives, blocking and nonblocking: arguments are checked and put into one form for coll.c. */
#include <stddef.h>

#include "emulate/world/entry.h"
#include "emulate/types/check.h"
#include "emulate/collectives/coll.h"
#include "emulate/objects/comm_table.h"
#include "emulate/errors/error.h"
#include "emulate/objects/op.h"
#include "emulate/types/type.h"

/* n blocks: 0 for one. */
static int check_blocks(const struct cs_emu_blocks *b, int n)
{
    if (b->buf == MPI_IN_PLACE)
        return MPI_SUCCESS;
    if ((b->types || b->counts) && n > 0 && (!b->counts || (b->types && !b->displs)))
        return MPI_ERR_ARG;
    for (int i = 0; b->counts && i < n; i++) {
        int rc = b->counts[i] < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
        if (rc == MPI_SUCCESS && b->types)
            rc = b->counts[i] ? cs_emu_check_type(b->types[i]) : MPI_SUCCESS;
        else if (rc == MPI_SUCCESS && b->counts[i])
            rc = cs_emu_check_buffer(b->buf, b->counts[i], b->type);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    if (b->types)
        return MPI_SUCCESS;
    return b->counts ? cs_emu_check_type(b->type) : cs_emu_check_buffer(b->buf, b->count, b->type);
}

static bool root_fits(const struct cs_emu_coll_call *k)
{
    if (k->root >= 0)
        return k->root < cs_emu_comm_peers(k->comm);
    return k->comm->inter && (k->root == MPI_ROOT || k->root == MPI_PROC_NULL);
}

static bool is_rooted(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_BCAST || k == CS_EMU_GATHER || k == CS_EMU_SCATTER || k == CS_EMU_REDUCE;
}

/* Which side's arguments mean something on this rank. */
static bool uses_send(const struct cs_emu_coll_call *k)
{
    bool root = k->comm->inter ? k->root == MPI_ROOT : k->root == k->comm->rank;
    switch (k->kind) {
    case CS_EMU_BCAST:
    case CS_EMU_SCATTER: return root;
    case CS_EMU_GATHER: return !k->comm->inter || k->root >= 0;
    case CS_EMU_ALLGATHER:
    case CS_EMU_ALLTOALL: return true;
    default: return false;
    }
}

static bool uses_recv(const struct cs_emu_coll_call *k)
{
    bool root = k->comm->inter ? k->root == MPI_ROOT : k->root == k->comm->rank;
    switch (k->kind) {
    case CS_EMU_GATHER:
    case CS_EMU_REDUCE: return root;
    case CS_EMU_BCAST:
    case CS_EMU_SCATTER: return k->comm->inter ? k->root >= 0 : true;
    default: return k->kind != CS_EMU_BARRIER;
    }
}

static bool is_reduction(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_REDUCE || k == CS_EMU_ALLREDUCE || k == CS_EMU_REDUCE_SCATTER || k == CS_EMU_SCAN ||
           k == CS_EMU_EXSCAN;
}

/* Does this rank bring elements of a reduction? On the side of an intercommunicator's root nobody does. */
static bool brings_elements(const struct cs_emu_coll_call *k)
{
    return is_reduction(k->kind) && !(k->kind == CS_EMU_REDUCE && k->comm->inter && k->root < 0);
}

/* Where MPI_IN_PLACE may stand: for what is sent by all, or by the root that also receives; for what a root that
 * scatters gets. */
static bool in_place_fits(const struct cs_emu_coll_call *k)
{
    bool sent = k->send.buf == MPI_IN_PLACE, got = k->recv.buf == MPI_IN_PLACE, root = k->root == k->comm->rank;
    if (!sent && !got)
        return true;
    if (k->comm->inter)
        return !(sent && (uses_send(k) || brings_elements(k))) && !(got && uses_recv(k));
    switch (k->kind) {
    case CS_EMU_BARRIER: return true;
    case CS_EMU_BCAST: return false;
    case CS_EMU_SCATTER: return root ? !sent : !got;
    case CS_EMU_GATHER:
    case CS_EMU_REDUCE: return root ? !got : !sent;
    default: return !got;
    }
}

/* Counts of MPI_Reduce_scatter: all elements of the reduction in *all, the own ones in *own. */
static int add_counts(const struct cs_emu_coll_call *k, int64_t *all, int64_t *own)
{
    *all = *own = k->recv.count;
    if (k->kind != CS_EMU_REDUCE_SCATTER || !k->recv.counts)
        return k->recv.count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
    *all = 0;
    for (int i = 0; i < k->comm->local->size; i++) {
        if (k->recv.counts[i] < 0)
            return MPI_ERR_COUNT;
        *all += k->recv.counts[i];
    }
    *own = k->send.buf == MPI_IN_PLACE ? *all : k->recv.counts[k->comm->rank];
    return MPI_SUCCESS;
}

static int check_reduction(const struct cs_emu_coll_call *k)
{
    int64_t all, own;
    int rc = add_counts(k, &all, &own);
    if (rc == MPI_SUCCESS && k->comm->inter && (k->kind == CS_EMU_SCAN || k->kind == CS_EMU_EXSCAN))
        rc = MPI_ERR_COMM;
    if (rc == MPI_SUCCESS)
        rc = cs_emu_op_check(k->op, k->recv.type);
    if (rc == MPI_SUCCESS && brings_elements(k) && k->send.buf != MPI_IN_PLACE)
        rc = cs_emu_check_buffer(k->send.buf, all, k->recv.type);
    if (rc == MPI_SUCCESS && uses_recv(k))
        rc = cs_emu_check_buffer(k->recv.buf, own, k->recv.type);
    if (rc == MPI_SUCCESS && !k->comm->inter && uses_recv(k) && all > 0 && k->send.buf == k->recv.buf)
        rc = MPI_ERR_BUFFER;
    return rc;
}

/* The same memory must not be read and written. Only equal addresses are found, as with MPICH. */
static bool overlaps(const struct cs_emu_coll_call *k)
{
    const struct cs_emu_blocks *r = &k->recv;
    if (k->comm->inter || !uses_send(k) || !uses_recv(k) || k->kind == CS_EMU_BCAST || !k->send.buf)
        return false;
    if (k->kind == CS_EMU_ALLTOALL)
        return k->send.buf == r->buf && !k->send.types && !k->send.counts && k->send.count > 0 &&
               k->send.type == r->type && k->send.count == r->count;
    if (k->kind == CS_EMU_SCATTER || r->counts || k->send.count == 0)
        return false;
    return k->send.buf == (char *)r->buf + (int64_t)k->comm->rank * r->count * cs_emu_type_extent(r->type);
}

static int check(const struct cs_emu_coll_call *k)
{
    int rc = MPI_SUCCESS, peers;
    if (!k->comm)
        return MPI_ERR_COMM;
    peers = cs_emu_comm_peers(k->comm);
    if (is_rooted(k->kind) && !root_fits(k))
        return MPI_ERR_ROOT;
    if (!in_place_fits(k))
        return MPI_ERR_BUFFER;
    if (is_reduction(k->kind))
        return check_reduction(k);
    if (uses_send(k))
        rc = check_blocks(&k->send, k->kind == CS_EMU_ALLTOALL || k->kind == CS_EMU_SCATTER ? peers : 0);
    if (rc == MPI_SUCCESS && uses_recv(k))
        rc = check_blocks(&k->recv, peers);
    return rc == MPI_SUCCESS && overlaps(k) ? MPI_ERR_BUFFER : rc;
}

static int run(struct cs_emu_coll_call *k, MPI_Comm comm, MPI_Request *request)
{
    k->comm = cs_emu_comm_of(comm);
    int rc = check(k);
    if (rc == MPI_SUCCESS)
        rc = cs_emu_coll_run(k, request);
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_error(k->comm, rc, k->name);
}

// clang-format off
#define BLOCKS(buf_, count_, type_) { .buf = (void *)(buf_), .count = (count_), .type = (type_) }
#define VBLOCKS(buf_, counts_, displs_, type_) { .buf = (void *)(buf_), .counts = (counts_), .displs = (displs_), .type = (type_) }
#define WBLOCKS(buf_, counts_, displs_, types_) { .buf = (void *)(buf_), .counts = (counts_), .displs = (displs_), .types = (types_) }
// clang-format on
#define ARGS(...) __VA_ARGS__

/* Both forms of one call: `parameters` end before the communicator; the initialisers say what they mean. */
#define BOTH(name_, iname_, kind_, parameters, ...) \
    CS_EMU_CALL(int, name_, (parameters, MPI_Comm comm)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #name_, .kind = kind_, __VA_ARGS__}; \
        return run(&k, comm, NULL); \
    } \
    CS_EMU_CALL(int, iname_, (parameters, MPI_Comm comm, MPI_Request * request)) \
    { \
        struct cs_emu_coll_call k = {.name = "MPI_" #iname_, .kind = kind_, __VA_ARGS__}; \
        return run(&k, comm, request); \
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

BOTH(Bcast, Ibcast, CS_EMU_BCAST, ARGS(void *buf, int count, MPI_Datatype t, int root), .send = BLOCKS(buf, count, t),
     .recv = BLOCKS(buf, count, t), .root = root)
BOTH(Gather, Igather, CS_EMU_GATHER,
     ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype, int root),
     .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype), .root = root)
BOTH(Gatherv, Igatherv, CS_EMU_GATHER,
     ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, const int rcounts[], const int rdispls[],
          MPI_Datatype rtype, int root),
     .send = BLOCKS(sbuf, scount, stype), .recv = VBLOCKS(rbuf, rcounts, rdispls, rtype), .root = root)
BOTH(Scatter, Iscatter, CS_EMU_SCATTER,
     ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype, int root),
     .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype), .root = root)
BOTH(Scatterv, Iscatterv, CS_EMU_SCATTER,
     ARGS(const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype, void *rbuf, int rcount,
          MPI_Datatype rtype, int root),
     .send = VBLOCKS(sbuf, scounts, sdispls, stype), .recv = BLOCKS(rbuf, rcount, rtype), .root = root)
BOTH(Allgather, Iallgather, CS_EMU_ALLGATHER,
     ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype),
     .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype))
BOTH(Allgatherv, Iallgatherv, CS_EMU_ALLGATHER,
     ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, const int rcounts[], const int rdispls[],
          MPI_Datatype rtype),
     .send = BLOCKS(sbuf, scount, stype), .recv = VBLOCKS(rbuf, rcounts, rdispls, rtype))
BOTH(Alltoall, Ialltoall, CS_EMU_ALLTOALL,
     ARGS(const void *sbuf, int scount, MPI_Datatype stype, void *rbuf, int rcount, MPI_Datatype rtype),
     .send = BLOCKS(sbuf, scount, stype), .recv = BLOCKS(rbuf, rcount, rtype))
BOTH(Alltoallv, Ialltoallv, CS_EMU_ALLTOALL,
     ARGS(const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype, void *rbuf,
          const int rcounts[], const int rdispls[], MPI_Datatype rtype),
     .send = VBLOCKS(sbuf, scounts, sdispls, stype), .recv = VBLOCKS(rbuf, rcounts, rdispls, rtype))
BOTH(Alltoallw, Ialltoallw, CS_EMU_ALLTOALL,
     ARGS(const void *sbuf, const int scounts[], const int sdispls[], const MPI_Datatype stypes[], void *rbuf,
          const int rcounts[], const int rdispls[], const MPI_Datatype rtypes[]),
     .send = WBLOCKS(sbuf, scounts, sdispls, stypes), .recv = WBLOCKS(rbuf, rcounts, rdispls, rtypes))
BOTH(Reduce, Ireduce, CS_EMU_REDUCE, ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op, int root),
     .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op, .root = root)
BOTH(Allreduce, Iallreduce, CS_EMU_ALLREDUCE, ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op),
     .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op)
BOTH(Reduce_scatter, Ireduce_scatter, CS_EMU_REDUCE_SCATTER,
     ARGS(const void *sbuf, void *rbuf, const int counts[], MPI_Datatype t, MPI_Op op), .send = BLOCKS(sbuf, 0, t),
     .recv = VBLOCKS(rbuf, counts, NULL, t), .op = op)
BOTH(Reduce_scatter_block, Ireduce_scatter_block, CS_EMU_REDUCE_SCATTER,
     ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op), .send = BLOCKS(sbuf, count, t),
     .recv = BLOCKS(rbuf, count, t), .op = op)
BOTH(Scan, Iscan, CS_EMU_SCAN, ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op),
     .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op)
BOTH(Exscan, Iexscan, CS_EMU_EXSCAN, ARGS(const void *sbuf, void *rbuf, int count, MPI_Datatype t, MPI_Op op),
     .send = BLOCKS(sbuf, count, t), .recv = BLOCKS(rbuf, count, t), .op = op)
