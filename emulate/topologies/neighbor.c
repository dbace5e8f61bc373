/* SPDX-License-Identifier: BSD-3-Clause
 * Neighbourhood collectives: a message to each destination and a receive from each source, in the order of the
 * topology, with a context of their own. Messages are packed and pushed at once, so no send waits. The request of a
 * nonblocking call is complete when all its receives are. */
#include <assert.h>
#include <stdlib.h>

#include "emulate/collectives/coll.h"
#include "emulate/messages/message.h"
#include "emulate/messages/p2p.h"
#include "emulate/objects/comm.h"
#include "emulate/objects/context.h"
#include "emulate/topologies/neighbor_internal.h"
#include "emulate/topologies/topo_internal.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type.h"

/* The neighbours of the own rank, in the order of the topology. `in` and `out` are in one block, which begins at `in`.
 */
struct edges {
    int nin, nout;
    int *in, *out;
};

static int ask_edges(struct edges *e, const struct cs_emu_comm *c)
{
    int rc = cs_emu_topo_degrees(c, &e->nin, &e->nout);
    if (rc != MPI_SUCCESS)
        return rc;
    e->in = malloc(((size_t)e->nin + (size_t)e->nout + 1) * sizeof *e->in);
    if (!e->in)
        return MPI_ERR_NO_MEM;
    e->out = e->in + e->nin;
    cs_emu_topo_neighbours(c, e->in, e->out);
    return MPI_SUCCESS;
}

static void send_all(const struct cs_emu_neighbor_call *k, const struct edges *e, int tag)
{
    for (int i = 0; i < e->nout; i++) {
        int at = k->same ? 0 : i;
        if (e->out[i] == MPI_PROC_NULL)
            continue;
        MPI_Datatype t = cs_emu_block_type(&k->send, at);
        int64_t n = cs_emu_block_count(&k->send, at);
        struct cs_emu_msg *m = cs_emu_msg_new(CS_EMU_DATA, (uint64_t)n * (uint64_t)cs_emu_type_size(t));
        m->context = CS_EMU_NEIGHBOURS(k->comm->context);
        m->source = k->comm->rank;
        m->tag = tag;
        if (m->bytes)
            cs_emu_pack(m->data, cs_emu_block_at(&k->send, at), n, t);
        cs_emu_msg_push(cs_emu_comm_world(k->comm, e->out[i]), m);
    }
}

/* The receives of a call. */
struct many {
    int n;
    struct cs_emu_req *each[];
};

/* Begins all receives. NULL when memory is out; fewer than e->nin if it ran out on the way. */
static struct many *receive_all(const struct cs_emu_neighbor_call *k, const struct edges *e, int tag)
{
    struct many *all = malloc(sizeof *all + (size_t)e->nin * sizeof all->each[0]);
    if (!all)
        return NULL;
    for (all->n = 0; all->n < e->nin; all->n++) {
        int i = k->backwards ? e->nin - 1 - all->n : all->n;
        struct cs_emu_req *r = cs_emu_req_new(CS_EMU_REQ_RECV, k->comm, cs_emu_block_type(&k->recv, i));
        if (!r)
            break;
        r->context = CS_EMU_NEIGHBOURS(k->comm->context);
        r->peer = e->in[i];
        r->tag = tag;
        r->buf = cs_emu_block_at(&k->recv, i);
        r->count = cs_emu_block_count(&k->recv, i);
        all->each[all->n] = r;
        cs_emu_recv_begin(r);
    }
    return all;
}

/* Frees the receives; returns the first error class among them. */
static int end_all(struct many *all)
{
    int rc = MPI_SUCCESS;
    for (int i = 0; i < all->n; i++) {
        assert(all->each[i]->complete);
        if (rc == MPI_SUCCESS)
            rc = all->each[i]->error;
        cs_emu_req_free(all->each[i]);
    }
    free(all);
    return rc;
}

/* Takes the receives back, of which some could not be begun. NULL: there are none. */
static void abandon(struct many *all)
{
    for (int i = 0; all && i < all->n; i++) {
        cs_emu_unpost(all->each[i]);
        cs_emu_req_free(all->each[i]);
    }
    free(all);
}

/* If all receives are complete: frees them, sets *error to the first error class among them, and returns true. */
static bool all_done(void *arg, int *error)
{
    struct many *all = arg;
    for (int i = 0; i < all->n; i++)
        if (!all->each[i]->complete)
            return false;
    *error = end_all(all);
    return true;
}

/* Checks the arguments for sending, or for receiving, with n edges; returns an error class. */
static int check_side(const struct cs_emu_blocks *b, int n)
{
    if (n > 0 && ((b->types && (!b->counts.at || !b->displs.at)) || (!b->types && b->displs.at && !b->counts.at)))
        return MPI_ERR_ARG;
    for (int i = 0; i < n; i++) {
        int rc = cs_emu_check_buffer(b->types ? MPI_BOTTOM : b->buf, cs_emu_block_count(b, i), cs_emu_block_type(b, i));
        if (rc != MPI_SUCCESS && !(b->types && rc == MPI_ERR_BUFFER))
            return rc;
    }
    return b->buf == MPI_IN_PLACE ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

static int check(const struct cs_emu_neighbor_call *k, const struct edges *e)
{
    int rc = check_side(&k->send, k->same && e->nout > 1 ? 1 : e->nout);
    return rc == MPI_SUCCESS ? check_side(&k->recv, e->nin) : rc;
}

int cs_emu_neighbor_check(const struct cs_emu_neighbor_call *k, int *nin, int *nout)
{
    struct edges e = {0};
    int rc = ask_edges(&e, k->comm);
    if (rc == MPI_SUCCESS)
        rc = check(k, &e);
    *nin = e.nin;
    *nout = e.nout;
    free(e.in);
    return rc;
}

/* Sends, and begins to receive. *all is NULL after an error, whose class is returned. */
static int begin(const struct cs_emu_neighbor_call *k, struct many **all)
{
    struct edges e = {0};
    int rc = ask_edges(&e, k->comm);
    *all = NULL;
    if (rc == MPI_SUCCESS)
        rc = check(k, &e);
    if (rc == MPI_SUCCESS) {
        int tag = (int)(k->comm->neighbors++ & 0x7fffffff);
        send_all(k, &e, tag);
        *all = receive_all(k, &e, tag);
    }
    if (rc == MPI_SUCCESS && (!*all || (*all)->n < e.nin)) {
        abandon(*all);
        *all = NULL;
        rc = MPI_ERR_NO_MEM;
    }
    free(e.in);
    return rc;
}

int cs_emu_neighbor_run(const struct cs_emu_neighbor_call *k, MPI_Request *request)
{
    struct many *all;
    int rc = begin(k, &all);
    if (rc != MPI_SUCCESS)
        return rc;
    if (request) {
        rc = cs_emu_coll_begin_other(k->comm, all_done, all, request);
        if (rc != MPI_SUCCESS)
            abandon(all);
        return rc;
    }
    for (int i = 0; i < all->n; i++)
        cs_emu_req_wait(all->each[i], k->name);
    return end_all(all);
}

int cs_emu_neighbor_start(const struct cs_emu_neighbor_call *k, struct cs_emu_req *r)
{
    struct many *all;
    int rc = begin(k, &all);
    if (rc == MPI_SUCCESS && (rc = cs_emu_coll_start_other(r, all_done, all)) != MPI_SUCCESS)
        abandon(all);
    return rc;
}
