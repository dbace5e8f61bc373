/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the calls of this rank into the run's file: monitored_calls.h. A call costs two dozen stores into one cache
 * line; whom it waits for is looked up where the hang detector would, too. */
#define _GNU_SOURCE
#include "commlib/live/monitored_calls.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cold.h"
#include "commlib/backend/backend.h"
#include "commlib/process/say.h"
#include "commlib/record/comm_paths.h"
#include "commlib/record/request_table.h"
#include "commlib/state/run_state.h"
#include "live/live_state.h"

bool cs_live_on;

static struct cs_live_run live CS_COLD;
static struct cs_live_calls *mine;

static bool join(int nranks, bool says)
{
    const char *name = cs_live_wanted();
    char own[128];
    if (!name || live.head)
        return live.head;
    /* No name: the recorder was loaded without the command. Then the program is alone. */
    if (cs_live_join(&live, *name ? name : cs_live_name(own, sizeof own), nranks)) {
        if (says)
            cs_say("warning: this run cannot be watched: %s", strerror(errno));
        return false;
    }
    live.head->ncalls = cs_mpi_ncalls();
    return true;
}

void cs_live_calls_share(int nranks)
{
    join(nranks, true);
}

void cs_live_calls_over(void)
{
    cs_live_leave(&live);
}

void cs_live_calls_start(void)
{
    if (!join(cs_run.nranks, cs_run.rank == 0) || live.head->nranks != cs_run.nranks)
        return;
    mine = &live.rank[cs_run.rank].calls;
    cs_live_write_begin(&mine->version);
    mine->pid = (int32_t)getpid();
    mine->call = -1;
    mine->state = CS_LIVE_COMPUTES;
    mine->since = cs_run.with_times ? cs_now() : 0;
    cs_live_write_end(&mine->version);
    cs_live_on = true;
}

void cs_live_calls_stop(void)
{
    if (!cs_live_on)
        return;
    cs_live_on = false;
    cs_live_write_begin(&mine->version);
    mine->state = CS_LIVE_ENDED;
    mine->since = cs_run.with_times ? cs_now() : 0;
    cs_live_write_end(&mine->version);
    /* Forked ranks have the file from their parent, whose lock is theirs. */
    if (!cs_backend_emulated())
        cs_live_leave(&live);
}

/* ---- whom a call waits for ---- */

static void wait_for(const struct cs_comm *m, int peer)
{
    if (peer == MPI_PROC_NULL || (peer >= 0 && !m))
        return;
    mine->waits = peer == MPI_ANY_SOURCE ? CS_LIVE_FOR_ANY : CS_LIVE_FOR_PEER;
    mine->peer = peer >= 0 ? cs_ranges_at(&m->world, peer) : peer;
}

static void wait_for_request(const struct cs_request *r)
{
    if (r && !r->fake)
        wait_for(cs_comm_known(r->comm), r->peer);
}

/* Of several requests the first one that is not null. */
static void wait_for_requests(const struct cs_call *c)
{
    if (c->info->kind != CS_MPI_WAIT)
        return;
    if (cs_call_has(c, CS_ROLE_REQ_INOUT)) {
        wait_for_request(cs_request_of(*(int *)cs_call_ptr(c, CS_ROLE_REQ_INOUT)));
    } else if (cs_call_has(c, CS_ROLE_REQS)) {
        const int *r = cs_call_ptr(c, CS_ROLE_REQS);
        for (int i = 0; i < c->a[0].i; i++)
            if (cs_request_of(r[i])) {
                wait_for_request(cs_request_of(r[i]));
                return;
            }
    }
}

static void wait_on_comm(const struct cs_call *c)
{
    const struct cs_comm *m = cs_comm_known(cs_call_comm(c));
    if (!m)
        return;
    if (c->info->kind == CS_MPI_COLL || c->info->kind == CS_MPI_BARRIER) {
        mine->waits = CS_LIVE_FOR_ALL;
        mine->comm = m->key;
        mine->members = m->nranks;
    } else if (cs_call_has(c, CS_ROLE_SOURCE)) {
        wait_for(m, cs_call_int(c, CS_ROLE_SOURCE));
    } else if (cs_call_has(c, CS_ROLE_DEST)) {
        wait_for(m, cs_call_int(c, CS_ROLE_DEST));
    }
}

void cs_live_calls_enter(const struct cs_call *c, int64_t time)
{
    cs_live_write_begin(&mine->version);
    mine->call = (int16_t)c->index;
    mine->state = CS_LIVE_IN_CALL;
    mine->waits = CS_LIVE_FOR_UNKNOWN;
    mine->since = time;
    if (cs_call_has(c, CS_ROLE_COMM))
        wait_on_comm(c);
    else
        wait_for_requests(c);
    cs_live_write_end(&mine->version);
}

void cs_live_calls_leave(int64_t time, bool event)
{
    cs_live_write_begin(&mine->version);
    mine->state = CS_LIVE_COMPUTES;
    mine->in_mpi += time - mine->since;
    mine->since = time;
    mine->events += event;
    cs_live_write_end(&mine->version);
}
