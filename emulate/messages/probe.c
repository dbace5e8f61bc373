/* SPDX-License-Identifier: BSD-3-Clause
 * Probes and matched messages. A matched message is no longer among the kept messages (match_internal.h), so no other
 * receive can take it. */
#include <assert.h>
#include <stdlib.h>

#include "emulate/messages/match_internal.h"
#include "emulate/messages/message.h"
#include "emulate/messages/p2p.h"
#include "emulate/messages/status.h"
#include "emulate/objects/comm.h"
#include "emulate/types/buffer_check.h"
#include "emulate/world/entry.h"
#include "emulate/world/handles.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/wait.h"
#include "emulate/world/world.h"

/* What a probe asks for, and the message that it finds. */
struct looked_for {
    struct cs_emu_comm *comm;
    int source, tag;          /* may be wildcards */
    bool take;                /* it is matched: no other receive can have it */
    struct cs_emu_msg *found; /* NULL: none so far */
};

/* A message that a matching probe took out, with what its receive must know. */
struct matched {
    struct cs_emu_msg *m;
    struct cs_emu_comm *comm;
};
static struct cs_emu_table messages = CS_EMU_TABLE(CS_EMU_SESSION, 1);

/* A condition for cs_emu_wait: has the message come? Sets l->found. */
static bool look(void *arg)
{
    struct looked_for *l = arg;
    return (l->found = cs_emu_match_find(l->comm->context, l->source, l->tag, l->take)) != NULL;
}

static void wait_for_message(struct looked_for *l, const char *call)
{
    struct cs_emu_wait_note *n = &cs_emu_me->note;
    n->call = call;
    n->collective = 0;
    n->receives = 1;
    n->tag = l->tag;
    n->context = l->comm->context;
    n->peer = l->source >= 0 ? cs_emu_comm_world(l->comm, l->source) : l->source;
    cs_emu_tape_look();
    cs_emu_wait(look, l);
}

static int check(const struct cs_emu_comm *c, int source, int tag)
{
    return cs_emu_check_recv(c, NULL, 0, MPI_BYTE, source, tag);
}

/* Makes a handle for the message that was found. Without memory the run ends: the message is matched, and could not be
 * given back in its order. */
static void hand_out(const struct looked_for *l, MPI_Message *message)
{
    struct matched *m = malloc(sizeof *m);
    assert(l->found && l->take);
    if (!m || !(*message = cs_emu_handle_new(&messages, m)))
        cs_emu_fail("no memory for a matched message");
    *m = (struct matched){l->found, l->comm};
    l->comm->refs++;
}

/* All four probes: `flag` is NULL for those that wait, `message` for those that do not match. `call` is the name. */
static int probe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status,
                 const char *call)
{
    struct looked_for l = {.comm = cs_emu_comm_of(comm), .source = source, .tag = tag, .take = message != NULL};
    int rc = check(l.comm, source, tag);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(l.comm, rc, call);
    if (flag)
        *flag = 1;
    if (source == MPI_PROC_NULL) {
        cs_emu_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
        if (message)
            *message = MPI_MESSAGE_NO_PROC;
        return MPI_SUCCESS;
    }
    if (!flag) {
        wait_for_message(&l, call);
    } else {
        cs_emu_progress();
        if (!look(&l)) {
            *flag = 0;
            cs_emu_poll_pause(call);
            return MPI_SUCCESS;
        }
        cs_emu_poll_found();
    }
    cs_emu_status_set(status, l.found->source, l.found->tag, (int64_t)l.found->bytes, false);
    if (message)
        hand_out(&l, message);
    return MPI_SUCCESS;
}

/* The error for a result argument that is NULL. */
static int no_result(MPI_Comm comm, const char *call)
{
    return cs_emu_comm_error(cs_emu_comm_of(comm), MPI_ERR_ARG, call);
}

CS_EMU_CALL(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status))
{
    return probe(source, tag, comm, NULL, NULL, status, "MPI_Probe");
}

CS_EMU_CALL(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status))
{
    return flag ? probe(source, tag, comm, flag, NULL, status, "MPI_Iprobe") : no_result(comm, "MPI_Iprobe");
}

CS_EMU_CALL(int, Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status))
{
    return message ? probe(source, tag, comm, NULL, message, status, "MPI_Mprobe") : no_result(comm, "MPI_Mprobe");
}

CS_EMU_CALL(int, Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status))
{
    return flag && message ? probe(source, tag, comm, flag, message, status, "MPI_Improbe")
                           : no_result(comm, "MPI_Improbe");
}

/* Delivers a matched message to a request, whose buffer is set. */
static void receive(struct cs_emu_req *r, MPI_Message *message)
{
    struct matched *m = cs_emu_handle_get(&messages, *message);
    if (*message == MPI_MESSAGE_NO_PROC) {
        r->peer = MPI_PROC_NULL;
        cs_emu_recv_begin(r);
    } else {
        cs_emu_deliver(r, m->m);
        cs_emu_handle_drop(&messages, *message);
        cs_emu_comm_release(m->comm);
        free(m);
    }
    *message = MPI_MESSAGE_NULL;
}

/* Checks the arguments of Mrecv and Imrecv; returns an error class. *c becomes the message's communicator, or NULL. */
static int check_matched(const MPI_Message *message, const void *buf, int64_t count, MPI_Datatype t,
                         struct cs_emu_comm **c)
{
    struct matched *m = message ? cs_emu_handle_get(&messages, *message) : NULL;
    *c = m ? m->comm : NULL;
    if (!message)
        return MPI_ERR_ARG;
    if (!m && *message != MPI_MESSAGE_NO_PROC)
        return MPI_ERR_REQUEST;
    return cs_emu_check_room(buf, count, t);
}

static int mrecv(void *buf, int64_t count, MPI_Datatype t, MPI_Message *message, MPI_Status *status, const char *call)
{
    struct cs_emu_comm *c;
    int rc = check_matched(message, buf, count, t, &c);
    if (rc != MPI_SUCCESS)
        return cs_emu_comm_error(c, rc, call);
    struct cs_emu_req r = {.kind = CS_EMU_REQ_RECV, .buf = buf, .count = count, .type = t};
    receive(&r, message);
    cs_emu_req_status(&r, status);
    return r.error == MPI_SUCCESS ? MPI_SUCCESS : cs_emu_comm_error(c, r.error, call);
}

static int imrecv(void *buf, int64_t count, MPI_Datatype t, MPI_Message *message, MPI_Request *request,
                  const char *call)
{
    struct cs_emu_comm *c = NULL;
    int rc = request ? check_matched(message, buf, count, t, &c) : MPI_ERR_ARG;
    struct cs_emu_req *r = rc == MPI_SUCCESS ? cs_emu_req_new(CS_EMU_REQ_RECV, c, t) : NULL;
    if (!r)
        return cs_emu_comm_error(c, rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc, call);
    r->buf = buf;
    r->count = count;
    *request = r->handle;
    receive(r, message);
    return MPI_SUCCESS;
}

/* Each is there with int and with large counts. */
#define MRECV(name, COUNT, END, end, function) \
    CS_EMU_CALL(int, name, (void *buf, COUNT count, MPI_Datatype t, MPI_Message *message, END end)) \
    { \
        return function(buf, count, t, message, end, "MPI_" #name); \
    }

MRECV(Mrecv, int, MPI_Status *, status, mrecv)
MRECV(Mrecv_c, MPI_Count, MPI_Status *, status, mrecv)
MRECV(Imrecv, int, MPI_Request *, request, imrecv)
MRECV(Imrecv_c, MPI_Count, MPI_Request *, request, imrecv)
