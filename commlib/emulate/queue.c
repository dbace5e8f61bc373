/* SPDX-License-Identifier: BSD-3-Clause
 * Arrival and matching. What has arrived and was not asked for stays in shared memory, in order of arrival; receives that wait are in order
 * of posting. Both lists are walked from the oldest on, as the standard's rule wants. */
#include <string.h>

#include "coll.h"
#include "comms.h"
#include "message.h"
#include "request.h"
#include "shared.h"
#include "type.h"
#include "wait.h"
#include "world.h"

static struct cs_emu_msg *unexpected, **unexpected_end = &unexpected;
static struct cs_emu_req *posted, *posted_last;

struct cs_emu_msg *cs_emu_msg_new(enum cs_emu_msg_kind kind, uint64_t bytes)
{
    struct cs_emu_msg *m = cs_emu_alloc(sizeof *m + bytes);
    m->kind = kind;
    m->bytes = bytes;
    m->from = cs_emu_rank();
    return m;
}

void cs_emu_msg_push(int world_rank, struct cs_emu_msg *m)
{
    struct cs_emu_rank *r = &cs_emu_world->rank[world_rank];
    struct cs_emu_msg *head = atomic_load_explicit(&r->inbox, memory_order_relaxed);
    do
        m->next = head;
    while (!atomic_compare_exchange_weak(&r->inbox, &head, m));
    if (r != cs_emu_me)
        cs_emu_wake(world_rank);
}

static void unlink_posted(struct cs_emu_req *r)
{
    *(r->prev ? &r->prev->next : &posted) = r->next;
    *(r->next ? &r->next->prev : &posted_last) = r->prev;
    r->posted = false;
}

static void say_matched(struct cs_emu_msg *m)
{
    struct cs_emu_msg *answer = cs_emu_msg_new(CS_EMU_MATCHED, 0);
    answer->sender = m->sender;
    cs_emu_msg_push(m->from, answer);
}

void cs_emu_deliver(struct cs_emu_req *r, struct cs_emu_msg *m)
{
    int64_t room = r->type == MPI_DATATYPE_NULL ? 0 : r->count * cs_emu_type_size(r->type);
    int64_t bytes = (int64_t)m->bytes <= room ? (int64_t)m->bytes : room;
    r->source = m->source;
    r->got_tag = m->tag;
    r->bytes = bytes;
    r->error = (int64_t)m->bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (bytes)
        cs_emu_unpack(r->buf, r->count, r->type, m->data, bytes);
    if (m->kind == CS_EMU_DATA_SYNC)
        say_matched(m);
    cs_emu_free(m);
    r->complete = true;
}

static bool fits(const struct cs_emu_msg *m, uint32_t context, int source, int tag)
{
    return m->context == context && (source == m->source || source == MPI_ANY_SOURCE) && (tag == m->tag || tag == MPI_ANY_TAG);
}

static void arrive(struct cs_emu_msg *m)
{
    if (m->kind == CS_EMU_MATCHED) {
        m->sender->complete = true;
        if (m->sender->freed)
            cs_emu_req_free(m->sender);
        cs_emu_free(m);
        return;
    }
    for (struct cs_emu_req *r = posted; r; r = r->next)
        if (fits(m, r->context, r->peer, r->tag)) {
            unlink_posted(r);
            cs_emu_deliver(r, m);
            if (r->freed)
                cs_emu_req_free(r);
            return;
        }
    m->next = NULL;
    *unexpected_end = m;
    unexpected_end = &m->next;
}

bool cs_emu_progress(void)
{
    struct cs_emu_msg *m = NULL, *next, *in_order = NULL;
    if (atomic_load_explicit(&cs_emu_me->inbox, memory_order_relaxed))
        m = atomic_exchange_explicit(&cs_emu_me->inbox, NULL, memory_order_acquire);
    bool any = m;
    for (; m; m = next) {
        next = m->next;
        m->next = in_order;
        in_order = m;
    }
    for (m = in_order; m; m = next) {
        next = m->next;
        arrive(m);
    }
    return cs_emu_coll_progress() || any;
}

struct cs_emu_msg *cs_emu_msg_find(uint32_t context, int source, int tag, bool take)
{
    for (struct cs_emu_msg **p = &unexpected; *p; p = &(*p)->next) {
        struct cs_emu_msg *m = *p;
        if (!fits(m, context, source, tag))
            continue;
        if (take && !(*p = m->next))
            unexpected_end = p;
        return m;
    }
    return NULL;
}

void cs_emu_post(struct cs_emu_req *r)
{
    cs_emu_progress();
    struct cs_emu_msg *m = cs_emu_msg_find(r->context, r->peer, r->tag, true);
    if (m) {
        cs_emu_deliver(r, m);
        return;
    }
    r->posted = true;
    r->next = NULL;
    r->prev = posted_last;
    *(posted_last ? &posted_last->next : &posted) = r;
    posted_last = r;
}

bool cs_emu_unpost(struct cs_emu_req *r)
{
    if (!r->posted)
        return false;
    unlink_posted(r);
    return true;
}
