/* SPDX-License-Identifier: BSD-3-Clause
 * See series.h.
 * Environment: COMMSLICE_NO_SERIES=1 (each rank has its own process). */
#define _GNU_SOURCE
#include "emulate/parent/series.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cold.h"
#include "base/environment.h"
#include "emulate/parent/put_back.h"
#include "emulate/parent/put_back_imports.h"
#include "emulate/world/shared_memory.h"

static bool in_series;                 /* this process is put back after each rank */
static struct cs_emu_rank *first_rank; /* that this process was */

int cs_emu_series_claim(void)
{
    int32_t rank = atomic_load(&cs_emu_world->next_rank);
    while (rank < cs_emu_world->end && !atomic_load(&cs_emu_world->closed))
        if (atomic_compare_exchange_weak(&cs_emu_world->next_rank, &rank, rank + 1)) {
            atomic_fetch_sub(&cs_emu_world->unborn, 1);
            return rank;
        }
    return -1;
}

static bool is_set(const char *name)
{
    const char *text = getenv(name);
    return text && *text;
}

/* Does a process get so much processor time and no more? */
static bool has_time_limit(void)
{
    struct rlimit lim;
    return getrlimit(RLIMIT_CPU, &lim) || lim.rlim_cur != RLIM_INFINITY;
}

/* What ranks have of their own that is not put back: a tag for their lines, a tape, limits that what we keep or earlier
 * ranks took would count for, times that a warm process would shorten. */
static bool is_possible(void)
{
    const char *times = getenv(CS_ENV_TIMES), *off = getenv(CS_ENV_NO_SERIES);
    return !(off && strcmp(off, "1") == 0) && !(times && strcmp(times, "1") == 0) && !is_set(CS_ENV_STDOUT) &&
           !is_set(CS_ENV_TAPE) && !is_set(CS_ENV_MEMORY) && !has_time_limit() && cs_emu_put_back_imports();
}

/* The first ranks show whether ranks wait. Then one process more for each that runs at the same time is enough. */
bool cs_emu_series_wanted(void)
{
    static enum { UNKNOWN, YES, NO } possible CS_COLD;
    if (atomic_load(&cs_emu_world->waited) ||
        atomic_load(&cs_emu_world->next_rank) - cs_emu_world->first <= cs_emu_world->jobs ||
        atomic_load(&cs_emu_world->unborn) == 0)
        return false;
    if (possible == UNKNOWN)
        possible = is_possible() ? YES : NO;
    return possible == YES;
}

/* ---- in the process ---- */

/* The parent waits for the process that is first_rank->current, and kills those with a pid: at no moment there is none.
 */
static int become_next(void)
{
    int rank = atomic_load(&cs_emu_world->waited) ? -1 : cs_emu_series_claim();
    if (rank < 0)
        _exit(0);
    struct cs_emu_rank *old = &cs_emu_world->rank[atomic_load(&first_rank->current)];
    atomic_store(&cs_emu_world->rank[rank].pid, getpid());
    atomic_store(&first_rank->current, rank);
    atomic_fetch_add(&cs_emu_world->passed, 1);
    atomic_store(&old->pid, -1);
    return rank;
}

/* Others would not be better. */
static void cannot_go_on(void)
{
    atomic_store(&cs_emu_world->waited, 1);
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    if (!in_series || status != 0 || cs_emu_me->life != CS_EMU_FINALIZED)
        return;
    assert(!cs_emu_me->sleeping);
    fflush(NULL); /* as the C library does after all else */
    cs_emu_put_back(become_next, cannot_go_on);
}

void cs_emu_series_register(void)
{
    on_exit(at_exit, NULL);
}

int cs_emu_series_begin(int first)
{
    first_rank = &cs_emu_world->rank[first];
    in_series = true;
    int rank = cs_emu_put_back_mark();
    if (rank > 0)
        return rank;
    in_series = rank == 0;
    return first;
}
