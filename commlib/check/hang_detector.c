/* SPDX-License-Identifier: BSD-3-Clause
 * Each rank posts what it waits for in memory shared by the ranks of a machine, and reads all posts once a second. When
 * for `patience` seconds every rank has waited or polled in vain, the run hangs: each rank reports where it waits and
 * which of its unmarked calls others wait for, and the run is ended. */
#define _GNU_SOURCE
#include "commlib/check/hang_detector.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "commlib/check/channel_check.h"
#include "commlib/record/comm_paths.h"
#include "commlib/record/request_table.h"
#include "commlib/state/run_state.h"
#include "commlib/process/run_end.h"
#include "commlib/process/say.h"
#include "commlib/record/call_sites.h"
#include "commlib/state/lock.h"
#include "commlib/record/trace_file.h"

/* Bytes of the text of a call site. */
enum { PLACE = 160 };

/* What a rank is at: WAITING in a call, POLLING in vain, FINISHED or GIVEN_UP with MPI, or RUNNING. */
enum state { RUNNING, WAITING, POLLING, FINISHED, GIVEN_UP };

/* What one rank is doing. Written by the rank, read by all ranks of the machine. */
struct post {
    atomic_int state;   /* enum state */
    atomic_ulong steps; /* calls that came back */
    atomic_ulong polls; /* polls in vain */
    int world_rank;
    int call;
    int peer, tag; /* peer: rank in MPI_COMM_WORLD, -1 any, -2 none (collective, several requests) */
    int receives, collective;
    uint64_t comm_key;
    int64_t number;    /* of the collective call on its communicator */
    char place[PLACE]; /* text of the call site */
};

static MPI_Win window = MPI_WIN_NULL;
static MPI_Comm machine = MPI_COMM_NULL;
static struct post *posts, *mine;
static int nposts, patience;
static bool all_here; /* all ranks of the run are on this machine */
static bool watching;
static unsigned long *polls_seen; /* `polls` of each post as of the last second */

/* ---- the rank's side ---- */

static void post_message(const struct cs_comm *m, bool receives, int peer, int tag)
{
    mine->receives = receives;
    mine->peer = m ? cs_ranges_at(&m->world, peer) : -1;
    mine->tag = tag;
}

static void post_request(const struct cs_request *r)
{
    if (!r || r->fake)
        return;
    const struct cs_comm *m = cs_comm_get(r->comm);
    if (m)
        mine->comm_key = m->key;
    if (r->peer != MPI_PROC_NULL)
        post_message(m, r->receives, r->peer, r->tag);
}

/* A call with several requests posts the first one that is not null. */
static void post_requests(const struct cs_call *c)
{
    if (cs_call_has(c, CS_ROLE_REQ_INOUT) && c->info->kind == CS_MPI_WAIT) {
        post_request(cs_request_of(*(int *)cs_call_ptr(c, CS_ROLE_REQ_INOUT)));
    } else if (cs_call_has(c, CS_ROLE_REQS)) {
        const int *r = cs_call_ptr(c, CS_ROLE_REQS);
        for (int i = 0; i < c->a[0].i; i++)
            if (cs_request_of(r[i])) {
                post_request(cs_request_of(r[i]));
                return;
            }
    }
}

static void post_call(const struct cs_call *c)
{
    mine->peer = -2;
    mine->collective = c->info->kind == CS_MPI_COLL || c->info->kind == CS_MPI_BARRIER;
    mine->comm_key = 0;
    if (!cs_call_has(c, CS_ROLE_COMM)) {
        post_requests(c);
        return;
    }
    const struct cs_comm *m = cs_comm_of_call(c);
    if (!m)
        return;
    mine->comm_key = m->key;
    mine->number = cs_channel_collectives(m->key);
    if (cs_call_has(c, CS_ROLE_SOURCE))
        post_message(m, true, cs_call_int(c, CS_ROLE_SOURCE), (int)c->a[c->shape->last_tag].i);
    else if (cs_call_has(c, CS_ROLE_DEST))
        post_message(m, false, cs_call_int(c, CS_ROLE_DEST), cs_call_int(c, CS_ROLE_TAG));
}

void cs_hang_detector_enter(const struct cs_call *c)
{
    static int last_site = -2;
    if (!watching || c->mark == CS_MARK_NONE)
        return;
    mine->call = c->index;
    cs_lock();
    post_call(c);
    cs_unlock();
    if (c->site != last_site) {
        cs_site_text(c->site, mine->place, PLACE);
        last_site = c->site;
    }
    atomic_store_explicit(&mine->state, WAITING, memory_order_release);
}

void cs_hang_detector_leave(const struct cs_call *c)
{
    if (!watching)
        return;
    if (c->polled_in_vain) {
        atomic_fetch_add_explicit(&mine->polls, 1, memory_order_relaxed);
        atomic_store_explicit(&mine->state, POLLING, memory_order_relaxed);
        return;
    }
    atomic_store_explicit(&mine->state, RUNNING, memory_order_relaxed);
    atomic_fetch_add_explicit(&mine->steps, 1, memory_order_release);
}

/* ---- the thread's side ---- */

static const char *call_name(const struct post *p)
{
    const struct cs_mpi_call *c = cs_mpi_call(p->call);
    return c ? c->name : "?";
}

static void say_wait(const struct post *p)
{
    char peer[64] = "", tag[32] = "";
    if (p->peer >= 0)
        snprintf(peer, sizeof peer, " %s rank %d", p->receives ? "from" : "to", p->peer);
    else if (p->peer == -1)
        snprintf(peer, sizeof peer, " from any rank");
    if (p->peer >= -1 && p->tag >= 0)
        snprintf(tag, sizeof tag, ", tag %d", p->tag);
    cs_say("rank %d waits in %s at %s%s%s", p->world_rank, call_name(p), p->place, peer, tag);
}

/* Reports an error if p waits for this rank, and this rank has already made the matching call without a mark. */
static void say_if_partner(const struct post *p)
{
    char place[PLACE];
    if (p->collective) {
        if (cs_channel_unmarked_collective(p->comm_key, p->number, place, sizeof place))
            cs_say("error: the marked %s at %s (rank %d) meets the unmarked collective call at %s (rank %d)",
                   call_name(p), p->place, p->world_rank, place, cs_run.rank);
    } else if (p->peer == cs_run.rank || p->peer == -1) {
        if (cs_channel_unmarked_partner(p->comm_key, p->world_rank, p->receives, p->tag, place, sizeof place))
            cs_say("error: the marked %s at %s (rank %d) meets the unmarked %s at %s (rank %d)", call_name(p), p->place,
                   p->world_rank, p->receives ? "send" : "receive", place, cs_run.rank);
    }
}

/* Reports where this rank waits, cuts its trace and exits when the other ranks have done so, too. Does not return. */
static void end_hanging_run(int rank)
{
    if (rank == 0)
        cs_say("error: all ranks wait and none has made a step for %d s:", patience);
    usleep(200000);
    if (mine->state == WAITING || mine->state == POLLING)
        say_wait(mine);
    for (int i = 0; i < nposts; i++)
        if (&posts[i] != mine && posts[i].state != FINISHED)
            say_if_partner(&posts[i]);
    fflush(NULL);
    cs_lock(); /* never unlocked: nothing more is to be recorded */
    cs_trace_file_cut();
    /* The exit of one rank ends all others, so each waits (at most 5 s) until the others have reported and written. */
    atomic_store(&mine->state, GIVEN_UP);
    for (int i = 0, waits = 0; i < nposts && waits < 100; waits++)
        if (posts[i].state == GIVEN_UP || posts[i].state == FINISHED)
            i++;
        else
            usleep(50000);
    _exit(CS_EXIT_HANG);
}

/* 0 if any rank is at work or all have finished, else the steps of all ranks plus 1. A rank that has polled since the
 * last second counts as waiting. Sets *polling if there is one. */
static unsigned long standstill(bool *polling)
{
    unsigned long steps = 1;
    bool waits = false, works = false;
    *polling = false;
    for (int i = 0; i < nposts; i++) {
        unsigned long polls = posts[i].polls;
        int state = posts[i].state;
        /* A rank that has given up has seen the standstill; for the others it counts as waiting. */
        works |= state == RUNNING || (state == POLLING && polls == polls_seen[i]);
        *polling |= state == POLLING;
        waits |= state != FINISHED;
        steps += posts[i].steps;
        polls_seen[i] = polls;
    }
    return waits && !works ? steps : 0;
}

void cs_hang_detector_second(void)
{
    static unsigned long before;
    static int seconds;
    bool polling;
    if (!watching)
        return;
    unsigned long now = standstill(&polling);
    seconds = now != 0 && now == before ? seconds + 1 : 0;
    before = now;
    /* A rank that polls may compute between two polls: with one of these, wait five times as long. */
    if (seconds < (polling ? 5 * patience : patience))
        return;
    if (all_here)
        end_hanging_run(cs_run.rank);
    if (mine->state == WAITING)
        say_wait(mine);
    seconds = -10 * patience;
}

void cs_hang_detector_start(void)
{
    const char *text = getenv(CS_ENV_PATIENCE);
    patience = text ? atoi(text) : CS_DEFAULT_PATIENCE;
    if (!cs_channels_on || patience <= 0)
        return;
    int rank, size, unit;
    MPI_Aint bytes;
    PMPI_Comm_split_type(cs_run.control, MPI_COMM_TYPE_SHARED, cs_run.rank, MPI_INFO_NULL, &machine);
    PMPI_Comm_rank(machine, &rank);
    PMPI_Comm_size(machine, &size);
    PMPI_Win_allocate_shared(rank == 0 ? (MPI_Aint)((size_t)size * sizeof(struct post)) : 0, 1, MPI_INFO_NULL, machine,
                             &posts, &window);
    PMPI_Win_shared_query(window, 0, &bytes, &unit, &posts);
    nposts = size;
    all_here = size == cs_run.nranks;
    assert(rank >= 0 && rank < nposts && posts);
    mine = &posts[rank];
    memset(mine, 0, sizeof *mine);
    mine->world_rank = cs_run.rank;
    PMPI_Barrier(machine);
    polls_seen = calloc((size_t)size, sizeof *polls_seen);
    watching = polls_seen != NULL;
}

void cs_hang_detector_stop(void)
{
    if (window == MPI_WIN_NULL)
        return;
    watching = false;
    free(polls_seen);
    PMPI_Win_free(&window);
    PMPI_Comm_free(&machine);
}
