/* SPDX-License-Identifier: BSD-3-Clause
 * Makes calls as their marks say. A call marked for its content goes to the MPI library as it is. A call marked for its
 * envelope goes there with scratch memory in place of its buffers, or, if it is a collective, as a barrier. An unmarked
 * call does not go there: its request, if it has one, is a fake. */
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>

#include "commlib/backend/backend.h"
#include "commlib/check/channel_check.h"
#include "commlib/transmit/transmit.h"
#include "commlib/transmit/transmit_files.h"
#include "commlib/transmit/transmit_internal.h"
#include "commlib/transmit/finish_requests.h"
#include "commlib/transmit/late_receives.h"
#include "commlib/transmit/send_room.h"
#include "commlib/record/request_table.h"
#include "commlib/state/run_state.h"
#include "commlib/process/say.h"
#include "commlib/record/type_signatures.h"
#include "commlib/state/lock.h"
#include "commlib/backend/real_calls.h"

/* ---- scratch memory for envelopes ---- */

/* A buffer that stands in for the program's: `size` bytes at `base`, which mean nothing. It grows with the longest
 * message and is never unmapped. NULL and 0 until it is first used. */
struct scratch {
    char *base;
    size_t size;
    int protection; /* PROT_*, for mmap */
};
/* The buffer for sending is never written, so all its pages are the kernel's one zero page and take no memory. */
static struct scratch send_scratch = {.protection = PROT_READ}, recv_scratch = {.protection = PROT_READ | PROT_WRITE};

/* Returns memory of at least `size` bytes. The old mapping stays when the buffer grows, because requests under way may
 * use it. Aborts the run if there is no memory. With the lock held. */
static char *scratch_of(struct scratch *s, size_t size)
{
    if (size > s->size) {
        size_t n = s->size ? s->size : 1 << 20;
        while (n < size)
            n *= 2;
        char *p = mmap(NULL, n, s->protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) {
            cs_say("error: no memory for a message of %zu bytes", size);
            PMPI_Abort(MPI_COMM_WORLD, 1);
        }
        s->base = p;
        s->size = n;
    }
    assert(s->size >= size);
    return s->base;
}

/* The recorder's entry of a datatype; NULL as from cs_type_get(). Takes the lock. */
static const struct cs_type *type_of(MPI_Datatype t)
{
    cs_lock();
    const struct cs_type *type = cs_type_get(t);
    cs_unlock();
    return type;
}

/* Replaces buffer argument number `arg` by what the library does not touch, or by scratch memory. There the new address
 * is shifted so that all elements lie inside the scratch memory, even if the lower bound or the extent of their
 * datatype is negative. Does nothing if there are no elements. */
static void use_scratch(struct cs_call *c, int arg)
{
    const struct cs_mpi_arg *info = &c->info->args[arg];
    if (cs_backend_nothing()) {
        c->a[arg].p = cs_backend_nothing();
        return;
    }
    const struct cs_type *t = info->type_arg >= 0 ? type_of((MPI_Datatype)c->a[info->type_arg].i) : NULL;
    int64_t n = info->count_arg >= 0 ? c->a[info->count_arg].i : 0;
    if (!t || n <= 0)
        return;
    assert(t->true_extent >= 0);
    int64_t step = t->extent < 0 ? -t->extent : t->extent;
    int64_t span = t->true_extent + (n - 1) * step;
    cs_lock();
    char *p = scratch_of(info->role == CS_ROLE_SBUF ? &send_scratch : &recv_scratch, (size_t)span);
    cs_unlock();
    c->a[arg].p = p - t->true_lb + (t->extent < 0 ? (n - 1) * step : 0);
}

/* Replaces all buffers of a call that is marked for its envelope by scratch memory; leaves any other call as it is. */
static void use_scratch_buffers(struct cs_call *c)
{
    static const enum cs_role roles[] = {CS_ROLE_SBUF, CS_ROLE_RBUF, CS_ROLE_SRBUF};
    for (size_t i = 0; c->mark == CS_MARK_ENVELOPE && i < sizeof roles / sizeof roles[0]; i++)
        if (cs_call_has(c, roles[i]))
            use_scratch(c, c->shape->at[roles[i]]);
}

/* ---- point to point ---- */

/* The length in bytes of the buffer in argument number `buffer`: its count times the size of its datatype. 0 if the
 * datatype is not known. */
static int64_t asked_bytes(const struct cs_call *c, int buffer)
{
    const struct cs_mpi_arg *b = &c->info->args[buffer];
    assert(b->type_arg >= 0 && b->count_arg >= 0);
    const struct cs_type *t = type_of((MPI_Datatype)c->a[b->type_arg].i);
    return t ? t->size * c->a[b->count_arg].i : 0;
}

/* The number of the argument that is the receive buffer. Only for calls that have one. */
static int receive_buffer(const struct cs_call *c)
{
    return cs_call_has(c, CS_ROLE_RBUF) ? c->shape->at[CS_ROLE_RBUF] : c->shape->at[CS_ROLE_SRBUF];
}

/* Does c send no elements, marked for its envelope? */
static bool sends_empty(const struct cs_call *c)
{
    if (c->mark != CS_MARK_ENVELOPE || !cs_call_has(c, CS_ROLE_DEST))
        return false;
    int buffer = c->shape->at[cs_call_has(c, CS_ROLE_SBUF) ? CS_ROLE_SBUF : CS_ROLE_SRBUF];
    assert(buffer >= 0 && c->info->args[buffer].count_arg >= 0);
    return c->a[c->info->args[buffer].count_arg].i == 0;
}

/* Counts the messages that c sends and receives, for the channel check. */
static void count_messages(const struct cs_call *c)
{
    if (cs_call_has(c, CS_ROLE_DEST))
        cs_channel_message(cs_call_comm(c), false, cs_call_int(c, CS_ROLE_DEST), cs_call_int(c, CS_ROLE_TAG), c->mark,
                           c->site, 1);
    if (sends_empty(c))
        cs_channel_empty(cs_call_comm(c), cs_call_int(c, CS_ROLE_DEST), cs_call_int(c, CS_ROLE_TAG));
    if (cs_call_has(c, CS_ROLE_SOURCE))
        cs_channel_message(cs_call_comm(c), true, cs_call_int(c, CS_ROLE_SOURCE), (int)c->a[c->shape->last_tag].i,
                           c->mark, c->site, 1);
}

/* Sets the status of an unmarked receive or probe from its arguments; a wildcard among them is in the status, too. */
static void fill_receive_status(const struct cs_call *c)
{
    int source = cs_call_int(c, CS_ROLE_SOURCE);
    int64_t bytes = cs_call_has(c, CS_ROLE_COUNT) && source != MPI_PROC_NULL ? asked_bytes(c, receive_buffer(c)) : 0;
    cs_fill_fake_status(cs_call_ptr(c, CS_ROLE_STATUS), source, (int)c->a[c->shape->last_tag].i, bytes, false);
}

/* Makes a blocking call that has a communicator and a peer among its arguments: Send, Recv, Sendrecv and their
 * variants. */
static int blocking_message(struct cs_call *c)
{
    count_messages(c);
    if (c->mark == CS_MARK_NONE) {
        if (cs_call_has(c, CS_ROLE_STATUS))
            fill_receive_status(c);
        return MPI_SUCCESS;
    }
    use_scratch_buffers(c);
    return cs_late_call(c) ? cs_late_receive(c) : cs_real[c->index](c->a);
}

static int no_memory(void)
{
    return MPI_ERR_NO_MEM;
}

/* Copies from c to its request r what the status of r needs, and what the channel check needs when r is persistent and
 * started. */
static void describe_message(struct cs_request *r, const struct cs_call *c)
{
    r->call = c->index;
    r->mark = c->mark;
    r->site = c->site;
    r->comm = cs_call_has(c, CS_ROLE_COMM) ? cs_call_comm(c) : MPI_COMM_NULL;
    r->peer = MPI_PROC_NULL;
    r->empty = sends_empty(c);
    r->receives = cs_call_has(c, CS_ROLE_SOURCE) || cs_call_has(c, CS_ROLE_MSG);
    if (c->info->kind == CS_MPI_RMA)
        return; /* its status says nothing */
    if (cs_call_has(c, CS_ROLE_SOURCE) || cs_call_has(c, CS_ROLE_DEST)) {
        r->peer = cs_call_int(c, cs_call_has(c, CS_ROLE_SOURCE) ? CS_ROLE_SOURCE : CS_ROLE_DEST);
        r->source = r->peer;
        r->tag = (int)c->a[c->shape->last_tag].i;
    }
    if (r->receives && r->peer != MPI_PROC_NULL)
        r->bytes = asked_bytes(c, receive_buffer(c));
}

/* Is c a collective marked for its envelope? A collective has no envelope, so its ranks only meet in a barrier. */
static bool waits_only(const struct cs_call *c)
{
    return c->mark == CS_MARK_ENVELOPE && (c->info->kind == CS_MPI_COLL || c->info->kind == CS_MPI_BARRIER);
}

int cs_transmit_request(struct cs_call *c, bool fake, bool persistent)
{
    struct cs_request *r = cs_request_new(persistent);
    int at = c->shape->at[CS_ROLE_REQ_OUT], rc = MPI_SUCCESS;
    assert(at >= 0 && !(fake && c->mark != CS_MARK_NONE && !cs_call_has(c, CS_ROLE_MSG)));
    MPI_Request *out = c->a[at].p;
    if (!r)
        return no_memory();
    r->fake = fake;
    describe_message(r, c);
    if (!fake && waits_only(c)) {
        rc = persistent ? PMPI_Barrier_init(cs_call_comm(c), MPI_INFO_NULL, &r->real)
                        : PMPI_Ibarrier(cs_call_comm(c), &r->real);
    } else if (!fake) {
        c->a[at].p = &r->real;
        rc = cs_real[c->index](c->a);
        c->a[at].p = out;
    }
    if (rc == MPI_SUCCESS)
        *out = r->handle;
    else
        cs_request_end(r);
    return rc;
}

/* Makes a nonblocking send or receive; if `persistent`, a call that only prepares one: its messages are counted when
 * the request is started. */
static int nonblocking_message(struct cs_call *c, bool persistent)
{
    if (!persistent)
        count_messages(c);
    use_scratch_buffers(c);
    return cs_transmit_request(c, c->mark == CS_MARK_NONE, persistent);
}

/* Makes a collective call, blocking or not, and counts it for the channel check. Of a persistent one that is the call
 * which prepares it: these come in one order on all ranks, and starts need not. */
static int collective(struct cs_call *c)
{
    cs_channel_collective(cs_call_comm(c), cs_mpi_index(cs_mpi_procedure(c->info)), c->mark, c->site);
    if (cs_call_has(c, CS_ROLE_REQ_OUT))
        return cs_transmit_request(c, c->mark == CS_MARK_NONE, c->info->flags & CS_MPI_PERSISTENT);
    if (waits_only(c))
        return PMPI_Barrier(cs_call_comm(c));
    return c->mark == CS_MARK_NONE ? MPI_SUCCESS : cs_real[c->index](c->a);
}

/* Counts what the start of a persistent request does, for the channel check. */
static void count_start(const struct cs_request *r)
{
    enum cs_mpi_kind kind = cs_mpi_call(r->call)->kind;
    if (kind != CS_MPI_SEND_INIT && kind != CS_MPI_RECV_INIT)
        return;
    cs_channel_message(r->comm, r->receives, r->peer, r->tag, r->mark, r->site, 1);
    if (r->empty)
        cs_channel_empty(r->comm, r->peer, r->tag);
}

/* Starts one persistent request. A handle that is not of our table goes to the library. */
static int start_request(MPI_Request *handle)
{
    struct cs_request *r = cs_request_of(*handle);
    if (!r)
        return PMPI_Start(handle);
    count_start(r);
    r->active = true;
    return r->fake ? MPI_SUCCESS : PMPI_Start(&r->real);
}

/* MPI_Start, and MPI_Startall, whose argument 0 is the number of requests. Stops at the first error. */
static int start(struct cs_call *c)
{
    if (cs_call_has(c, CS_ROLE_REQ_INOUT))
        return start_request(cs_call_ptr(c, CS_ROLE_REQ_INOUT));
    MPI_Request *r = cs_call_ptr(c, CS_ROLE_REQS);
    int rc = MPI_SUCCESS;
    for (int i = 0; i < c->a[0].i && rc == MPI_SUCCESS; i++)
        rc = start_request(&r[i]);
    return rc;
}

/* ---- one-sided communication ---- */

/* A call on a window: made as it is, or not at all. An unmarked one that asks whether an epoch has ended finds that it
 * has. */
static int one_sided(struct cs_call *c)
{
    bool real = c->mark == CS_MARK_CONTENT;
    int *flag = cs_call_has(c, CS_ROLE_FLAG) ? cs_call_ptr(c, CS_ROLE_FLAG) : NULL;
    if (cs_call_has(c, CS_ROLE_REQ_OUT))
        return cs_transmit_request(c, !real, false);
    if (!real && flag)
        *flag = 1;
    int rc = real ? cs_real[c->index](c->a) : MPI_SUCCESS;
    c->polled_in_vain = flag && rc == MPI_SUCCESS && !*flag;
    return rc;
}

/* ---- probes and matched messages ---- */

/* Gives the program a handle of our table for the message that a matching probe has found. `real` is the library's
 * handle; the program gets MPI_MESSAGE_NO_PROC itself, as nothing stands behind it. If `fake`, the library has no such
 * message. */
static int new_message(struct cs_call *c, int real, bool fake)
{
    MPI_Message *out = cs_call_ptr(c, CS_ROLE_NEWMSG);
    if (real == MPI_MESSAGE_NO_PROC) {
        *out = real;
        return MPI_SUCCESS;
    }
    struct cs_request *r = cs_message_new();
    if (!r)
        return no_memory();
    r->real = real;
    r->fake = fake;
    r->comm = cs_call_comm(c);
    r->peer = r->source = cs_call_int(c, CS_ROLE_SOURCE);
    r->tag = cs_call_int(c, CS_ROLE_TAG);
    *out = r->handle;
    return MPI_SUCCESS;
}

/* MPI_Probe, MPI_Mprobe and their nonblocking forms. An unmarked one always finds a message. */
static int probe(struct cs_call *c)
{
    int *flag = cs_call_has(c, CS_ROLE_FLAG) ? cs_call_ptr(c, CS_ROLE_FLAG) : NULL;
    bool matches = cs_call_has(c, CS_ROLE_NEWMSG);
    if (c->mark == CS_MARK_NONE) {
        fill_receive_status(c);
        if (flag)
            *flag = 1;
        bool nobody = cs_call_int(c, CS_ROLE_SOURCE) == MPI_PROC_NULL;
        return matches ? new_message(c, nobody ? MPI_MESSAGE_NO_PROC : MPI_MESSAGE_NULL, true) : MPI_SUCCESS;
    }
    int rc = cs_real[c->index](c->a);
    c->polled_in_vain = flag && !*flag;
    if (rc == MPI_SUCCESS && matches && !c->polled_in_vain)
        rc = new_message(c, *(MPI_Message *)cs_call_ptr(c, CS_ROLE_NEWMSG), false);
    return rc;
}

/* MPI_Mrecv and MPI_Imrecv. A message that the library has matched must be received, so an unmarked receive of it
 * becomes one that is marked for its envelope. A handle that is not of our table goes to the library. */
static int receive_matched(struct cs_call *c)
{
    MPI_Message *handle = cs_call_ptr(c, CS_ROLE_MSG);
    struct cs_request *m = cs_request_of(*handle);
    bool nonblocking = cs_call_has(c, CS_ROLE_REQ_OUT);
    int rc = MPI_SUCCESS;
    if (!m)
        return nonblocking ? cs_transmit_request(c, false, false) : cs_real[c->index](c->a);
    if (!m->fake && c->mark == CS_MARK_NONE)
        c->mark = CS_MARK_ENVELOPE;
    cs_channel_message(m->comm, true, m->peer, m->tag, m->fake ? CS_MARK_NONE : c->mark, c->site, 1);
    use_scratch_buffers(c);
    if (!m->fake)
        c->a[c->shape->at[CS_ROLE_MSG]].p = &m->real;
    if (nonblocking)
        rc = cs_transmit_request(c, m->fake, false);
    else if (!m->fake)
        rc = cs_real[c->index](c->a);
    else
        cs_fill_fake_status(cs_call_ptr(c, CS_ROLE_STATUS), m->source, m->tag,
                            asked_bytes(c, c->shape->at[CS_ROLE_RBUF]), false);
    if (m->fake && nonblocking && rc == MPI_SUCCESS) {
        struct cs_request *r = cs_request_of(*(MPI_Request *)cs_call_ptr(c, CS_ROLE_REQ_OUT));
        r->source = m->source;
        r->tag = m->tag;
        r->peer = MPI_PROC_NULL;
        r->bytes = asked_bytes(c, c->shape->at[CS_ROLE_RBUF]);
    }
    if (rc == MPI_SUCCESS) {
        *handle = MPI_MESSAGE_NULL;
        cs_request_end(m);
    }
    return rc;
}

int cs_transmit(struct cs_call *c)
{
    switch (c->info->kind) {
    case CS_MPI_SEND: return blocking_message(c);
    case CS_MPI_SENDRECV: return cs_call_has(c, CS_ROLE_REQ_OUT) ? nonblocking_message(c, false) : blocking_message(c);
    case CS_MPI_RECV: return cs_call_has(c, CS_ROLE_MSG) ? receive_matched(c) : blocking_message(c);
    case CS_MPI_IRECV: return cs_call_has(c, CS_ROLE_MSG) ? receive_matched(c) : nonblocking_message(c, false);
    case CS_MPI_ISEND: return nonblocking_message(c, false);
    case CS_MPI_SEND_INIT:
    case CS_MPI_RECV_INIT: return nonblocking_message(c, true);
    case CS_MPI_START: return start(c);
    case CS_MPI_WAIT:
    case CS_MPI_WAIT_SOME:
    case CS_MPI_TEST: return cs_finish_requests(c);
    case CS_MPI_PROBE:
    case CS_MPI_IPROBE: return probe(c);
    case CS_MPI_COLL:
    case CS_MPI_BARRIER: return collective(c);
    case CS_MPI_CANCEL: return cs_cancel_or_free(c);
    case CS_MPI_IO: return cs_file_call(c);
    case CS_MPI_RMA: return one_sided(c);
    case CS_MPI_LOCAL: return c->info->flags & CS_MPI_SEND_BUFFER ? cs_send_room(c) : cs_real[c->index](c->a);
    default: return cs_call_has(c, CS_ROLE_REQ_OUT) ? cs_transmit_request(c, false, false) : cs_real[c->index](c->a);
    }
}
