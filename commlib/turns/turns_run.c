/* SPDX-License-Identifier: BSD-3-Clause
 * Marks of loops whose first turn is under way are a stack. A loop that is left in its first turn never says so: its
 * mark goes when a loop around it ends its turn, when a caller of its function begins a loop, or when it begins anew.
 * A loop whose turns are compared never says that it ends. */
#define _GNU_SOURCE
#include "commlib/turns/turns_run.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/marks.h"
#include "api/repeated_turns.h"
#include "base/cold.h"
#include "base/environment.h"
#include "commlib/backend/backend.h"
#include "commlib/check/channel_turns.h"
#include "commlib/record/recorder.h"
#include "commlib/record/request_table.h"
#include "commlib/record/segments.h"
#include "commlib/state/lock.h"
#include "commlib/state/own_slice.h"
#include "commlib/state/run_state.h"
#include "commlib/turns/answer_log.h"
#include "commlib/turns/compared_turns.h"

/* Marks at a time; events for which it pays to repeat turns, unless CS_ENV_REPEAT_FROM says another number; events that
 * a run may have. */
#define MOST 64
#define WORTHWHILE 100
#define MOST_EVENTS (INT64_C(1) << 61)

/* A loop in its first turn, or in a turn that may be the first of a period: where it began, and what there was then.
 * `mark` is newer than those of the loops before; `known` is what the program has, which is the first one. */
struct begun {
    long mark, known;
    const void *place; /* in the program */
    uintptr_t frame;   /* on the stack: those of callers are higher */
    size_t channels;   /* cs_channel_turns_begin */
    size_t segments;   /* cs_segments_turn */
    int64_t unlike, events;
    struct cs_request_counts requests;
};

static struct begun begun[MOST] CS_COLD;
static struct cs_compared_turns compared[MOST] CS_COLD; /* of each, if its turns are compared */
static int n;
static long last_mark;
static int64_t unlike; /* calls that could be others in a further turn */
static bool on;
static long worthwhile = WORTHWHILE;
static pthread_t owner;
static int64_t asked;

/* ---- what a call does to its turn ---- */

/* Calls whose next turn does the same if none of them is marked. */
static bool kind_is_alike(const struct cs_call *c)
{
    switch (c->info->kind) {
    case CS_MPI_SEND:
    case CS_MPI_SENDRECV:
    case CS_MPI_RECV:
    case CS_MPI_ISEND:
    case CS_MPI_IRECV: return !cs_call_has(c, CS_ROLE_MSG);
    case CS_MPI_PROBE:
    case CS_MPI_IPROBE: return !cs_call_has(c, CS_ROLE_NEWMSG);
    case CS_MPI_WAIT:
    case CS_MPI_WAIT_SOME:
    case CS_MPI_TEST: return cs_request_counts().persistent == 0; /* which may have been active only now */
    case CS_MPI_COLL:
    case CS_MPI_BARRIER: return !(c->info->flags & CS_MPI_PERSISTENT);
    case CS_MPI_RMA: return !cs_call_has(c, CS_ROLE_NEWCOMM) && !cs_call_has(c, CS_ROLE_COMM_UPD);
    case CS_MPI_IO: return !cs_call_has(c, CS_ROLE_NEWFILE) && !cs_call_has(c, CS_ROLE_FILE_UPD);
    default: return false;
    }
}

void cs_turns_call(const struct cs_call *c)
{
    if (n == 0)
        return;
    if (c->mark != CS_MARK_NONE || c->polled_in_vain || !kind_is_alike(c) || !pthread_equal(pthread_self(), owner)) {
        cs_lock();
        unlike++;
        cs_unlock();
    }
}

/* Is all as it was when the turn began, but for what was made in it and has ended in it? */
static bool requests_are_alike(const struct begun *b, bool in_memory)
{
    const struct cs_request_counts was = b->requests, is = cs_request_counts();
    if (in_memory && (is.persistent || is.open))
        return false;
    return is.persistent == was.persistent && is.foreign == was.foreign && is.open == was.open &&
           is.open_numbers == was.open_numbers;
}

/* Do so many further turns pay, and can they be counted? */
static bool is_worthwhile(int64_t events, long times)
{
    if (events == 0)
        return true; /* nothing has to be done for them */
    return times <= (MOST_EVENTS - cs_record_events()) / events && events * times >= worthwhile;
}

/* ---- marks ---- */

static bool may_repeat(void)
{
    return on && cs_run.trace && !cs_run.with_times && cs_call_depth == 0 && pthread_equal(pthread_self(), owner);
}

/* This mark is over, and all newer ones. */
static void end_from(int i)
{
    if (i >= n)
        return;
    cs_channel_turns_end(begun[i].channels, i > 0 ? begun[i - 1].mark : 0);
    n = i;
    if (n == 0)
        cs_segments_turns_end();
    else
        cs_segments_turn_over(begun[i].segments);
}

/* Ends what is over, as it was begun by a function that has returned, or in this place before. */
static void end_abandoned(const void *place, uintptr_t frame)
{
    for (int i = 0; i < n; i++)
        if (begun[i].frame < frame || (begun[i].frame == frame && begun[i].place == place)) {
            end_from(i);
            return;
        }
    if (n == MOST)
        end_from(0);
}

/* Loop i, the newest one, begins what may be repeated. */
static void begin_again(int i)
{
    struct begun *b = &begun[i];
    assert(i == n - 1);
    b->mark = ++last_mark;
    b->channels = cs_channel_turns_begin(last_mark);
    if (i == 0)
        cs_segments_turns_end();
    b->segments = cs_segments_turn();
    b->unlike = unlike;
    b->events = cs_record_events();
    b->requests = cs_request_counts();
}

static long begin(const void *place, uintptr_t frame, bool compare)
{
    end_abandoned(place, frame);
    assert(n < MOST);
    begun[n++] = (struct begun){.place = place, .frame = frame};
    begin_again(n - 1);
    if (compare)
        memset(&compared[n - 1], 0, sizeof compared[0]);
    return begun[n - 1].known = begun[n - 1].mark;
}

static bool repeat(const struct begun *b, long times, long how)
{
    int64_t events = cs_record_events() - b->events, made = cs_request_counts().made - b->requests.made;
    if (unlike != b->unlike || !requests_are_alike(b, how & CS_TURNS_REQUESTS) || !is_worthwhile(events, times) ||
        !cs_channel_turns_known(b->mark) || !cs_segments_turn_known(b->segments))
        return false;
    if (events > 0 && !cs_record_again(events, times))
        return false;
    cs_channel_turns_again(b->channels, times);
    cs_segments_again(b->segments, times);
    cs_request_skip(made * times);
    return true;
}

/* The number of the loop, -1: it is over. */
static int find(long known)
{
    int i = n - 1;
    while (i >= 0 && begun[i].known != known)
        i--;
    return i;
}

static long again(long mark, long times, long how)
{
    int i = find(mark);
    if (i < 0)
        return 0;
    end_from(i + 1);
    bool done = times > 0 && repeat(&begun[i], times, how);
    end_from(i);
    return done ? times : 0;
}

static long answer(long times)
{
    asked++;
    if (times > 0)
        cs_answer_log_add(asked, times);
    return times;
}

/* ---- turns that are compared ---- */

/* Of the owner's own, all that is read here and in cs_compared_*(); the lock is for what is shared. */
static long head(int i, long how)
{
    struct cs_compared_turns *t = &compared[i];
    int64_t period, turns = cs_compared_head(t, &period);
    if (turns == 0 && !cs_compared_is_due(t)) {
        cs_compared_next(t);
        return 0;
    }
    cs_lock();
    end_from(i + 1);
    if (turns > 0 && !repeat(&begun[i], turns / period, how))
        turns = 0;
    if (turns > 0 || cs_compared_is_due(t)) {
        cs_channel_turns_end(begun[i].channels, i > 0 ? begun[i - 1].mark : 0);
        begin_again(i);
        cs_compared_begin(t, turns);
    }
    cs_unlock();
    cs_compared_next(t);
    return turns;
}

static long compare(long mark, long a, long b, long c, long how)
{
    int i = find(mark);
    if (i < 0)
        return 0;
    if ((how & CS_TURNS_KINDS) == CS_TURNS_HEAD)
        return answer(head(i, how));
    cs_compared_tell(&compared[i], a, b, c, how);
    return 0;
}

/* What is said while nothing can be repeated is not noted: so what was noted is not all. */
static long miss(long mark)
{
    if (mark != 0 && on) {
        cs_lock();
        unlike++;
        cs_unlock();
    }
    return 0;
}

static long turns(long mark, long first, long step, long bound, long how)
{
    int program_errno = errno;
    bool begins = how == CS_TURNS_BEGIN || how == CS_TURNS_WATCH;
    if (mark == 0 && !begins)
        return 0;
    if (!may_repeat())
        return miss(mark);
    if (!begins && (how & CS_TURNS_KINDS) != CS_TURNS_ONE) {
        mark = compare(mark, first, step, bound, how);
        errno = program_errno;
        return mark;
    }
    cs_lock();
    if (begins)
        mark = begin(__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0), how == CS_TURNS_WATCH);
    else
        mark = answer(again(mark, cs_turns_left(first, step, bound, how), how));
    cs_unlock();
    errno = program_errno;
    return mark;
}

void cs_turns_start(void)
{
    const char *no = getenv(CS_ENV_NO_REPEAT), *from = getenv(CS_ENV_REPEAT_FROM);
    if (from)
        worthwhile = strtol(from, NULL, 10);
    on = cs_own_slice.is_slice && cs_own_slice.turns && !cs_backend_replays() && !(no && strcmp(no, "1") == 0);
    owner = pthread_self();
    if (on)
        *cs_own_slice.turns = turns;
}

void cs_turns_log_begin(void)
{
    if (on)
        cs_answer_log_begin();
}

void cs_turns_log_end(void)
{
    cs_answer_log_end();
}
