/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's sends and receives, blocking and not. */
#include <stddef.h>

#include "emulate/messages/bsend_internal.h"
#include "emulate/messages/p2p.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"

static int send(const void *buf, int64_t count, MPI_Datatype t, int dest, int tag, MPI_Comm comm,
                enum cs_emu_send_mode mode, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_send(c, buf, count, t, dest, tag);
    if (rc == MPI_SUCCESS && mode == CS_EMU_BUFFERED)
        rc = cs_emu_bsend_check(count, t, dest);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    struct cs_emu_req r = {
        .kind = CS_EMU_REQ_SEND, .comm = c, .context = c->context, .peer = dest, .tag = tag, .type = MPI_DATATYPE_NULL};
    cs_emu_send(buf, count, t, dest, tag, c, mode, &r);
    cs_emu_req_wait(&r, call);
    return MPI_SUCCESS;
}

/* Each call is there with int and with large counts. */
#define SEND(name, mode, COUNT) \
    CS_EMU_CALL(int, name, (const void *buf, COUNT count, MPI_Datatype t, int dest, int tag, MPI_Comm comm)) \
    { \
        return send(buf, count, t, dest, tag, comm, mode, "MPI_" #name); \
    }

SEND(Send, CS_EMU_STANDARD, int)
SEND(Send_c, CS_EMU_STANDARD, MPI_Count)
SEND(Bsend, CS_EMU_BUFFERED, int)
SEND(Bsend_c, CS_EMU_BUFFERED, MPI_Count)
SEND(Ssend, CS_EMU_SYNCHRONOUS, int)
SEND(Ssend_c, CS_EMU_SYNCHRONOUS, MPI_Count)
SEND(Rsend, CS_EMU_READY, int)
SEND(Rsend_c, CS_EMU_READY, MPI_Count)

static int isend(const void *buf, int64_t count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out,
                 enum cs_emu_send_mode mode, const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_send(c, buf, count, t, dest, tag);
    if (rc == MPI_SUCCESS && !out)
        rc = MPI_ERR_ARG;
    if (rc == MPI_SUCCESS && mode == CS_EMU_BUFFERED)
        rc = cs_emu_bsend_check(count, t, dest);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    if (mode != CS_EMU_SYNCHRONOUS || dest == MPI_PROC_NULL) {
        cs_emu_send(buf, count, t, dest, tag, c, mode, NULL);
        *out = cs_emu_req_done();
        return MPI_SUCCESS;
    }
    struct cs_emu_req *r = cs_emu_req_new(CS_EMU_REQ_SEND, c, MPI_DATATYPE_NULL);
    if (!r)
        return cs_emu_comm_error(c, MPI_ERR_NO_MEM, call);
    r->context = c->context;
    r->peer = dest;
    r->tag = tag;
    cs_emu_send(buf, count, t, dest, tag, c, mode, r);
    *out = r->handle;
    return MPI_SUCCESS;
}

#define ISEND(name, mode, COUNT) \
    CS_EMU_CALL(int, name, \
                (const void *buf, COUNT count, MPI_Datatype t, int dest, int tag, MPI_Comm comm, MPI_Request *out)) \
    { \
        return isend(buf, count, t, dest, tag, comm, out, mode, "MPI_" #name); \
    }

ISEND(Isend, CS_EMU_STANDARD, int)
ISEND(Isend_c, CS_EMU_STANDARD, MPI_Count)
ISEND(Ibsend, CS_EMU_BUFFERED, int)
ISEND(Ibsend_c, CS_EMU_BUFFERED, MPI_Count)
ISEND(Issend, CS_EMU_SYNCHRONOUS, int)
ISEND(Issend_c, CS_EMU_SYNCHRONOUS, MPI_Count)
ISEND(Irsend, CS_EMU_READY, int)
ISEND(Irsend_c, CS_EMU_READY, MPI_Count)

/* A receive on the stack. */
static struct cs_emu_req receive(void *buf, int64_t count, MPI_Datatype t, int source, int tag, struct cs_emu_comm *c)
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

static int recv(void *buf, int64_t count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Status *status,
                const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = cs_emu_check_recv(c, buf, count, t, source, tag);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    struct cs_emu_req r = receive(buf, count, t, source, tag, c);
    cs_emu_recv_begin(&r);
    cs_emu_req_wait(&r, call);
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, r.error, call);
}

#define RECV(name, COUNT) \
    CS_EMU_CALL(int, name, \
                (void *buf, COUNT count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Status *status)) \
    { \
        return recv(buf, count, t, source, tag, comm, status, "MPI_" #name); \
    }

RECV(Recv, int)
RECV(Recv_c, MPI_Count)

/* A receive with a handle, that has not begun. *r is NULL after an error, whose class is returned. */
static int new_receive(void *buf, int64_t count, MPI_Datatype t, int source, int tag, struct cs_emu_comm *c,
                       MPI_Request *out, struct cs_emu_req **r)
{
    int rc = cs_emu_check_recv(c, buf, count, t, source, tag);
    *r = NULL;
    if (rc != MPI_SUCCESS || !out)
        return rc != MPI_SUCCESS ? rc : MPI_ERR_ARG;
    if (!(*r = cs_emu_req_new(CS_EMU_REQ_RECV, c, t)))
        return MPI_ERR_NO_MEM;
    (*r)->context = c->context;
    (*r)->peer = source;
    (*r)->tag = tag;
    (*r)->buf = buf;
    (*r)->count = count;
    *out = (*r)->handle;
    return MPI_SUCCESS;
}

static int irecv(void *buf, int64_t count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Request *out,
                 const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_req *r;
    int rc = new_receive(buf, count, t, source, tag, c, out, &r);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    cs_emu_recv_begin(r);
    return MPI_SUCCESS;
}

#define IRECV(name, COUNT) \
    CS_EMU_CALL(int, name, \
                (void *buf, COUNT count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Request *out)) \
    { \
        return irecv(buf, count, t, source, tag, comm, out, "MPI_" #name); \
    }

IRECV(Irecv, int)
IRECV(Irecv_c, MPI_Count)

/* ---- a send and a receive in one call ---- */

/* What goes out or comes in. */
struct half {
    void *buf;
    int64_t count;
    MPI_Datatype type;
    int peer, tag;
};

static int check_both(const struct cs_emu_comm *c, const struct half *s, const struct half *r)
{
    int rc = cs_emu_check_send(c, s->buf, s->count, s->type, s->peer, s->tag);
    return rc == MPI_SUCCESS ? cs_emu_check_recv(c, r->buf, r->count, r->type, r->peer, r->tag) : rc;
}

static void send_half(const struct half *s, struct cs_emu_comm *c)
{
    cs_emu_send(s->buf, s->count, s->type, s->peer, s->tag, c, CS_EMU_STANDARD, NULL);
}

/* A receive that replaces what is sent begins when that is packed; others begin before, as a send may wait until the
 * own rank has taken what has come (flow.h). */
static int sendrecv(const struct half *out, const struct half *in, MPI_Comm comm, MPI_Status *status, bool replaces,
                    const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int rc = check_both(c, out, in);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    struct cs_emu_req r = receive(in->buf, in->count, in->type, in->peer, in->tag, c);
    if (!replaces)
        cs_emu_recv_begin(&r);
    send_half(out, c);
    if (replaces)
        cs_emu_recv_begin(&r);
    cs_emu_req_wait(&r, call);
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, r.error, call);
}

/* The request is that of the receive. */
static int isendrecv(const struct half *out, const struct half *in, MPI_Comm comm, MPI_Request *request, bool replaces,
                     const char *call)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_req *r;
    int rc = cs_emu_check_send(c, out->buf, out->count, out->type, out->peer, out->tag);
    if (rc == MPI_SUCCESS)
        rc = new_receive(in->buf, in->count, in->type, in->peer, in->tag, c, request, &r);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    if (!replaces)
        cs_emu_recv_begin(r);
    send_half(out, c);
    if (replaces)
        cs_emu_recv_begin(r);
    return MPI_SUCCESS;
}

#define BOTH(name, COUNT, END, end, function) \
    CS_EMU_CALL(int, name, \
                (const void *sbuf, COUNT scount, MPI_Datatype stype, int dest, int stag, void *rbuf, COUNT rcount, \
                 MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, END end)) \
    { \
        const struct half out = {(void *)sbuf, scount, stype, dest, stag}, in = {rbuf, rcount, rtype, source, rtag}; \
        return function(&out, &in, comm, end, false, "MPI_" #name); \
    }
#define REPLACE(name, COUNT, END, end, function) \
    CS_EMU_CALL( \
        int, name, \
        (void *buf, COUNT count, MPI_Datatype t, int dest, int stag, int source, int rtag, MPI_Comm comm, END end)) \
    { \
        const struct half out = {buf, count, t, dest, stag}, in = {buf, count, t, source, rtag}; \
        return function(&out, &in, comm, end, true, "MPI_" #name); \
    }

BOTH(Sendrecv, int, MPI_Status *, status, sendrecv)
BOTH(Sendrecv_c, MPI_Count, MPI_Status *, status, sendrecv)
REPLACE(Sendrecv_replace, int, MPI_Status *, status, sendrecv)
REPLACE(Sendrecv_replace_c, MPI_Count, MPI_Status *, status, sendrecv)
BOTH(Isendrecv, int, MPI_Request *, request, isendrecv)
BOTH(Isendrecv_c, MPI_Count, MPI_Request *, request, isendrecv)
REPLACE(Isendrecv_replace, int, MPI_Request *, request, isendrecv)
REPLACE(Isendrecv_replace_c, MPI_Count, MPI_Request *, request, isendrecv)
