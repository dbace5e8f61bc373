/* SPDX-License-Identifier: BSD-3-Clause
 * Flow control; see flow.h. Each receiver has a stack of the senders that wait for room; who makes room empties it and
 * wakes them all. A sender pushes its message before it waits, so each may exceed the limit by one message. */
#include "emulate/messages/flow.h"

#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

#include "base/environment.h"
#include "emulate/messages/message.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/wait.h"
#include "emulate/world/world.h"

/* Bytes for all receivers together, and the bounds for one receiver. */
#define TOTAL (INT64_C(1) << 30)
#define LEAST (INT64_C(64) << 10)
#define MOST (INT64_C(16) << 20)

/* A sender that waits for room, in the stack of its receiver; in the shared heap, freed by who wakes it. */
struct cs_emu_waiter {
    struct cs_emu_waiter *next;
    int rank;
};

int64_t cs_emu_flow_limit(int nranks)
{
    const char *text = getenv(CS_ENV_BACKLOG);
    int64_t n = TOTAL / nranks;
    if (text && atoll(text) > 0)
        return atoll(text);
    return n < LEAST ? LEAST : n > MOST ? MOST : n;
}

static int64_t size_of(uint64_t bytes)
{
    return (int64_t)(bytes + sizeof(struct cs_emu_msg));
}

static int64_t limit_of(const struct cs_emu_rank *r)
{
    return cs_emu_world->backlog_limit << r->backlog_shift;
}

static void wake_waiters(struct cs_emu_rank *r)
{
    struct cs_emu_waiter *w = atomic_exchange(&r->waiters, NULL), *next;
    for (; w; w = next) {
        next = w->next;
        atomic_store(&cs_emu_world->rank[w->rank].out_of_stack, 1);
        cs_emu_wake(w->rank);
        cs_emu_free(w);
    }
}

void cs_emu_flow_sent(int world_rank, uint64_t bytes)
{
    atomic_fetch_add(&cs_emu_world->rank[world_rank].backlog, size_of(bytes));
}

/* Bytes that this rank has taken out and not yet subtracted from its backlog. Doing so for each message would move the
 * backlog's cache line to and fro between the processors of sender and receiver. */
static int64_t taken;

void cs_emu_flow_tell(void)
{
    if (taken == 0)
        return;
    int64_t left = atomic_fetch_sub(&cs_emu_me->backlog, taken) - taken;
    assert(taken > 0 && left >= 0);
    taken = 0;
    if (atomic_load(&cs_emu_me->waiters) && left <= limit_of(cs_emu_me) / 2)
        wake_waiters(cs_emu_me);
}

void cs_emu_flow_taken(uint64_t bytes)
{
    taken += size_of(bytes);
    if (taken > cs_emu_world->backlog_limit / 8)
        cs_emu_flow_tell();
}

void cs_emu_flow_end(void)
{
    wake_waiters(cs_emu_me);
}

static bool has_room(void *arg)
{
    const struct cs_emu_rank *r = arg;
    return atomic_load(&r->backlog) <= limit_of(r) || atomic_load(&r->life) >= CS_EMU_FINALIZED;
}

/* Others may have taken the room before this rank looked: then nobody would wake it any more, and it has to go into the
 * stack again. */
static bool may_look(void *arg)
{
    return has_room(arg) || atomic_load(&cs_emu_me->out_of_stack);
}

void cs_emu_flow_wait(int world_rank)
{
    struct cs_emu_rank *r = &cs_emu_world->rank[world_rank];
    struct cs_emu_wait_note *n = &cs_emu_me->note;
    cs_emu_tape_look();
    if (r == cs_emu_me)
        return;
    while (!has_room(r)) {
        struct cs_emu_waiter *w = cs_emu_alloc(sizeof *w);
        w->rank = cs_emu_rank();
        atomic_store(&cs_emu_me->out_of_stack, 0);
        w->next = atomic_load(&r->waiters);
        while (!atomic_compare_exchange_weak(&r->waiters, &w->next, w))
            continue;
        *n = (struct cs_emu_wait_note){.call = "a send, for room", .peer = world_rank, .tag = -1};
        atomic_fetch_add(&cs_emu_world->flow_waiting, 1);
        cs_emu_wait(may_look, r);
        atomic_fetch_sub(&cs_emu_world->flow_waiting, 1);
    }
}

/* ---- the parent ---- */

bool cs_emu_flow_release(void)
{
    bool any = false;
    for (int i = 0; i < cs_emu_world->nranks && atomic_load(&cs_emu_world->flow_waiting) > 0; i++) {
        struct cs_emu_rank *r = &cs_emu_world->rank[i];
        if (!atomic_load(&r->waiters))
            continue;
        while (limit_of(r) < atomic_load(&r->backlog))
            atomic_fetch_add(&r->backlog_shift, 1);
        wake_waiters(r);
        any = true;
    }
    return any;
}

bool cs_emu_flow_stuck(void)
{
    if (atomic_load(&cs_emu_world->flow_waiting) == 0 || atomic_load(&cs_emu_world->unborn) > 0)
        return false;
    for (int i = 0; i < cs_emu_world->nranks; i++) {
        const struct cs_emu_rank *r = &cs_emu_world->rank[i];
        if (r->pid > 0 && r->life != CS_EMU_GONE && !r->sleeping)
            return false;
    }
    return true;
}
