/* SPDX-License-Identifier: BSD-3-Clause
 * Objects of collective calls: found by context and number, made by the first rank that comes, freed by the last one
 * that leaves. */
#include <assert.h>
#include <string.h>

#include "commlib/process/say.h"
#include "emulate/collectives/coll_internal.h"
#include "emulate/objects/comm.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/wait.h"
#include "emulate/world/world.h"

static struct cs_emu_bucket *bucket_of(uint32_t context, uint32_t sequence)
{
    uint32_t h = context * 0x9e3779b1u + sequence;
    return &cs_emu_world->collective_bucket[h % CS_EMU_BUCKETS];
}

static struct cs_emu_coll *find(const struct cs_emu_bucket *b, uint32_t context, uint32_t sequence)
{
    struct cs_emu_coll *o = b->first;
    while (o && (o->context != context || o->sequence != sequence))
        o = o->next;
    return o;
}

static struct cs_emu_coll *make(const struct cs_emu_comm *c, enum cs_emu_coll_kind kind, int root, const char *call)
{
    int size = cs_emu_comm_members(c);
    size_t bytes =
        sizeof(struct cs_emu_coll) + (kind != CS_EMU_BARRIER ? (size_t)size * sizeof(struct cs_emu_deposit *) : 0);
    struct cs_emu_coll *o = cs_emu_alloc(bytes);
    memset(o, 0, bytes);
    o->context = c->context;
    o->sequence = c->collectives;
    o->kind = kind;
    o->size = size;
    o->root = root;
    o->first_comer = cs_emu_rank();
    o->call_site = cs_emu_me->call_site;
    o->call = call;
    return o;
}

/* Names both places. The rank that was first may be far away by now. */
static _Noreturn void refuse(const struct cs_emu_coll *o, enum cs_emu_coll_kind kind, int root, const char *call)
{
    char own[256], other[256];
    cs_emu_call_site_text(cs_emu_me->call_site, own, sizeof own);
    cs_emu_call_site_text(o->call_site, other, sizeof other);
    if (o->kind != kind)
        cs_say("error: %s%s (rank %d) meets %s%s (rank %d)", call, own, cs_emu_rank(), o->call, other, o->first_comer);
    else
        cs_say("error: %s%s (rank %d) has root %d, that%s (rank %d) has root %d", call, own, cs_emu_rank(), root, other,
               o->first_comer, o->root);
    cs_emu_abort(1);
}

struct cs_emu_coll *cs_emu_coll_join(struct cs_emu_comm *c, enum cs_emu_coll_kind kind, int root, const char *call)
{
    struct cs_emu_bucket *b = bucket_of(c->context, c->collectives);
    cs_emu_lock(&b->lock);
    struct cs_emu_coll *o = find(b, c->context, c->collectives);
    if (!o) {
        o = make(c, kind, root, call);
        o->next = b->first;
        b->first = o;
    }
    cs_emu_unlock(&b->lock);
    c->collectives++;
    if (o->kind != kind || o->root != root)
        refuse(o, kind, root, call);
    return o;
}

bool cs_emu_coll_arrive(struct cs_emu_coll *o)
{
    int before = atomic_fetch_add(&o->arrived, 1);
    assert(before < o->size);
    return before + 1 == o->size;
}

int cs_emu_coll_missing(uint32_t context, uint32_t sequence, int *size)
{
    const struct cs_emu_coll *o = find(bucket_of(context, sequence), context, sequence);
    *size = o ? o->size : 0;
    return o ? o->size - o->arrived : -1;
}

static void free_deposits(struct cs_emu_coll *o)
{
    for (int i = 0; i < o->size; i++)
        if (o->slot[i])
            cs_emu_free(o->slot[i]);
    for (int side = 0; side < 2; side++) {
        if (o->result[side])
            cs_emu_free(o->result[side]);
        if (o->last[side])
            cs_emu_free(o->last[side]);
    }
}

static void take_out_of_bucket(struct cs_emu_coll *o)
{
    struct cs_emu_bucket *b = bucket_of(o->context, o->sequence);
    cs_emu_lock(&b->lock);
    struct cs_emu_coll *first = b->first, **link = &first;
    while (*link != o)
        link = &(*link)->next;
    *link = o->next;
    b->first = first;
    cs_emu_unlock(&b->lock);
}

void cs_emu_coll_leave(struct cs_emu_coll *o)
{
    /* Once a rank has left, the last one may free the object, whose memory then is another one's. */
    int size = o->size, left = atomic_fetch_add(&o->left, 1) + 1;
    assert(left <= size);
    if (left < size)
        return;
    take_out_of_bucket(o);
    if (o->kind != CS_EMU_BARRIER)
        free_deposits(o);
    cs_emu_free(o);
}

int cs_emu_coll_side(const struct cs_emu_comm *c)
{
    return c->inter && !c->first;
}

int cs_emu_coll_index(const struct cs_emu_comm *c)
{
    return c->rank + (cs_emu_coll_side(c) ? c->remote->size : 0);
}

int cs_emu_coll_peers_at(const struct cs_emu_comm *c)
{
    return c->inter && c->first ? c->local->size : 0;
}

struct cs_emu_deposit *cs_emu_deposit_new(uint64_t bytes, uint64_t npieces)
{
    uint64_t table = npieces ? (npieces + 1) * sizeof(uint64_t) : 0;
    struct cs_emu_deposit *p = cs_emu_alloc(sizeof *p + table + bytes);
    p->bytes = bytes;
    p->npieces = npieces;
    return p;
}

const char *cs_emu_deposit_piece(const struct cs_emu_deposit *p, int i, uint64_t *bytes)
{
    if (!p->npieces) {
        *bytes = p->bytes;
        return p->data;
    }
    const uint64_t *at = (const uint64_t *)p->data;
    assert(i >= 0 && (uint64_t)i < p->npieces && at[i] <= at[i + 1]);
    *bytes = at[i + 1] - at[i];
    return p->data + (p->npieces + 1) * sizeof *at + at[i];
}

static void wake_group(const struct cs_emu_group *g)
{
    int own = cs_emu_rank();
    for (int i = 0; i < g->size; i++) {
        int w = cs_emu_group_world(g, i);
        if (w != own)
            cs_emu_wake(w);
    }
}

void cs_emu_coll_wake_all(const struct cs_emu_comm *c)
{
    wake_group(c->local);
    if (c->inter)
        wake_group(c->remote);
}
