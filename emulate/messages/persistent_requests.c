/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests: arguments that are kept, and started again and again. */
#include <assert.h>
#include <stddef.h>

#include "emulate/messages/bsend_internal.h"
#include "emulate/messages/p2p.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"

static int init(void *buf, int64_t count, MPI_Datatype t, int peer, int tag, MPI_Comm comm, MPI_Request *out,
                enum cs_emu_req_kind kind, enum cs_emu_send_mode mode, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = kind == CS_EMU_REQ_RECV ? cs_emu_check_recv(c, buf, count, t, peer, tag)
                                     : cs_emu_check_send(c, buf, count, t, peer, tag);
    if (rc == MPI_SUCCESS && !out)
        rc = MPI_ERR_ARG;
    struct cs_emu_req *r = rc == MPI_SUCCESS ? cs_emu_req_new(kind, c, t) : NULL;
    if (!r)
        return cs_emu_comm_error(c, rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc, call);
    r->persistent = true;
    r->mode = (uint8_t)mode;
    r->context = c->context;
    r->peer = peer;
    r->tag = tag;
    r->buf = buf;
    r->count = count;
    *out = r->handle;
    return MPI_SUCCESS;
}

/* Each call is there with int and with large counts. */
#define SEND_INIT(name, mode, COUNT) \
    CS_EMU_CALL(int, name, \
                (const void *buf, COUNT count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out)) \
    { \
        return init((void *)buf, count, t, dest, tag, comm, out, CS_EMU_REQ_SEND, mode, "MPI_" #name); \
    }
#define RECV_INIT(name, COUNT) \
    CS_EMU_CALL(int, name, \
                (void *buf, COUNT count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Request *out)) \
    { \
        return init(buf, count, t, source, tag, comm, out, CS_EMU_REQ_RECV, CS_EMU_STANDARD, "MPI_" #name); \
    }

SEND_INIT(Send_init, CS_EMU_STANDARD, int)
SEND_INIT(Send_init_c, CS_EMU_STANDARD, MPI_Count)
SEND_INIT(Bsend_init, CS_EMU_BUFFERED, int)
SEND_INIT(Bsend_init_c, CS_EMU_BUFFERED, MPI_Count)
SEND_INIT(Ssend_init, CS_EMU_SYNCHRONOUS, int)
SEND_INIT(Ssend_init_c, CS_EMU_SYNCHRONOUS, MPI_Count)
SEND_INIT(Rsend_init, CS_EMU_READY, int)
SEND_INIT(Rsend_init_c, CS_EMU_READY, MPI_Count)
RECV_INIT(Recv_init, int)
RECV_INIT(Recv_init_c, MPI_Count)

int cs_emu_req_prepare(struct cs_emu_comm *comm, struct cs_emu_prepared *p, MPI_Request *out)
{
    struct cs_emu_req *r = cs_emu_req_new(CS_EMU_REQ_COLL, comm, MPI_DATATYPE_NULL);
    if (!r) {
        p->drop(p);
        return MPI_ERR_NO_MEM;
    }
    r->persistent = true;
    r->prepared = p;
    *out = r->handle;
    return MPI_SUCCESS;
}

/* A start that fails leaves the request as it was. */
static int start_prepared(struct cs_emu_req *r)
{
    r->active = true;
    r->complete = false;
    r->error = MPI_SUCCESS;
    int rc = r->prepared->start(r->prepared, r);
    r->active = rc == MPI_SUCCESS;
    return rc;
}

/* The communicator whose error handler an error goes to in *c. */
static int start(MPI_Request request, struct cs_emu_comm **c)
{
    struct cs_emu_req *r = cs_emu_req_of(request);
    if (!r || !r->persistent || r->active)
        return MPI_ERR_REQUEST;
    *c = r->comm;
    int rc = r->mode == CS_EMU_BUFFERED ? cs_emu_bsend_check(r->count, r->type, r->peer) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return rc;
    if (r->prepared)
        return start_prepared(r);
    assert(r->comm && (r->kind == CS_EMU_REQ_RECV || r->kind == CS_EMU_REQ_SEND));
    r->active = true;
    r->error = MPI_SUCCESS;
    if (r->kind == CS_EMU_REQ_RECV)
        cs_emu_recv_begin(r);
    else
        cs_emu_send(r->buf, r->count, r->type, r->peer, r->tag, r->comm, r->mode, r);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Start, (MPI_Request * request))
{
    struct cs_emu_comm *c = NULL;
    int rc = request ? start(*request, &c) : MPI_ERR_ARG;
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Start");
}

CS_EMU_CALL(int, Startall, (int n, MPI_Request requests[]))
{
    struct cs_emu_comm *c = NULL;
    int rc = cs_emu_check_requests(n, requests);
    for (int i = 0; rc == MPI_SUCCESS && i < n; i++)
        rc = start(requests[i], &c);
    return rc == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, rc, "MPI_Startall");
}
