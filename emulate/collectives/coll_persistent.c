/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent collectives: a call that each start of its request makes. It has a communicator of its own, as ranks may
 * start several of them in different orders. */
#include <assert.h>
#include <stdlib.h>

#include "emulate/collectives/coll_internal.h"
#include "emulate/messages/request.h"
#include "emulate/objects/comm.h"
#include "emulate/types/type.h"

/* A call that is kept with copies of its arrays; `base` comes first, so that it stands for the whole. */
struct kept_call {
    struct cs_emu_prepared base;
    struct cs_emu_coll_call call;
    void *sent, *received; /* the copies, or NULL */
};

/* Types that what is sent is made of. A rank for which they mean nothing may pass anything, also no type at all. */
static void hold_sent(const struct cs_emu_coll_call *k, bool hold)
{
    void (*with_type)(MPI_Datatype) = hold ? cs_emu_type_hold : cs_emu_type_release;
    if (!cs_emu_coll_uses_send(k) || k->send.buf == MPI_IN_PLACE)
        return;
    if (!k->send.types)
        with_type(k->send.type);
    for (int i = 0; k->send.types && i < cs_emu_comm_peers(k->comm); i++)
        if (cs_emu_block_count(&k->send, i))
            with_type(k->send.types[i]);
}

static void drop(struct cs_emu_prepared *p)
{
    struct kept_call *k = (struct kept_call *)p;
    hold_sent(&k->call, false);
    cs_emu_coll_hold(&k->call, false);
    cs_emu_comm_end(k->call.comm);
    free(k->sent);
    free(k->received);
    free(k);
}

static int start(struct cs_emu_prepared *p, struct cs_emu_req *r)
{
    return cs_emu_coll_begin(&((struct kept_call *)p)->call, r);
}

static int own_arrays(struct kept_call *k)
{
    struct cs_emu_coll_call *c = &k->call;
    int members = c->kind == CS_EMU_REDUCE_SCATTER ? c->comm->local->size : cs_emu_comm_peers(c->comm);
    int rc = MPI_SUCCESS;
    if (c->send.counts.at && cs_emu_coll_uses_send(c) && c->send.buf != MPI_IN_PLACE)
        rc = cs_emu_blocks_own(&c->send, (size_t)members, &k->sent);
    if (rc == MPI_SUCCESS && c->recv.counts.at && cs_emu_coll_uses_recv(c))
        rc = cs_emu_blocks_own(&c->recv, (size_t)members, &k->received);
    return rc;
}

/* *k: a copy of the call, with a communicator of its own. Returns an error class. */
static int keep(const struct cs_emu_coll_call *call, struct kept_call *k)
{
    MPI_Comm own;
    *k = (struct kept_call){.base = {start, drop}, .call = *call};
    int rc = own_arrays(k);
    if (rc == MPI_SUCCESS)
        rc = cs_emu_comm_twin(call->comm, &own);
    if (rc != MPI_SUCCESS) {
        free(k->sent);
        free(k->received);
        return rc;
    }
    k->call.comm = cs_emu_comm_of(own);
    hold_sent(&k->call, true);
    cs_emu_coll_hold(&k->call, true);
    return MPI_SUCCESS;
}

int cs_emu_coll_prepare(const struct cs_emu_coll_call *call, MPI_Request *request)
{
    struct kept_call *k = malloc(sizeof *k);
    int rc = k ? keep(call, k) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS)
        return cs_emu_req_prepare(call->comm, &k->base, request);
    free(k);
    return rc;
}
