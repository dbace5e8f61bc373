/* SPDX-License-Identifier: BSD-3-Clause
 * Arrival of messages. A message goes to the receive that match.c finds; if there is none, match.c keeps the message,
 * which stays in shared memory until it is received. The inbox of a rank is a stack that all ranks may push to. The
 * rank takes it whole and reverses it, which gives the order of pushing. */
#include <assert.h>
#include <string.h>

#include "emulate/messages/flow.h"
#include "emulate/messages/match_internal.h"
#include "emulate/messages/message.h"
#include "emulate/messages/request.h"
#include "emulate/types/type.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/wait.h"
#include "emulate/world/world.h"

bool (*cs_emu_progress_more)(void);
char cs_emu_nothing;

static bool make_progress(void);

void cs_emu_messages_start(void)
{
    cs_emu_world->backlog_limit = cs_emu_flow_limit(cs_emu_nranks());
    cs_emu_wait_hooks = (struct cs_emu_wait_hooks){.progress = make_progress, .before_idle = cs_emu_flow_tell};
}

static struct cs_emu_msg *new_message(enum cs_emu_msg_kind kind, uint64_t bytes, bool hollow)
{
    struct cs_emu_msg *m = cs_emu_alloc(sizeof *m + (hollow ? 0 : bytes));
    m->kind = (uint16_t)kind;
    m->hollow = hollow;
    m->bytes = bytes;
    m->from = cs_emu_rank();
    return m;
}

struct cs_emu_msg *cs_emu_msg_new(enum cs_emu_msg_kind kind, uint64_t bytes)
{
    return new_message(kind, bytes, false);
}

struct cs_emu_msg *cs_emu_msg_hollow(enum cs_emu_msg_kind kind, uint64_t bytes)
{
    return new_message(kind, bytes, true);
}

void cs_emu_msg_push(int world_rank, struct cs_emu_msg *m)
{
    assert(world_rank >= 0 && world_rank < cs_emu_nranks());
    if (cs_emu_tape_plays()) { /* nobody is there; what goes to the rank itself is on the tape, too */
        cs_emu_free(m);
        return;
    }
    struct cs_emu_rank *r = &cs_emu_world->rank[world_rank];
    if (m->kind != CS_EMU_MATCHED)
        cs_emu_flow_sent(world_rank, cs_emu_msg_held(m));
    struct cs_emu_msg *head = atomic_load_explicit(&r->inbox, memory_order_relaxed);
    do
        m->next = head;
    while (!atomic_compare_exchange_weak(&r->inbox, &head, m));
    if (r != cs_emu_me)
        cs_emu_wake(world_rank);
}

static void say_matched(struct cs_emu_msg *m)
{
    struct cs_emu_msg *answer = cs_emu_msg_new(CS_EMU_MATCHED, 0);
    answer->sender = m->sender;
    answer->number = m->number;
    cs_emu_msg_push(m->from, answer);
}

/* Do the bytes end within a basic element? MPICH says so only where the buffer has gaps, and as of a long message. */
static bool ends_within(const struct cs_emu_req *r, int64_t bytes)
{
    return !cs_emu_type_dense(r->type, r->count) &&
           cs_emu_type_elements(r->type, bytes) == cs_emu_type_elements(r->type, bytes - 1);
}

void cs_emu_deliver(struct cs_emu_req *r, struct cs_emu_msg *m)
{
    assert(!r->posted && !r->complete && m->kind != CS_EMU_MATCHED);
    int64_t room = r->type == MPI_DATATYPE_NULL ? 0 : cs_emu_type_bytes(r->type, r->count);
    int64_t bytes = (int64_t)m->bytes <= room ? (int64_t)m->bytes : room;
    r->source = m->source;
    r->got_tag = m->tag;
    r->bytes = bytes;
    r->error = (int64_t)m->bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (bytes && !m->hollow && r->buf != &cs_emu_nothing) {
        cs_emu_unpack(r->buf, r->count, r->type, m->data, bytes);
        if (bytes < room && ends_within(r, bytes))
            r->error = MPI_ERR_TRUNCATE;
    }
    if (m->kind == CS_EMU_DATA_SYNC)
        say_matched(m);
    cs_emu_flow_taken(cs_emu_msg_held(m));
    cs_emu_free(m);
    r->complete = true;
}

static void arrive(struct cs_emu_msg *m)
{
    if (m->kind == CS_EMU_MATCHED) {
        assert(m->sender && !m->sender->complete);
        m->sender->complete = true;
        if (m->sender->freed)
            cs_emu_req_free(m->sender);
        cs_emu_free(m);
        return;
    }
    struct cs_emu_req *r = cs_emu_match_receive(m);
    if (!r) {
        cs_emu_match_keep(m);
        return;
    }
    cs_emu_deliver(r, m);
    if (r->freed)
        cs_emu_req_free(r);
}

/* Takes the whole inbox, and returns it in the order of pushing. */
static struct cs_emu_msg *empty_inbox(void)
{
    struct cs_emu_msg *m, *next, *in_order = NULL;
    if (!atomic_load_explicit(&cs_emu_me->inbox, memory_order_relaxed))
        return NULL;
    m = atomic_exchange_explicit(&cs_emu_me->inbox, NULL, memory_order_acquire);
    for (; m; m = next) {
        next = m->next;
        m->next = in_order;
        in_order = m;
    }
    return in_order;
}

/* Writes what has come on the tape. */
static void tape(const struct cs_emu_msg *m)
{
    static const enum cs_emu_tape_kind kinds[] = {[CS_EMU_DATA] = CS_EMU_TAPE_MESSAGE,
                                                  [CS_EMU_DATA_SYNC] = CS_EMU_TAPE_MESSAGE_SYNC,
                                                  [CS_EMU_MATCHED] = CS_EMU_TAPE_ANSWER};
    for (; m; m = m->next)
        cs_emu_tape_add((struct cs_emu_tape_item){.kind = kinds[m->kind],
                                                  .context = m->context,
                                                  .source = m->source,
                                                  .tag = m->tag,
                                                  .number = m->number,
                                                  .bytes = m->kind == CS_EMU_MATCHED ? 0 : cs_emu_msg_held(m),
                                                  .hollow = m->hollow ? m->bytes : 0},
                        m->data);
}

/* A message that is on the tape. */
static struct cs_emu_msg *from_tape(const struct cs_emu_tape_item *i)
{
    bool answer = i->kind == CS_EMU_TAPE_ANSWER;
    enum cs_emu_msg_kind kind = answer                                ? CS_EMU_MATCHED
                                : i->kind == CS_EMU_TAPE_MESSAGE_SYNC ? CS_EMU_DATA_SYNC
                                                                      : CS_EMU_DATA;
    struct cs_emu_msg *m = i->hollow ? cs_emu_msg_hollow(kind, i->hollow) : cs_emu_msg_new(kind, i->bytes);
    m->context = i->context;
    m->source = i->source;
    m->tag = i->tag;
    m->sender = answer ? cs_emu_sync_request(i->number) : NULL;
    memcpy(m->data, cs_emu_tape_data(i), i->bytes);
    if (!answer)
        cs_emu_flow_sent(cs_emu_rank(), i->bytes);
    return m;
}

static bool play_tape(void)
{
    const struct cs_emu_tape_item *i;
    bool any = false;
    for (; (i = cs_emu_tape_take_message()); any = true)
        arrive(from_tape(i));
    return any;
}

static bool take_in(void)
{
    struct cs_emu_msg *m = empty_inbox(), *next;
    bool any = m;
    if (cs_emu_tape_writes())
        tape(m);
    for (; m; m = next) {
        next = m->next;
        arrive(m);
    }
    return any;
}

static bool make_progress(void)
{
    bool any = cs_emu_tape_plays() ? play_tape() : take_in();
    return (cs_emu_progress_more && cs_emu_progress_more()) || any;
}

bool cs_emu_progress(void)
{
    cs_emu_tape_look();
    return make_progress();
}

void cs_emu_post(struct cs_emu_req *r)
{
    cs_emu_progress();
    struct cs_emu_msg *m = cs_emu_match_find(r->context, r->peer, r->tag, true);
    if (m)
        cs_emu_deliver(r, m);
    else
        cs_emu_match_post(r);
}

bool cs_emu_unpost(struct cs_emu_req *r)
{
    if (!r->posted)
        return false;
    cs_emu_match_unpost(r);
    return true;
}

/* ---- for the recorder ---- */

/* What it passes in place of buffers whose content means nothing: the address cs_emu_nothing. */
CS_EMU_VISIBLE void *commslice_emulate_nothing(void);
CS_EMU_VISIBLE void *commslice_emulate_nothing(void)
{
    return &cs_emu_nothing;
}
