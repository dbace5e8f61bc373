/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's sends and receives, blocking and not. */
#include <stddef.h>

#include "emulate/messages/bsend_internal.h"
#include "emulate/messages/p2p.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"

static int send(const void *buf, int count, MPI_Datatype t, int dest, int tag, MPI_Comm comm,
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
        return cs_emu_comm_error(c, rc, "MPI_Recv");
    struct cs_emu_req r = receive(buf, count, t, source, tag, c);
    cs_emu_recv_begin(&r);
    cs_emu_req_wait(&r, "MPI_Recv");
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, r.error, "MPI_Recv");
}

/* A receive with a handle, that has not begun. *r is NULL after an error, whose class is returned. */
static int new_receive(void *buf, int count, MPI_Datatype t, int source, int tag, struct cs_emu_comm *c,
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

CS_EMU_CALL(int, Irecv, (void *buf, int count, MPI_Datatype t, int source, int tag, MPI_Comm comm, MPI_Request *out))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_req *r;
    int rc = new_receive(buf, count, t, source, tag, c, out, &r);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, "MPI_Irecv");
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
        return cs_emu_comm_error(c, rc, "MPI_Sendrecv");
    struct cs_emu_req r = receive(rbuf, rcount, rtype, source, rtag, c);
    cs_emu_recv_begin(&r);
    cs_emu_send(sbuf, scount, stype, dest, stag, c, CS_EMU_STANDARD, NULL);
    cs_emu_req_wait(&r, "MPI_Sendrecv");
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, r.error, "MPI_Sendrecv");
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
        return cs_emu_comm_error(c, rc, "MPI_Sendrecv_replace");
    cs_emu_send(buf, count, t, dest, stag, c, CS_EMU_STANDARD, NULL);
    struct cs_emu_req r = receive(buf, count, t, source, rtag, c);
    cs_emu_recv_begin(&r);
    cs_emu_req_wait(&r, "MPI_Sendrecv_replace");
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, r.error, "MPI_Sendrecv_replace");
}

/* The request is that of the receive. One that replaces what is sent begins when that is packed; others begin before,
 * as a send may wait until the own rank has taken what has come (flow.h). */
static int isendrecv(const void *sbuf, int scount, MPI_Datatype stype, int dest, int stag, void *rbuf, int rcount,
                     MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Request *out, bool replaces)
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_req *r;
    int rc = cs_emu_check_send(c, sbuf, scount, stype, dest, stag);
    if (rc == MPI_SUCCESS)
        rc = new_receive(rbuf, rcount, rtype, source, rtag, c, out, &r);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, replaces ? "MPI_Isendrecv_replace" : "MPI_Isendrecv");
    if (!replaces)
        cs_emu_recv_begin(r);
    cs_emu_send(sbuf, scount, stype, dest, stag, c, CS_EMU_STANDARD, NULL);
    if (replaces)
        cs_emu_recv_begin(r);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Isendrecv,
            (const void *sbuf, int scount, MPI_Datatype stype, int dest, int stag, void *rbuf, int rcount,
             MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Request *out))
{
    return isendrecv(sbuf, scount, stype, dest, stag, rbuf, rcount, rtype, source, rtag, comm, out, false);
}

CS_EMU_CALL(int, Isendrecv_replace,
            (void *buf, int count, MPI_Datatype t, int dest, int stag, int source, int rtag, MPI_Comm comm,
             MPI_Request *out))
{
    return isendrecv(buf, count, t, dest, stag, buf, count, t, source, rtag, comm, out, true);
}
