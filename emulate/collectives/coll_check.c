/* SPDX-License-Identifier: BSD-3-Clause
 * The checks of the arguments of collective calls, as MPICH makes them and in its order: an argument list with two
 * mistakes gives the same error class. */
#include <stddef.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/collectives/op.h"
#include "emulate/objects/comm.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type.h"

/* Blocks with a count each: all of them together must have a number of bytes, too. */
static int check_each(const struct cs_emu_blocks *b, int n)
{
    int64_t all = 0;
    for (int i = 0; i < n; i++) {
        int64_t count = cs_emu_block_count(b, i);
        if (count == 0)
            continue;
        int rc = b->types ? cs_emu_check_elements(count, b->types[i]) : cs_emu_check_buffer(b->buf, count, b->type);
        if (rc == MPI_SUCCESS && __builtin_add_overflow(all, cs_emu_block_bytes(b, i), &all))
            rc = MPI_ERR_COUNT;
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return b->types ? MPI_SUCCESS : cs_emu_check_type(b->type);
}

/* n blocks: 0 for one. */
static int check_blocks(const struct cs_emu_blocks *b, int n)
{
    int64_t all;
    if (b->buf == MPI_IN_PLACE)
        return MPI_SUCCESS;
    if ((b->types || b->counts.at) && n > 0 && (!b->counts.at || (b->types && !b->displs.at)))
        return MPI_ERR_ARG;
    if (b->types || b->counts.at)
        return check_each(b, b->counts.at ? n : 0);
    if (__builtin_mul_overflow(b->count, n > 1 ? n : 1, &all))
        return MPI_ERR_COUNT;
    return cs_emu_check_buffer(b->buf, all, b->type);
}

static bool root_fits(const struct cs_emu_coll_call *k)
{
    if (k->root >= 0)
        return k->root < cs_emu_comm_peers(k->comm);
    return k->comm->inter && (k->root == MPI_ROOT || k->root == MPI_PROC_NULL);
}

static bool is_rooted(enum cs_emu_coll_kind k)
{
    return cs_emu_coll_root_sends(k) || cs_emu_coll_root_receives(k);
}

bool cs_emu_coll_uses_send(const struct cs_emu_coll_call *k)
{
    bool root = cs_emu_coll_is_root(k);
    switch (k->kind) {
    case CS_EMU_BCAST:
    case CS_EMU_SCATTER: return root;
    case CS_EMU_GATHER: return !k->comm->inter || k->root >= 0;
    case CS_EMU_ALLGATHER:
    case CS_EMU_ALLTOALL: return true;
    default: return false;
    }
}

bool cs_emu_coll_uses_recv(const struct cs_emu_coll_call *k)
{
    bool root = cs_emu_coll_is_root(k);
    switch (k->kind) {
    case CS_EMU_GATHER:
    case CS_EMU_REDUCE: return root;
    case CS_EMU_BCAST:
    case CS_EMU_SCATTER: return k->comm->inter ? k->root >= 0 : true;
    default: return k->kind != CS_EMU_BARRIER;
    }
}

/* Does this rank bring elements of a reduction? On the side of an intercommunicator's root nobody does. */
static bool brings_elements(const struct cs_emu_coll_call *k)
{
    return cs_emu_coll_combines(k->kind) && !(k->kind == CS_EMU_REDUCE && k->comm->inter && k->root < 0);
}

/* Where MPI_IN_PLACE may stand: for what is sent by all, or by the root that also receives; for what a root that
 * scatters gets. */
static bool in_place_fits(const struct cs_emu_coll_call *k)
{
    bool sent = k->send.buf == MPI_IN_PLACE, got = k->recv.buf == MPI_IN_PLACE, root = k->root == k->comm->rank;
    if (!sent && !got)
        return true;
    if (k->comm->inter)
        return !(sent && (cs_emu_coll_uses_send(k) || brings_elements(k))) && !(got && cs_emu_coll_uses_recv(k));
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
    if (k->kind != CS_EMU_REDUCE_SCATTER || !k->recv.counts.at)
        return k->recv.count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
    *all = 0;
    for (int i = 0; i < k->comm->local->size; i++) {
        int64_t count = cs_emu_block_count(&k->recv, i);
        if (count < 0 || __builtin_add_overflow(*all, count, all))
            return MPI_ERR_COUNT;
    }
    *own = k->send.buf == MPI_IN_PLACE ? *all : cs_emu_block_count(&k->recv, k->comm->rank);
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
    if (rc == MPI_SUCCESS && cs_emu_coll_uses_recv(k))
        rc = cs_emu_check_buffer(k->recv.buf, own, k->recv.type);
    if (rc == MPI_SUCCESS && !k->comm->inter && cs_emu_coll_uses_recv(k) && all > 0 && k->send.buf == k->recv.buf)
        rc = MPI_ERR_BUFFER;
    return rc;
}

/* Is the one block at the place of the own block among all of them? MPICH takes sizes for extents there. */
static bool is_own_block(const struct cs_emu_blocks *one, const struct cs_emu_blocks *all, int rank)
{
    if (!one->buf || one->count == 0 || one->type != all->type || cs_emu_block_count(all, rank) == 0 ||
        (!all->counts.at && one->count != all->count))
        return false;
    int64_t at = all->displs.at ? cs_emu_number(&all->displs, rank) : rank * all->count;
    return one->buf == (char *)all->buf + at * cs_emu_type_size(all->type);
}

/* The same memory must not be read and written. Only equal addresses are found, as with MPICH, and only where counts
 * and types are the same: of the v- and w-forms of MPI_Alltoall, where they are the same arrays. */
static bool overlaps(const struct cs_emu_coll_call *k)
{
    const struct cs_emu_blocks *s = &k->send, *r = &k->recv;
    if (k->comm->inter || s->buf == MPI_IN_PLACE || r->buf == MPI_IN_PLACE)
        return false;
    switch (k->kind) {
    case CS_EMU_ALLTOALL:
        return s->buf && s->buf == r->buf && s->counts.at == r->counts.at && s->types == r->types &&
               (s->types || s->type == r->type) && (s->counts.at || (s->count == r->count && s->count > 0));
    case CS_EMU_ALLGATHER: return is_own_block(s, r, k->comm->rank);
    case CS_EMU_GATHER: return cs_emu_coll_is_root(k) && is_own_block(s, r, k->comm->rank);
    case CS_EMU_SCATTER: return cs_emu_coll_is_root(k) && is_own_block(r, s, k->comm->rank);
    default: return false;
    }
}

int cs_emu_coll_check(const struct cs_emu_coll_call *k)
{
    int rc = MPI_SUCCESS, peers;
    if (!k->comm)
        return MPI_ERR_COMM;
    peers = cs_emu_comm_peers(k->comm);
    if (is_rooted(k->kind) && !root_fits(k))
        return MPI_ERR_ROOT;
    if (!in_place_fits(k))
        return MPI_ERR_BUFFER;
    if (cs_emu_coll_combines(k->kind))
        return check_reduction(k);
    if (cs_emu_coll_uses_send(k))
        rc = check_blocks(&k->send, k->kind == CS_EMU_ALLTOALL || k->kind == CS_EMU_SCATTER ? peers : 0);
    if (rc == MPI_SUCCESS && cs_emu_coll_uses_recv(k))
        rc = check_blocks(&k->recv, peers);
    return rc == MPI_SUCCESS && overlaps(k) ? MPI_ERR_BUFFER : rc;
}
