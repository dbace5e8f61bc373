/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent collectives of neighbours: a call that each start of its request makes. It has a communicator of its own,
 * as ranks may start several of them in different orders. */
#include <stdlib.h>

#include "emulate/messages/request.h"
#include "emulate/objects/comm.h"
#include "emulate/topologies/neighbor_internal.h"
#include "emulate/topologies/topo.h"
#include "emulate/types/type.h"

/* One side of the arguments: copies of its arrays (NULL: it has none), and how many blocks it has. */
struct side {
    int n;
    void *arrays;
};

/* A call that is kept with copies of its arrays; `base` comes first, so that it stands for the whole. */
struct kept_call {
    struct cs_emu_prepared base;
    struct cs_emu_neighbor_call call;
    struct side sent, received;
};

static void hold_types(const struct cs_emu_blocks *b, int n, bool hold)
{
    void (*with_type)(MPI_Datatype) = hold ? cs_emu_type_hold : cs_emu_type_release;
    for (int i = 0; i < n; i++)
        with_type(cs_emu_block_type(b, i));
}

static int own_side(struct cs_emu_blocks *b, struct side *s)
{
    return b->counts.at ? cs_emu_blocks_own(b, (size_t)s->n, &s->arrays) : MPI_SUCCESS;
}

static void free_arrays(struct kept_call *k)
{
    free(k->sent.arrays);
    free(k->received.arrays);
}

static void hold(struct kept_call *k, bool on)
{
    hold_types(&k->call.send, k->call.same && k->sent.n > 1 ? 1 : k->sent.n, on);
    hold_types(&k->call.recv, k->received.n, on);
}

static void drop(struct cs_emu_prepared *p)
{
    struct kept_call *k = (struct kept_call *)p;
    hold(k, false);
    cs_emu_comm_end(k->call.comm);
    free_arrays(k);
    free(k);
}

static int start(struct cs_emu_prepared *p, struct cs_emu_req *r)
{
    return cs_emu_neighbor_start(&((struct kept_call *)p)->call, r);
}

/* *k: a copy of the call, with a communicator of its own. Returns an error class. */
static int keep(const struct cs_emu_neighbor_call *call, struct kept_call *k)
{
    MPI_Comm own;
    *k = (struct kept_call){.base = {start, drop}, .call = *call};
    int rc = cs_emu_neighbor_check(call, &k->received.n, &k->sent.n);
    if (rc == MPI_SUCCESS)
        rc = own_side(&k->call.send, &k->sent);
    if (rc == MPI_SUCCESS)
        rc = own_side(&k->call.recv, &k->received);
    if (rc == MPI_SUCCESS)
        rc = cs_emu_comm_twin(call->comm, &own);
    if (rc != MPI_SUCCESS) {
        free_arrays(k);
        return rc;
    }
    k->call.comm = cs_emu_comm_of(own);
    cs_emu_comm_set_topo(k->call.comm, cs_emu_topo_hold(call->comm->topo), call->comm->release_topo);
    hold(k, true);
    return MPI_SUCCESS;
}

int cs_emu_neighbor_prepare(const struct cs_emu_neighbor_call *call, MPI_Request *request)
{
    struct kept_call *k = malloc(sizeof *k);
    int rc = k ? keep(call, k) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS)
        return cs_emu_req_prepare(call->comm, &k->base, request);
    free(k);
    return rc;
}
