/* SPDX-License-Identifier: BSD-3-Clause
 * Sends and receives, blocking and not. A send is done when its message is packed and pushed: only the synchronous mode
 * waits. */
#include "emulate/messages/p2p.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/world/entry.h"
#include "emulate/types/check.h"
#include "emulate/objects/comm_table.h"
#include "emulate/errors/error.h"
#include "emulate/messages/flow.h"
#include "emulate/messages/message.h"
#include "emulate/world/shared_memory.h"
#include "emulate/types/type.h"
#include "emulate/world/wait.h"

static bool is_peer(const struct cs_emu_comm *c, int peer)
{
    return (peer >= 0 && peer < cs_emu_comm_peers(c)) || peer == MPI_PROC_NULL;
}

/* What sends and receives have in common, in MPICH's order. */
static int check(const struct cs_emu_comm *c, const void *buf, int count, MPI_Datatype t, bool peer_fits, int tag,
                 int least_tag)
{
    if (!c)
        return MPI_ERR_COMM;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (!peer_fits)
        return MPI_ERR_RANK;
    if (tag < least_tag || tag > CS_EMU_TAG_UB)
        return MPI_ERR_TAG;
    return cs_emu_check_buffer(buf, count, t);
}

int cs_emu_check_send(const struct cs_emu_comm *c, const void *buf, int count, MPI_Datatype t, int dest, int tag)
{
    return check(c, buf, count, t, c && is_peer(c, dest), tag, 0);
}

int cs_emu_check_recv(const struct cs_emu_comm *c, const void *buf, int count, MPI_Datatype t, int source, int tag)
{
    return check(c, buf, count, t, c && (is_peer(c, source) || source == MPI_ANY_SOURCE), tag, MPI_ANY_TAG);
}

void cs_emu_send(const void *buf, int64_t count, MPI_Datatype t, int dest, int tag, struct cs_emu_comm *c,
                 enum cs_emu_send_mode mode, struct cs_emu_req *r)
{
    if (dest == MPI_PROC_NULL) {
        if (r)
            r->complete = true;
        return;
    }
    bool sync = mode == CS_EMU_SYNCHRONOUS;
    int to = cs_emu_comm_world(c, dest);
    if (!sync && atomic_load(&cs_emu_world->rank[to].life) >= CS_EMU_FINALIZED) { /* nobody will ever receive it */
        if (r)
            r->complete = true;
        return;
    }
    int64_t bytes = count * cs_emu_type_size(t);
    struct cs_emu_req *hears = sync ? r : mode == CS_EMU_BUFFERED ? cs_emu_bsend_keep(bytes, dest, tag, c) : NULL;
    struct cs_emu_msg *m = cs_emu_msg_new(hears ? CS_EMU_DATA_SYNC : CS_EMU_DATA, (uint64_t)bytes);
    m->context = c->context;
    m->source = c->rank;
    m->tag = tag;
    m->sender = hears;
    if (m->bytes)
        cs_emu_pack(m->data, buf, count, t);
    if (r)
        r->complete = !sync;
    cs_emu_msg_push(to, m);
    if (!sync)
        cs_emu_flow_wait(to);
}

void cs_emu_recv_begin(struct cs_emu_req *r)
{
    r->complete = false;
    r->error = MPI_SUCCESS;
    r->cancelled = false;
    if (r->peer == MPI_PROC_NULL) {
        r->source = MPI_PROC_NULL;
        r->got_tag = MPI_ANY_TAG;
        r->bytes = 0;
        r->complete = true;
        return;
    }
    cs_emu_post(r);
}

static bool is_complete(void *arg)
{
    return ((struct cs_emu_req *)arg)->complete;
}

void cs_emu_req_wait(struct cs_emu_req *r, const char *call)
{
    if (r->complete)
        return;
    struct cs_emu_wait_note *n = &cs_emu_me->note;
    n->call = call;
    n->collective = r->kind == CS_EMU_REQ_COLL;
    n->receives = r->kind == CS_EMU_REQ_RECV;
    n->tag = r->tag;
    n->context = r->context;
    n->sequence = 0;
    n->peer = !r->comm || n->collective ? MPI_PROC_NULL : r->peer >= 0 ? cs_emu_comm_world(r->comm, r->peer) : r->peer;
    cs_emu_wait(is_complete, r);
}

/* ---- the calls ---- */

static int send(const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm,
                enum cs_emu_send_mode mode, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_send(c, buf, count, t, dest, tag);
    if (rc == MPI_SUCCESS && mode == CS_EMU_BUFFERED)
        rc = cs_emu_check_space(count, t, dest);
    if (rc != MPI_SUCCESS)
        return cs_emu_error(c, rc, call);
    struct cs_emu_req r = {
        .kind = CS_EMU_REQ_SEND, .comm = c, .context = c->context, .peer = dest, .tag = tag, .type = MPI_DATATYPE_NULL};
    cs_emu_send(buf, count, t, dest, tag, c, mode, &r);
    cs_emu_req_wait(&r, call);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Send, (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm))
{
    return send(buf, count, t, dest, tag, comm, CS_EMU_STANDARD, "MPI_Send");
}

CS_EMU_CALL(int, Bsend, (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm))
{
    return send(buf, count, t, dest, tag, comm, CS_EMU_BUFFERED, "MPI_Bsend");
}

CS_EMU_CALL(int, Ssend, (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm))
{
    return send(buf, count, t, dest, tag, comm, CS_EMU_SYNCHRONOUS, "MPI_Ssend");
}

CS_EMU_CALL(int, Rsend, (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm))
{
    return send(buf, count, t, dest, tag, comm, CS_EMU_READY, "MPI_Rsend");
}

static int isend(const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out,
                 enum cs_emu_send_mode mode, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_send(c, buf, count, t, dest, tag);
    if (rc == MPI_SUCCESS && !out)
        rc = MPI_ERR_ARG;
    if (rc == MPI_SUCCESS && mode == CS_EMU_BUFFERED)
        rc = cs_emu_check_space(count, t, dest);
    if (rc != MPI_SUCCESS)
        return cs_emu_error(c, rc, call);
    if (mode != CS_EMU_SYNCHRONOUS || dest == MPI_PROC_NULL) {
        cs_emu_send(buf, count, t, dest, tag, c, mode, NULL);
        *out = cs_emu_req_done();
        return MPI_SUCCESS;
    }
    struct cs_emu_req *r = cs_emu_req_new(CS_EMU_REQ_SEND, c, MPI_DATATYPE_NULL);
    if (!r)
        return cs_emu_error(c, MPI_ERR_NO_MEM, call);
    r->context = c->context;
    r->peer = dest;
    r->tag = tag;
    cs_emu_send(buf, count, t, dest, tag, c, mode, r);
    *out = r->handle;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Isend,
            (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out))
{
    return isend(buf, count, t, dest, tag, comm, out, CS_EMU_STANDARD, "MPI_Isend");
}

CS_EMU_CALL(int, Ibsend,
            (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out))
{
    return isend(buf, count, t, dest, tag, comm, out, CS_EMU_BUFFERED, "MPI_Ibsend");
}

CS_EMU_CALL(int, Issend,
            (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out))
{
    return isend(buf, count, t, dest, tag, comm, out, CS_EMU_SYNCHRONOUS, "MPI_Issend");
}

CS_EMU_CALL(int, Irsend,
            (const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out))
{
    return isend(buf, count, t, dest, tag, comm, out, CS_EMU_READY, "MPI_Irsend");
}

/* A receive on the stack. */
static struct cs_emu_req receive(void *buf, int count, MPI_Datatype t, int source, int tag, struct cs_emu_comm *c)
{
    return (struct cs_emu_req){.kind = CS_EMU_REQ_RECV,
                               .comm = c,
                               .context = c->context,
                               .peer = source,
                               .tag = tag,
                               .buf = buf,
                               .count = count,
                               .type = t};
}

CS_EMU_CALL(int, Recv, (void *buf, int count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Status *status))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_recv(c, buf, count, t, source, tag);
    if (rc != MPI_SUCCESS)
        return cs_emu_error(c, rc, "MPI_Recv");
    struct cs_emu_req r = receive(buf, count, t, source, tag, c);
    cs_emu_recv_begin(&r);
    cs_emu_req_wait(&r, "MPI_Recv");
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_error(c, r.error, "MPI_Recv");
}

CS_EMU_CALL(int, Irecv, (void *buf, int count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Request *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_recv(c, buf, count, t, source, tag);
    if (rc == MPI_SUCCESS && !out)
        rc = MPI_ERR_ARG;
    struct cs_emu_req *r = rc == MPI_SUCCESS ? cs_emu_req_new(CS_EMU_REQ_RECV, c, t) : NULL;
    if (!r)
        return cs_emu_error(c, rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc, "MPI_Irecv");
    r->context = c->context;
    r->peer = source;
    r->tag = tag;
    r->buf = buf;
    r->count = count;
    *out = r->handle;
    cs_emu_recv_begin(r);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Sendrecv,
            (const void *sbuf, int scount, MPI_Datatype stype, int dest, int stag, void *rbuf, int rcount,
             MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Status *status))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_send(c, sbuf, scount, stype, dest, stag);
    if (rc == MPI_SUCCESS)
        rc = cs_emu_check_recv(c, rbuf, rcount, rtype, source, rtag);
    if (rc != MPI_SUCCESS)
        return cs_emu_error(c, rc, "MPI_Sendrecv");
    struct cs_emu_req r = receive(rbuf, rcount, rtype, source, rtag, c);
    cs_emu_recv_begin(&r);
    cs_emu_send(sbuf, scount, stype, dest, stag, c, CS_EMU_STANDARD, NULL);
    cs_emu_req_wait(&r, "MPI_Sendrecv");
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_error(c, r.error, "MPI_Sendrecv");
}

/* The message is packed before the receive begins, so the buffer may be the same. */
CS_EMU_CALL(int, Sendrecv_replace,
            (void *buf, int count, MPI_Datatype t, int dest, int stag, int source, int rtag, MPI_Comm comm,
             MPI_Status *status))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_send(c, buf, count, t, dest, stag);
    if (rc == MPI_SUCCESS)
        rc = cs_emu_check_recv(c, buf, count, t, source, rtag);
    if (rc != MPI_SUCCESS)
        return cs_emu_error(c, rc, "MPI_Sendrecv_replace");
    cs_emu_send(buf, count, t, dest, stag, c, CS_EMU_STANDARD, NULL);
    struct cs_emu_req r = receive(buf, count, t, source, rtag, c);
    cs_emu_recv_begin(&r);
    cs_emu_req_wait(&r, "MPI_Sendrecv_replace");
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_error(c, r.error, "MPI_Sendrecv_replace");
}
