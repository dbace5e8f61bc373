/* SPDX-License-Identifier: BSD-3-Clause
 * Locks of targets, and the calls that only make sure of what has been done at once here. A lock is given out by
 * whoever has it, not by its target, so a target need not be inside MPI: in the order of asking, and nobody overtakes
 * one who waits for the same lock. */
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/grow.h"
#include "emulate/messages/message.h"
#include "emulate/objects/comm.h"
#include "emulate/windows/window.h"
#include "emulate/world/entry.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/wait.h"
#include "emulate/world/world.h"

/* Stands for all targets: no rank, and not MPI_PROC_NULL either. */
enum { ALL = -100 };

/* Somebody who waits for a lock. In shared memory; it is taken out of the row before `granted` is set. */
struct cs_emu_lock_wait {
    struct cs_emu_lock_wait *next;
    int32_t world_rank, target; /* or ALL */
    int32_t exclusive;
    _Atomic int32_t granted;
};

static bool is_free(const struct cs_emu_win_shared *s, const struct cs_emu_lock_wait *x)
{
    if (x->target == ALL)
        return s->exclusive == 0;
    return x->exclusive ? s->part[x->target].holders == 0 && s->all_holders == 0 : s->part[x->target].holders >= 0;
}

static bool collide(const struct cs_emu_lock_wait *x, const struct cs_emu_lock_wait *y)
{
    return (x->exclusive || y->exclusive) && (x->target == y->target || x->target == ALL || y->target == ALL);
}

/* Does anybody in the row in front of x wait for the same lock? */
static bool is_behind(const struct cs_emu_win_shared *s, const struct cs_emu_lock_wait *x)
{
    for (const struct cs_emu_lock_wait *y = s->first_wait; y && y != x; y = y->next)
        if (collide(x, y))
            return true;
    return false;
}

static void take(struct cs_emu_win_shared *s, const struct cs_emu_lock_wait *x)
{
    if (x->target == ALL)
        s->all_holders++;
    else
        s->part[x->target].holders += x->exclusive ? -1 : 1;
    s->exclusive += x->exclusive;
}

/* Gives locks to those who wait for what is free by now. */
static void grant(struct cs_emu_win_shared *s)
{
    struct cs_emu_lock_wait **at = &s->first_wait, *last = NULL;
    while (*at) {
        struct cs_emu_lock_wait *x = *at;
        if (!is_free(s, x) || is_behind(s, x)) {
            last = x;
            at = &x->next;
            continue;
        }
        int rank = x->world_rank;
        take(s, x);
        *at = x->next;
        atomic_store(&x->granted, 1);
        cs_emu_wake(rank);
    }
    s->last_wait = last;
}

static bool is_granted(void *arg)
{
    return atomic_load(&((struct cs_emu_lock_wait *)arg)->granted) != 0;
}

static void note_wait(const struct cs_emu_win *w, int target, const char *call)
{
    cs_emu_me->note = (struct cs_emu_wait_note){
        .call = call,
        .peer = target == ALL ? MPI_PROC_NULL : cs_emu_comm_world(w->comm, target),
        .context = w->comm->context,
    };
}

static void get_lock(struct cs_emu_win *w, int target, bool exclusive, const char *call)
{
    struct cs_emu_win_shared *s = w->shared;
    struct cs_emu_lock_wait *x = cs_emu_alloc(sizeof *x);
    *x = (struct cs_emu_lock_wait){.world_rank = cs_emu_rank(), .target = target, .exclusive = exclusive};
    cs_emu_lock(&s->lock);
    bool now = is_free(s, x) && !is_behind(s, x);
    if (now)
        take(s, x);
    else if (s->last_wait)
        s->last_wait = s->last_wait->next = x;
    else
        s->first_wait = s->last_wait = x;
    cs_emu_unlock(&s->lock);
    if (!now) {
        note_wait(w, target, call);
        cs_emu_wait(is_granted, x);
    }
    cs_emu_free(x);
}

static void give_back(struct cs_emu_win *w, int target, bool exclusive)
{
    struct cs_emu_win_shared *s = w->shared;
    cs_emu_lock(&s->lock);
    if (target == ALL)
        s->all_holders--;
    else
        s->part[target].holders -= exclusive ? -1 : 1;
    s->exclusive -= exclusive;
    grant(s);
    cs_emu_unlock(&s->lock);
}

/* Programs ask in a loop whether a number in a window has changed: whoever changes it may need the processor. */
static void let_others_run(void)
{
    cs_emu_progress();
    sched_yield();
}

/* ---- of one target ---- */

static struct cs_emu_held_lock *held_lock(const struct cs_emu_win *w, int target)
{
    for (size_t i = 0; i < w->nlocks; i++)
        if (w->locks[i].target == target)
            return &w->locks[i];
    return NULL;
}

bool cs_emu_win_has_lock(const struct cs_emu_win *w, int target)
{
    return held_lock(w, target) != NULL;
}

static bool is_target(const struct cs_emu_win *w, int rank)
{
    return rank >= 0 && rank < w->comm->local->size;
}

static int check_lock(struct cs_emu_win *w, int type, int rank)
{
    if (!w)
        return MPI_ERR_WIN;
    if (type != MPI_LOCK_SHARED && type != MPI_LOCK_EXCLUSIVE)
        return MPI_ERR_LOCKTYPE;
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (!is_target(w, rank))
        return MPI_ERR_RANK;
    if (w->epoch == CS_EMU_STARTED || w->epoch == CS_EMU_LOCKED_ALL || held_lock(w, rank))
        return MPI_ERR_RMA_SYNC;
    return CS_MAKE_ROOM(w->locks, w->nlocks, w->locks_cap) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

CS_EMU_CALL(int, Win_lock, (int type, int rank, int assertion, MPI_Win win))
{
    static const char call[] = "MPI_Win_lock";
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = check_lock(w, type, rank), held = assertion & MPI_MODE_NOCHECK ? 0 : type;
    if (class != MPI_SUCCESS || rank == MPI_PROC_NULL)
        return cs_emu_win_done(w, class, call);
    if (held)
        get_lock(w, rank, type == MPI_LOCK_EXCLUSIVE, call);
    w->locks[w->nlocks++] = (struct cs_emu_held_lock){rank, held};
    w->epoch = CS_EMU_LOCKED;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_unlock, (int rank, MPI_Win win))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    struct cs_emu_held_lock *l = w ? held_lock(w, rank) : NULL;
    if (w && rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int class = !w ? MPI_ERR_WIN : !is_target(w, rank) ? MPI_ERR_RANK : !l ? MPI_ERR_RMA_SYNC : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, "MPI_Win_unlock");
    if (l->held)
        give_back(w, rank, l->held == MPI_LOCK_EXCLUSIVE);
    *l = w->locks[--w->nlocks];
    if (w->nlocks == 0)
        w->epoch = CS_EMU_NO_EPOCH;
    let_others_run();
    return MPI_SUCCESS;
}

/* ---- of all ---- */

CS_EMU_CALL(int, Win_lock_all, (int assertion, MPI_Win win))
{
    static const char call[] = "MPI_Win_lock_all";
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w                                                         ? MPI_ERR_WIN
                : w->epoch != CS_EMU_NO_EPOCH && w->epoch != CS_EMU_FENCED ? MPI_ERR_RMA_SYNC
                                                                           : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, call);
    w->holds_all = !(assertion & MPI_MODE_NOCHECK);
    if (w->holds_all)
        get_lock(w, ALL, false, call);
    w->epoch = CS_EMU_LOCKED_ALL;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Win_unlock_all, (MPI_Win win))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w ? MPI_ERR_WIN : w->epoch != CS_EMU_LOCKED_ALL ? MPI_ERR_RMA_SYNC : MPI_SUCCESS;
    if (class != MPI_SUCCESS)
        return cs_emu_win_done(w, class, "MPI_Win_unlock_all");
    if (w->holds_all)
        give_back(w, ALL, false);
    w->epoch = CS_EMU_NO_EPOCH;
    return MPI_SUCCESS;
}

/* ---- what is done already ---- */

static int flush(MPI_Win win, int rank, const char *call)
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    int class = !w                                                            ? MPI_ERR_WIN
                : rank != ALL && rank != MPI_PROC_NULL && !is_target(w, rank) ? MPI_ERR_RANK
                : w->epoch != CS_EMU_LOCKED && w->epoch != CS_EMU_LOCKED_ALL  ? MPI_ERR_RMA_SYNC
                                                                              : MPI_SUCCESS;
    if (class == MPI_SUCCESS && is_target(w, rank) && w->epoch == CS_EMU_LOCKED && !held_lock(w, rank))
        class = MPI_ERR_RMA_SYNC;
    let_others_run();
    return cs_emu_win_done(w, class, call);
}

CS_EMU_CALL(int, Win_flush, (int rank, MPI_Win win))
{
    return flush(win, rank == ALL ? ALL - 1 : rank, "MPI_Win_flush");
}

CS_EMU_CALL(int, Win_flush_local, (int rank, MPI_Win win))
{
    return flush(win, rank == ALL ? ALL - 1 : rank, "MPI_Win_flush_local");
}

CS_EMU_CALL(int, Win_flush_all, (MPI_Win win))
{
    return flush(win, ALL, "MPI_Win_flush_all");
}

CS_EMU_CALL(int, Win_flush_local_all, (MPI_Win win))
{
    return flush(win, ALL, "MPI_Win_flush_local_all");
}

CS_EMU_CALL(int, Win_sync, (MPI_Win win))
{
    struct cs_emu_win *w = cs_emu_win_of(win);
    atomic_thread_fence(memory_order_seq_cst);
    let_others_run();
    return cs_emu_win_done(w, w ? MPI_SUCCESS : MPI_ERR_WIN, "MPI_Win_sync");
}
