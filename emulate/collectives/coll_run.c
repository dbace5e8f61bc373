/* SPDX-License-Identifier: BSD-3-Clause
 * Running collective calls: blocking ones wait, nonblocking ones stay in a list and are completed when progress is
 * made. */
#include <assert.h>
#include <stdlib.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/collectives/op.h"
#include "emulate/messages/message.h"
#include "emulate/messages/request.h"
#include "emulate/objects/comm.h"
#include "emulate/types/type.h"
#include "emulate/world/tape.h"
#include "emulate/world/wait.h"

static struct cs_emu_coll_call *under_way; /* the oldest first */

/* Completes what is ready. */
static bool try_finish(struct cs_emu_coll_call *k)
{
    if (k->done)
        return k->done(k->arg, &k->error);
    if (k->waits && !cs_emu_coll_is_ready(k))
        return false;
    cs_emu_coll_finish(k);
    return true;
}

void cs_emu_coll_hold(const struct cs_emu_coll_call *k, bool hold)
{
    void (*with_type)(MPI_Datatype) = hold ? cs_emu_type_hold : cs_emu_type_release;
    if (k->done || k->kind == CS_EMU_BARRIER)
        return;
    if (cs_emu_coll_combines(k->kind))
        (hold ? cs_emu_op_hold : cs_emu_op_release)(k->op);
    if (!k->recv.types)
        with_type(k->recv.type);
    for (int i = 0; k->recv.types && i < cs_emu_comm_peers(k->comm); i++)
        if (cs_emu_block_count(&k->recv, i))
            with_type(k->recv.types[i]);
}

/* The call gets its own copies of the arrays that say what is received. */
static int own_arrays(struct cs_emu_coll_call *k)
{
    if (k->done || !k->recv.counts.at || !cs_emu_coll_uses_recv(k))
        return MPI_SUCCESS;
    int n = k->kind == CS_EMU_REDUCE_SCATTER ? k->comm->local->size : cs_emu_comm_peers(k->comm);
    return cs_emu_blocks_own(&k->recv, (size_t)n, &k->arrays);
}

/* The request is complete, and the call is gone. */
static void complete(struct cs_emu_coll_call *k)
{
    cs_emu_coll_hold(k, false);
    assert(!k->request->complete);
    k->request->error = k->error;
    k->request->complete = true;
    if (k->request->freed)
        cs_emu_req_free(k->request);
    free(k->arrays);
    free(k);
}

/* Completes calls that are ready. True if there was one. */
static bool progress(void)
{
    bool any = false;
    for (struct cs_emu_coll_call **p = &under_way; *p;) {
        struct cs_emu_coll_call *k = *p;
        if (!try_finish(k)) {
            p = &k->next;
            continue;
        }
        *p = k->next;
        complete(k);
        any = true;
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
    cs_emu_progress_more = progress;
    progress();
}

int cs_emu_coll_begin(const struct cs_emu_coll_call *call, struct cs_emu_req *r)
{
    struct cs_emu_coll_call *k = malloc(sizeof *k);
    if (!k)
        return MPI_ERR_NO_MEM;
    *k = *call;
    if (own_arrays(k) != MPI_SUCCESS) {
        free(k);
        return MPI_ERR_NO_MEM;
    }
    k->request = r;
    cs_emu_coll_hold(k, true);
    if (!k->done)
        cs_emu_coll_deposit(k);
    keep(k);
    return MPI_SUCCESS;
}

static int begin(const struct cs_emu_coll_call *call, MPI_Request *request)
{
    struct cs_emu_req *r = cs_emu_req_new(CS_EMU_REQ_COLL, call->comm, MPI_DATATYPE_NULL);
    int rc = r ? cs_emu_coll_begin(call, r) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS)
        *request = r->handle;
    else if (r)
        cs_emu_req_free(r);
    return rc;
}

int cs_emu_coll_begin_other(struct cs_emu_comm *c, bool (*done)(void *arg, int *error), void *arg, MPI_Request *request)
{
    struct cs_emu_coll_call k = {.comm = c, .done = done, .arg = arg};
    assert(done);
    return begin(&k, request);
}

int cs_emu_coll_start_other(struct cs_emu_req *r, bool (*done)(void *arg, int *error), void *arg)
{
    struct cs_emu_coll_call k = {.comm = r->comm, .done = done, .arg = arg};
    assert(done && r->persistent);
    return cs_emu_coll_begin(&k, r);
}

int cs_emu_coll_run(const struct cs_emu_coll_call *call, MPI_Request *request)
{
    if (request)
        return begin(call, request);
    struct cs_emu_coll_call k = *call;
    cs_emu_tape_look();
    cs_emu_coll_deposit(&k);
    if (k.waits && !cs_emu_tape_plays() && !cs_emu_coll_is_ready(&k)) {
        cs_emu_coll_note_wait(&k);
        cs_emu_wait(cs_emu_coll_is_ready, &k);
    }
    cs_emu_coll_finish(&k);
    return k.error;
}
