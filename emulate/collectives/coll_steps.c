/* SPDX-License-Identifier: BSD-3-Clause
 * The three steps of a collective call: deposit, readiness, taking out. Roots of a broadcast and contributors of a
 * reduction leave at once; whoever gets something waits for those it comes from. */
#include <assert.h>
#include <stddef.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/collectives/op.h"
#include "emulate/objects/comm.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/wait.h"

/* ---- kinds and roles ---- */

bool cs_emu_coll_is_root(const struct cs_emu_coll_call *k)
{
    return k->comm->inter ? k->root == MPI_ROOT : k->root == k->comm->rank;
}

/* On the root's side of an intercommunicator, without a part in it. */
static bool looks_on(const struct cs_emu_coll_call *k)
{
    return k->comm->inter && k->root == MPI_PROC_NULL;
}

static int root_slot(const struct cs_emu_coll_call *k)
{
    assert(!looks_on(k));
    return cs_emu_coll_is_root(k) ? cs_emu_coll_index(k->comm) : cs_emu_coll_peers_at(k->comm) + k->root;
}

bool cs_emu_coll_root_sends(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_BCAST || k == CS_EMU_SCATTER;
}

bool cs_emu_coll_root_receives(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_GATHER || k == CS_EMU_REDUCE;
}

bool cs_emu_coll_combines(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_REDUCE || k == CS_EMU_ALLREDUCE || k == CS_EMU_REDUCE_SCATTER || k == CS_EMU_SCAN ||
           k == CS_EMU_EXSCAN;
}

static bool gets_something(const struct cs_emu_coll_call *k)
{
    if (cs_emu_coll_root_sends(k->kind))
        return !cs_emu_coll_is_root(k) ? !looks_on(k)
                                       : k->kind == CS_EMU_SCATTER && !k->comm->inter && k->recv.buf != MPI_IN_PLACE;
    if (cs_emu_coll_root_receives(k->kind))
        return cs_emu_coll_is_root(k);
    return true;
}

/* Elements of a reduction. */
static int64_t elements(const struct cs_emu_coll_call *k)
{
    if (k->kind != CS_EMU_REDUCE_SCATTER)
        return k->recv.count;
    int64_t n = 0;
    for (int i = 0; i < k->comm->local->size; i++)
        n += cs_emu_block_count(&k->recv, i);
    return n;
}

/* ---- deposit ---- */

static struct cs_emu_deposit *pack_elements(const struct cs_emu_coll_call *k)
{
    struct cs_emu_blocks all = k->recv;
    all.buf = k->send.buf == MPI_IN_PLACE ? k->recv.buf : k->send.buf;
    all.counts = all.displs = (struct cs_emu_numbers){0};
    all.count = elements(k);
    return cs_emu_blocks_pack_one(&all, 0);
}

static struct cs_emu_deposit *own_part(const struct cs_emu_coll_call *k)
{
    bool in_place = k->send.buf == MPI_IN_PLACE;
    int peers = cs_emu_comm_peers(k->comm);
    if (cs_emu_coll_combines(k->kind))
        return (cs_emu_coll_root_receives(k->kind) && k->comm->inter && (cs_emu_coll_is_root(k) || looks_on(k)))
                   ? NULL
                   : pack_elements(k);
    switch (k->kind) {
    case CS_EMU_BCAST: return cs_emu_coll_is_root(k) ? cs_emu_blocks_pack_one(&k->send, 0) : NULL;
    case CS_EMU_SCATTER: return cs_emu_coll_is_root(k) ? cs_emu_blocks_pack_pieces(&k->send, peers) : NULL;
    case CS_EMU_GATHER:
        return looks_on(k) || (cs_emu_coll_is_root(k) && (k->comm->inter || in_place))
                   ? NULL
                   : cs_emu_blocks_pack_one(&k->send, 0);
    case CS_EMU_ALLGATHER:
        return in_place ? cs_emu_blocks_pack_one(&k->recv, k->comm->rank) : cs_emu_blocks_pack_one(&k->send, 0);
    case CS_EMU_ALLTOALL: return cs_emu_blocks_pack_pieces(in_place ? &k->recv : &k->send, peers);
    default: return NULL;
    }
}

/* What is done once, by the last rank to come. But the last step of the program's own operations is done by every rank,
 * as MPICH calls the program's function on all of them, too. */
static void finish_object(struct cs_emu_coll_call *k)
{
    struct cs_emu_coll *o = k->object;
    const struct cs_emu_comm *c = k->comm;
    bool own = !cs_emu_op_predefined(k->op);
    if (k->kind == CS_EMU_SCAN || k->kind == CS_EMU_EXSCAN) {
        cs_emu_coll_prefix(o, k, elements(k));
    } else if (cs_emu_coll_is_pairwise(k, elements(k))) {
        o->result[0] = cs_emu_coll_pairwise(o, k);
    } else if (k->kind == CS_EMU_ALLREDUCE || k->kind == CS_EMU_REDUCE_SCATTER) {
        int first = !c->inter || c->first ? c->local->size : c->remote->size;
        o->result[0] = cs_emu_coll_combine(o, 0, first, k, elements(k), own ? &o->last[0] : NULL);
        o->result[1] = cs_emu_coll_combine(o, first, o->size, k, elements(k), own ? &o->last[1] : NULL);
    }
    atomic_store(&o->finished, 1);
}

static int root_world(const struct cs_emu_coll_call *k)
{
    return k->root >= 0 ? cs_emu_comm_world(k->comm, k->root) : -1;
}

/* Nobody is there to whom it goes. */
static void deposit_for_nobody(struct cs_emu_coll_call *k)
{
    struct cs_emu_deposit *p = own_part(k);
    if (p)
        cs_emu_free(p);
    k->number = k->comm->collectives++;
    k->waits = gets_something(k);
}

void cs_emu_coll_deposit(struct cs_emu_coll_call *k)
{
    if (cs_emu_tape_plays()) {
        deposit_for_nobody(k);
        return;
    }
    bool rooted = cs_emu_coll_root_sends(k->kind) || cs_emu_coll_root_receives(k->kind);
    struct cs_emu_coll *o = k->object =
        cs_emu_coll_join(k->comm, k->kind, rooted && !k->comm->inter ? k->root : CS_EMU_NO_ROOT, k->name);
    struct cs_emu_deposit *p = own_part(k);
    if (p)
        atomic_store(&o->slot[cs_emu_coll_index(k->comm)], p);
    bool last = cs_emu_coll_arrive(o);
    if (last)
        finish_object(k);
    if (cs_emu_coll_root_sends(k->kind) ? cs_emu_coll_is_root(k) : last && !cs_emu_coll_root_receives(k->kind))
        cs_emu_coll_wake_all(k->comm);
    else if (last && cs_emu_coll_root_receives(k->kind) && root_world(k) >= 0)
        cs_emu_wake(root_world(k));
    else if (last && cs_emu_coll_root_receives(k->kind))
        cs_emu_coll_wake_all(k->comm); /* the root's side does not say who it is */
    k->waits = gets_something(k);
}

/* ---- readiness and taking out ---- */

bool cs_emu_coll_is_ready(void *arg)
{
    struct cs_emu_coll_call *k = arg;
    if (cs_emu_tape_plays())
        return cs_emu_tape_has_result(k->comm->context, k->number);
    if (cs_emu_coll_root_sends(k->kind))
        return atomic_load(&k->object->slot[root_slot(k)]) != NULL;
    return atomic_load(&k->object->finished);
}

/* As cs_emu_blocks_unpack; also on the tape, where pieces follow what cs_emu_coll_finish says of the call. */
static int unpack(const struct cs_emu_blocks *b, int i, const char *data, uint64_t bytes)
{
    cs_emu_tape_add((struct cs_emu_tape_item){.kind = CS_EMU_TAPE_PIECE, .number = (uint32_t)i, .bytes = bytes}, data);
    return cs_emu_blocks_unpack(b, i, data, bytes);
}

static int take_pieces(const struct cs_emu_coll_call *k)
{
    int rc = MPI_SUCCESS, at = cs_emu_coll_peers_at(k->comm);
    for (int i = 0; i < cs_emu_comm_peers(k->comm); i++) {
        uint64_t bytes;
        const struct cs_emu_deposit *p = k->object->slot[at + i];
        if (!p)
            continue;
        const char *data = cs_emu_deposit_piece(p, k->comm->rank, &bytes);
        int one = unpack(&k->recv, i, data, bytes);
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    return rc;
}

/* Where what this rank gets goes; of a reduction with scatter its own block, which is block 0. */
static struct cs_emu_blocks blocks_of(const struct cs_emu_coll_call *k)
{
    struct cs_emu_blocks b = k->recv;
    if (cs_emu_coll_root_sends(k->kind))
        b.counts = b.displs = (struct cs_emu_numbers){0};
    if (k->kind == CS_EMU_REDUCE_SCATTER) {
        b.count = cs_emu_block_count(&k->recv, k->comm->rank);
        b.counts = (struct cs_emu_numbers){0};
    }
    return b;
}

static int take_from_root(const struct cs_emu_coll_call *k)
{
    assert(cs_emu_coll_root_sends(k->kind) && k->object->slot[root_slot(k)]);
    uint64_t bytes;
    const struct cs_emu_blocks b = blocks_of(k);
    const char *data = cs_emu_deposit_piece(k->object->slot[root_slot(k)], k->comm->rank, &bytes);
    int rc = unpack(&b, 0, data, bytes);
    bool differs = k->kind == CS_EMU_BCAST && !k->comm->inter && bytes && bytes != (uint64_t)cs_emu_block_bytes(&b, 0);
    /* As with MPICH, which does not say of a nonblocking broadcast that a message is too long. */
    return differs && (rc == MPI_SUCCESS || k->request) ? MPI_ERR_OTHER : rc;
}

static int take_elements(const struct cs_emu_coll_call *k, const struct cs_emu_deposit *p)
{
    const struct cs_emu_blocks b = blocks_of(k);
    uint64_t skip = 0;
    if (!p)
        return MPI_SUCCESS;
    if (k->kind == CS_EMU_REDUCE_SCATTER) {
        for (int i = 0; i < k->comm->rank; i++)
            skip += (uint64_t)cs_emu_block_bytes(&k->recv, i);
        return unpack(&b, 0, p->data + skip, (uint64_t)cs_emu_block_bytes(&b, 0));
    }
    return unpack(&b, 0, p->data, p->bytes);
}

static int take_result(struct cs_emu_coll_call *k, int side)
{
    const struct cs_emu_coll *o = k->object;
    if (!o->last[side])
        return take_elements(k, o->result[side]);
    struct cs_emu_deposit *all = cs_emu_coll_finish_last(o->result[side], o->last[side], k, elements(k));
    int rc = take_elements(k, all);
    cs_emu_free(all);
    return rc;
}

static int take_out(struct cs_emu_coll_call *k)
{
    struct cs_emu_coll *o = k->object;
    int other = k->comm->inter ? !cs_emu_coll_side(k->comm) : 0, at = cs_emu_coll_peers_at(k->comm);
    switch (k->kind) {
    case CS_EMU_BCAST:
    case CS_EMU_SCATTER: return take_from_root(k);
    case CS_EMU_GATHER:
    case CS_EMU_ALLGATHER:
    case CS_EMU_ALLTOALL: return take_pieces(k);
    case CS_EMU_REDUCE:
        o->result[0] = cs_emu_coll_combine(o, at, at + cs_emu_comm_peers(k->comm), k, elements(k), NULL);
        return take_elements(k, o->result[0]);
    case CS_EMU_ALLREDUCE:
    case CS_EMU_REDUCE_SCATTER: return take_result(k, other);
    case CS_EMU_SCAN:
    case CS_EMU_EXSCAN: return take_elements(k, o->slot[k->comm->rank]);
    default: return MPI_SUCCESS;
    }
}

static int take_from_tape(const struct cs_emu_coll_call *k)
{
    const struct cs_emu_tape_item *i = cs_emu_tape_take_result(k->comm->context, k->number, (int)k->kind, k->name);
    const struct cs_emu_blocks b = blocks_of(k);
    int rc = MPI_SUCCESS;
    while ((i = cs_emu_tape_next(i))->kind == CS_EMU_TAPE_PIECE) {
        int one = cs_emu_blocks_unpack(&b, (int)i->number, cs_emu_tape_data(i), i->bytes);
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    return rc;
}

static void tape_result(const struct cs_emu_coll_call *k)
{
    cs_emu_tape_add((struct cs_emu_tape_item){.kind = CS_EMU_TAPE_RESULT,
                                              .context = k->comm->context,
                                              .number = k->object->sequence,
                                              .tag = (int32_t)k->kind},
                    NULL);
}

void cs_emu_coll_finish(struct cs_emu_coll_call *k)
{
    if (cs_emu_tape_plays()) {
        k->error = k->waits ? take_from_tape(k) : MPI_SUCCESS;
        return;
    }
    assert(k->object && (!k->waits || cs_emu_coll_is_ready(k)));
    if (k->waits) {
        tape_result(k);
        k->error = take_out(k);
    }
    cs_emu_coll_leave(k->object);
}

void cs_emu_coll_note_wait(const struct cs_emu_coll_call *k)
{
    struct cs_emu_wait_note *n = &cs_emu_me->note;
    n->call = k->name;
    n->peer = cs_emu_coll_root_sends(k->kind) && root_world(k) >= 0 ? root_world(k) : MPI_PROC_NULL;
    n->tag = -1;
    n->collective = 1;
    n->context = k->comm->context;
    n->sequence = k->comm->collectives;
}
