/* SPDX-License-Identifier: BSD-3-Clause
 * The three steps of a collective call: deposit, readiness, taking out. Roots of a broadcast and contributors of a
 * reduction leave at once; whoever gets something waits for those it comes from. */
#include "emulate/collectives/coll.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/objects/comm_table.h"
#include "emulate/messages/message.h"
#include "emulate/collectives/neighbor.h"
#include "emulate/objects/op.h"
#include "emulate/messages/request.h"
#include "emulate/world/shared_memory.h"
#include "emulate/types/type.h"
#include "emulate/world/wait.h"

static struct cs_emu_coll_call *under_way;

/* ---- blocks of the user's buffers ---- */

static MPI_Datatype type_at(const struct cs_emu_blocks *b, int i)
{
    return b->types ? b->types[i] : b->type;
}

static int64_t count_at(const struct cs_emu_blocks *b, int i)
{
    return b->counts ? b->counts[i] : b->count;
}

static int64_t bytes_at(const struct cs_emu_blocks *b, int i)
{
    int64_t n = count_at(b, i);
    return n ? n * cs_emu_type_size(type_at(b, i)) : 0;
}

static char *buffer_at(const struct cs_emu_blocks *b, int i)
{
    if (b->types)
        return (char *)b->buf + b->displs[i];
    int64_t extent = cs_emu_type_extent(b->type);
    return (char *)b->buf + (b->displs ? b->displs[i] * extent : (int64_t)i * b->count * extent);
}

static struct cs_emu_part *pack_block(const struct cs_emu_blocks *b, int i)
{
    struct cs_emu_part *p = cs_emu_part_new((uint64_t)bytes_at(b, i), 0);
    if (p->bytes)
        cs_emu_pack(p->data, buffer_at(b, i), count_at(b, i), type_at(b, i));
    return p;
}

static struct cs_emu_part *pack_pieces(const struct cs_emu_blocks *b, int n)
{
    uint64_t total = 0;
    for (int i = 0; i < n; i++)
        total += (uint64_t)bytes_at(b, i);
    struct cs_emu_part *p = cs_emu_part_new(total, (uint64_t)n);
    uint64_t *at = (uint64_t *)p->data;
    char *data = p->data + ((uint64_t)n + 1) * sizeof *at;
    at[0] = 0;
    for (int i = 0; i < n; i++) {
        int64_t bytes = bytes_at(b, i);
        if (bytes)
            cs_emu_pack(data + at[i], buffer_at(b, i), count_at(b, i), type_at(b, i));
        at[i + 1] = at[i] + (uint64_t)bytes;
    }
    return p;
}

/* Into block i; MPI_ERR_TRUNCATE if there is more than fits. */
static int unpack_block(const struct cs_emu_blocks *b, int i, const char *data, uint64_t bytes)
{
    int64_t room = bytes_at(b, i), n = (int64_t)bytes < room ? (int64_t)bytes : room;
    if (n)
        cs_emu_unpack(buffer_at(b, i), count_at(b, i), type_at(b, i), data, n);
    return (int64_t)bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

/* ---- who is what ---- */

static bool is_root(const struct cs_emu_coll_call *k)
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
    return is_root(k) ? cs_emu_coll_index(k->comm) : cs_emu_coll_peers_at(k->comm) + k->root;
}

static bool root_sends(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_BCAST || k == CS_EMU_SCATTER;
}

static bool root_receives(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_GATHER || k == CS_EMU_REDUCE;
}

static bool combines(enum cs_emu_coll_kind k)
{
    return k == CS_EMU_REDUCE || k == CS_EMU_ALLREDUCE || k == CS_EMU_REDUCE_SCATTER || k == CS_EMU_SCAN ||
           k == CS_EMU_EXSCAN;
}

static bool gets_something(const struct cs_emu_coll_call *k)
{
    if (root_sends(k->kind))
        return !is_root(k) ? !looks_on(k) : k->kind == CS_EMU_SCATTER && !k->comm->inter && k->recv.buf != MPI_IN_PLACE;
    if (root_receives(k->kind))
        return is_root(k);
    return true;
}

/* Elements of a reduction. */
static int64_t elements(const struct cs_emu_coll_call *k)
{
    if (k->kind != CS_EMU_REDUCE_SCATTER)
        return k->recv.count;
    int64_t n = 0;
    for (int i = 0; i < k->comm->local->size; i++)
        n += count_at(&k->recv, i);
    return n;
}

/* ---- deposit ---- */

static struct cs_emu_part *pack_elements(const struct cs_emu_coll_call *k)
{
    struct cs_emu_blocks all = k->recv;
    all.buf = k->send.buf == MPI_IN_PLACE ? k->recv.buf : k->send.buf;
    all.counts = all.displs = NULL;
    all.count = (int)elements(k);
    return pack_block(&all, 0);
}

static struct cs_emu_part *own_part(const struct cs_emu_coll_call *k)
{
    bool in_place = k->send.buf == MPI_IN_PLACE;
    int peers = cs_emu_comm_peers(k->comm);
    if (combines(k->kind))
        return (root_receives(k->kind) && k->comm->inter && (is_root(k) || looks_on(k))) ? NULL : pack_elements(k);
    switch (k->kind) {
    case CS_EMU_BCAST: return is_root(k) ? pack_block(&k->send, 0) : NULL;
    case CS_EMU_SCATTER: return is_root(k) ? pack_pieces(&k->send, peers) : NULL;
    case CS_EMU_GATHER:
        return looks_on(k) || (is_root(k) && (k->comm->inter || in_place)) ? NULL : pack_block(&k->send, 0);
    case CS_EMU_ALLGATHER: return in_place ? pack_block(&k->recv, k->comm->rank) : pack_block(&k->send, 0);
    case CS_EMU_ALLTOALL: return pack_pieces(in_place ? &k->recv : &k->send, peers);
    default: return NULL;
    }
}

/* The last one to come does what is done once. But the last step of the program's own operations is done by every rank:
 * with MPICH, too, the program's function is called on all of them. */
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

static void deposit(struct cs_emu_coll_call *k)
{
    bool rooted = root_sends(k->kind) || root_receives(k->kind);
    struct cs_emu_coll *o = k->object =
        cs_emu_coll_join(k->comm, k->kind, rooted && !k->comm->inter ? k->root : CS_EMU_NO_ROOT, k->name);
    struct cs_emu_part *p = own_part(k);
    if (p)
        atomic_store(&o->slot[cs_emu_coll_index(k->comm)], p);
    bool last = atomic_fetch_add(&o->arrived, 1) + 1 == o->size;
    if (last)
        finish_object(k);
    if (root_sends(k->kind) ? is_root(k) : last && !root_receives(k->kind))
        cs_emu_coll_wake_all(k->comm);
    else if (last && root_receives(k->kind) && root_world(k) >= 0)
        cs_emu_wake(root_world(k));
    else if (last && root_receives(k->kind))
        cs_emu_coll_wake_all(k->comm); /* the root's side does not say who it is */
    k->waits = gets_something(k);
}

/* ---- readiness and taking out ---- */

static bool is_ready(void *arg)
{
    struct cs_emu_coll_call *k = arg;
    if (root_sends(k->kind))
        return atomic_load(&k->object->slot[root_slot(k)]) != NULL;
    return atomic_load(&k->object->finished);
}

static int take_pieces(const struct cs_emu_coll_call *k)
{
    int rc = MPI_SUCCESS, at = cs_emu_coll_peers_at(k->comm);
    for (int i = 0; i < cs_emu_comm_peers(k->comm); i++) {
        uint64_t bytes;
        const struct cs_emu_part *p = k->object->slot[at + i];
        if (!p)
            continue;
        const char *data = cs_emu_part_piece(p, k->comm->rank, &bytes);
        int one = unpack_block(&k->recv, i, data, bytes);
        rc = rc == MPI_SUCCESS ? one : rc;
    }
    return rc;
}

static int take_from_root(const struct cs_emu_coll_call *k)
{
    uint64_t bytes;
    struct cs_emu_blocks b = k->recv;
    b.counts = b.displs = NULL;
    const char *data = cs_emu_part_piece(k->object->slot[root_slot(k)], k->comm->rank, &bytes);
    return unpack_block(&b, 0, data, bytes);
}

static int take_elements(const struct cs_emu_coll_call *k, const struct cs_emu_part *p)
{
    struct cs_emu_blocks b = k->recv;
    uint64_t skip = 0;
    if (!p)
        return MPI_SUCCESS;
    if (k->kind == CS_EMU_REDUCE_SCATTER) {
        for (int i = 0; i < k->comm->rank; i++)
            skip += (uint64_t)bytes_at(&k->recv, i);
        b.count = (int)count_at(&k->recv, k->comm->rank);
        b.counts = NULL;
        return unpack_block(&b, 0, p->data + skip, (uint64_t)bytes_at(&b, 0));
    }
    return unpack_block(&b, 0, p->data, p->bytes);
}

static int take_result(struct cs_emu_coll_call *k, int side)
{
    const struct cs_emu_coll *o = k->object;
    if (!o->last[side])
        return take_elements(k, o->result[side]);
    struct cs_emu_part *all = cs_emu_coll_finish_last(o->result[side], o->last[side], k, elements(k));
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

static void finish(struct cs_emu_coll_call *k)
{
    if (k->waits)
        k->error = take_out(k);
    cs_emu_coll_leave(k->object);
}

static void say_wait(const struct cs_emu_coll_call *k)
{
    struct cs_emu_wait_note *n = &cs_emu_me->note;
    n->call = k->name;
    n->peer = root_sends(k->kind) && root_world(k) >= 0 ? root_world(k) : MPI_PROC_NULL;
    n->tag = -1;
    n->collective = 1;
    n->context = k->comm->context;
    n->sequence = k->comm->collectives;
}

/* Completes what is ready. */
static bool try_finish(struct cs_emu_coll_call *k)
{
    if (k->many)
        return cs_emu_neighbor_done(k->many, &k->error);
    if (k->waits && !is_ready(k))
        return false;
    finish(k);
    return true;
}

/* The program may free types and operations while the call is under way. What is sent is packed already. */
static void hold_objects(const struct cs_emu_coll_call *k, bool hold)
{
    void (*with_type)(MPI_Datatype) = hold ? cs_emu_type_hold : cs_emu_type_release;
    if (k->many || k->kind == CS_EMU_BARRIER)
        return;
    if (combines(k->kind))
        (hold ? cs_emu_op_hold : cs_emu_op_release)(k->op);
    if (!k->recv.types)
        with_type(k->recv.type);
    for (int i = 0; k->recv.types && i < cs_emu_comm_peers(k->comm); i++)
        if (k->recv.counts[i])
            with_type(k->recv.types[i]);
}

bool cs_emu_coll_progress(void)
{
    bool any = false;
    for (struct cs_emu_coll_call **p = &under_way; *p;) {
        struct cs_emu_coll_call *k = *p;
        if (!try_finish(k)) {
            p = &k->next;
            continue;
        }
        *p = k->next;
        hold_objects(k, false);
        k->request->error = k->error;
        k->request->complete = any = true;
        k->request->coll = NULL;
        if (k->request->freed)
            cs_emu_req_free(k->request);
        free(k);
    }
    return any;
}

static void keep(struct cs_emu_coll_call *k)
{
    struct cs_emu_coll_call **end = &under_way;
    while (*end)
        end = &(*end)->next;
    k->next = NULL;
    *end = k;
    cs_emu_coll_progress();
}

static int begin(const struct cs_emu_coll_call *call, MPI_Request *request)
{
    struct cs_emu_coll_call *k = malloc(sizeof *k);
    struct cs_emu_req *r = k ? cs_emu_req_new(CS_EMU_REQ_COLL, call->comm, MPI_DATATYPE_NULL) : NULL;
    if (!r) {
        free(k);
        return MPI_ERR_NO_MEM;
    }
    *k = *call;
    k->request = r;
    r->coll = k;
    *request = r->handle;
    hold_objects(k, true);
    if (!k->many)
        deposit(k);
    keep(k);
    return MPI_SUCCESS;
}

int cs_emu_coll_many(struct cs_emu_comm *c, struct cs_emu_many *many, MPI_Request *request)
{
    struct cs_emu_coll_call k = {.comm = c, .many = many};
    return begin(&k, request);
}

int cs_emu_coll_run(const struct cs_emu_coll_call *call, MPI_Request *request)
{
    if (request)
        return begin(call, request);
    struct cs_emu_coll_call k = *call;
    deposit(&k);
    if (k.waits && !is_ready(&k)) {
        say_wait(&k);
        cs_emu_wait(is_ready, &k);
    }
    finish(&k);
    return k.error;
}

void cs_emu_exchange_each(struct cs_emu_comm *c, const void *own, uint64_t bytes,
                          void (*take)(void *arg, int rank, const void *data, uint64_t bytes), void *arg,
                          const char *call)
{
    struct cs_emu_coll_call k = {.kind = CS_EMU_EXCHANGE, .comm = c, .name = call, .waits = true};
    struct cs_emu_coll *o = k.object = cs_emu_coll_join(c, k.kind, CS_EMU_NO_ROOT, call);
    struct cs_emu_part *p = cs_emu_part_new(bytes, 0);
    if (bytes)
        memcpy(p->data, own, bytes);
    atomic_store(&o->slot[cs_emu_coll_index(c)], p);
    if (atomic_fetch_add(&o->arrived, 1) + 1 == o->size) {
        atomic_store(&o->finished, 1);
        cs_emu_coll_wake_all(c);
    } else {
        say_wait(&k);
        cs_emu_wait(is_ready, &k);
    }
    for (int i = 0; i < o->size; i++)
        take(arg, i, o->slot[i]->data, o->slot[i]->bytes);
    cs_emu_coll_leave(o);
}

static void copy_one(void *all, int rank, const void *data, uint64_t bytes)
{
    memcpy((char *)all + (uint64_t)rank * bytes, data, bytes);
}

void cs_emu_exchange(struct cs_emu_comm *c, const void *own, uint64_t bytes, void *all, const char *call)
{
    cs_emu_exchange_each(c, own, bytes, copy_one, all, call);
}
