/* SPDX-License-Identifier: BSD-3-Clause
 * Messages meet their receives; met_messages.h. Each rank has a queue of messages to it that are not received yet, and
 * one of its receives to which no message has come. */
#include "cli/export/met_messages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "cli/frame/cli.h"
#include "trace/analyse/comm_numbers.h"
#include "trace/analyse/open_requests.h"
#include "trace/analyse/unmet.h"

/* A message without a receive, or a receive. A receive goes when it has met a message and has ended.
 */
struct half {
    struct cs_unmet unmet;    /* in its queue, until it has met the other one */
    struct cs_sent_message m; /* of a receive: all zero in sent and bytes until it meets one */
    bool met, ended;
    uint64_t request;  /* of a nonblocking receive */
    UT_hash_handle hh; /* by request, until it has ended */
};

/* A rank: what has not met, and its nonblocking receives that have not ended. */
struct side {
    struct cs_unmet_queue messages, receives;
    struct half *pending;
    struct cs_open_requests requests;
    struct cs_members members;
};

/* The ranks, what has met so far, and the moment that is being taken in. */
struct cs_meeting_place {
    struct cs_export *x;
    struct side *side;
    struct cs_comm_numbers *comms;
    struct cs_sorted_messages *met;
    const struct cs_moment *now;
};

struct cs_meeting_place *cs_meeting_place_new(struct cs_export *x)
{
    struct cs_meeting_place *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->x = x;
    p->met = cs_sorted_messages_new();
    p->side = calloc((size_t)cs_trace_info(x->view.t)->nranks, sizeof *p->side);
    if (!p->met || !p->side) {
        cs_meeting_place_free(p);
        return NULL;
    }
    return p;
}

static int comm_number(struct cs_meeting_place *p, int rank, int64_t comm)
{
    struct cs_member *m = cs_member_of(&p->comms, &p->side[rank].members, p->x->view.t, rank, comm);
    return m ? m->number : -1;
}

int cs_meeting_place_comm(struct cs_meeting_place *p, const struct cs_args *a)
{
    return comm_number(p, a->rank, cs_args_comm_number(a));
}

/* ---- who meets whom ---- */

/* A receive that is whole goes into the list. */
static int leave(struct cs_meeting_place *p, struct half *receive)
{
    if (!receive->met || !receive->ended)
        return 0;
    int rc = cs_sorted_messages_add(p->met, &receive->m);
    free(receive);
    return rc ? cs_error("temporary file: cannot write: %s", strerror(errno)) : 0;
}

static void take_over(struct half *receive, const struct half *message)
{
    receive->met = true;
    receive->m.from = message->m.from;
    receive->m.sent = message->m.sent;
    receive->m.bytes = message->m.bytes;
    receive->m.tag = message->m.tag;
}

static struct half *new_half(int comm, int from, int64_t tag)
{
    struct half *h = calloc(1, sizeof *h);
    if (!h) {
        cs_error("not enough memory");
        return NULL;
    }
    h->unmet = (struct cs_unmet){.comm = comm, .from = from, .tag = tag};
    return h;
}

/* The rank of the moment sends. */
static int send_to(struct cs_meeting_place *p, int64_t comm, int to, int64_t tag, uint64_t bytes)
{
    int from = p->now->rank, number = comm_number(p, from, comm);
    if (to == CS_PEER_NOBODY)
        return 0;
    if (to < 0 || number < 0) {
        p->x->inexact++;
        return 0;
    }
    struct half message = {0}, *receive, *kept;
    message.m = (struct cs_sent_message){.from = from, .to = to, .sent = p->now->time, .tag = tag, .bytes = bytes};
    if ((receive = (struct half *)cs_unmet_take(&p->side[to].receives, number, from, tag))) {
        take_over(receive, &message);
        return leave(p, receive);
    }
    if (!(kept = new_half(number, from, tag)))
        return -1;
    kept->m = message.m;
    cs_unmet_add(&p->side[to].messages, &kept->unmet);
    return 0;
}

/* The rank of the moment begins to receive. *made gets the receive; NULL if there is none, or it is over. */
static int receive_from(struct cs_meeting_place *p, int64_t comm, int from, int64_t tag, bool ended, struct half **made)
{
    int to = p->now->rank, number = comm_number(p, to, comm);
    *made = NULL;
    if (from == CS_PEER_NOBODY)
        return 0;
    p->x->inexact += from < 0 || number < 0;
    if ((from < 0 && from != CS_PEER_ANY) || number < 0)
        return 0;
    struct half *receive = new_half(number, from, tag), *message;
    if (!receive)
        return -1;
    receive->m = (struct cs_sent_message){.to = to, .posted = p->now->time, .received = p->now->until};
    receive->ended = ended;
    if ((message = (struct half *)cs_unmet_take(&p->side[to].messages, number, from, tag))) {
        take_over(receive, message);
        free(message);
        *made = ended ? NULL : receive;
        return leave(p, receive);
    }
    cs_unmet_add(&p->side[to].receives, &receive->unmet);
    *made = receive;
    return 0;
}

/* ---- moments ---- */

static int started(void *arg, const struct cs_open_request *q)
{
    struct cs_meeting_place *p = arg;
    struct side *s = &p->side[p->now->rank];
    struct half *made;
    if (q->kind == CS_REQUEST_SEND)
        return send_to(p, q->comm, q->peer, q->tag, q->bytes);
    if (q->kind != CS_REQUEST_RECV)
        return 0;
    if (receive_from(p, q->comm, q->peer, q->tag, false, &made))
        return -1;
    if (made) {
        made->request = q->id;
        HASH_ADD(hh, s->pending, request, sizeof made->request, made);
    }
    return 0;
}

static int end_receive(struct cs_meeting_place *p, struct side *s, struct half *receive, int64_t time)
{
    HASH_DEL(s->pending, receive);
    receive->ended = true;
    receive->m.received = time;
    return leave(p, receive);
}

static int completed(void *arg, const struct cs_open_request *q)
{
    struct cs_meeting_place *p = arg;
    struct side *s = &p->side[p->now->rank];
    struct half *receive = NULL;
    if (q->kind == CS_REQUEST_RECV)
        HASH_FIND(hh, s->pending, &q->id, sizeof q->id, receive);
    return receive ? end_receive(p, s, receive, p->now->until) : 0;
}

int cs_meeting_place_moment(void *arg, const struct cs_moment *m)
{
    struct cs_meeting_place *p = arg;
    struct cs_args a;
    struct half *made;
    bool unknown;
    if (m->leaves)
        return 0;
    if (!cs_args_get(&a, p->x->view.t, m->rank, m->e))
        return cs_error("%s: rank %d, event %" PRId64 " does not fit its call", p->x->path, m->rank, m->index);
    p->now = m;
    enum cs_mpi_kind k = a.call->kind;
    int64_t comm = cs_args_comm_number(&a);
    if ((k == CS_MPI_SEND || k == CS_MPI_SENDRECV) &&
        send_to(p, comm, cs_args_peer(&a, CS_ROLE_DEST), cs_args_tag(&a, true), cs_args_sent(&a)))
        return -1;
    int source = cs_args_find(&a, CS_ROLE_SOURCE) < 0 ? CS_PEER_UNKNOWN : cs_args_peer(&a, CS_ROLE_SOURCE);
    bool later = a.call->flags & CS_MPI_NONBLOCKING; /* `started` has the receive */
    if ((k == CS_MPI_RECV || (k == CS_MPI_SENDRECV && !later)) &&
        receive_from(p, comm, source, cs_args_tag(&a, false), true, &made))
        return -1;
    return cs_open_requests_event(&p->side[m->rank].requests, &a, m->index, started, completed, p, &unknown) ? -1 : 0;
}

/* Requests that nothing in the trace completes: they end where they were begun, or their message was sent. */
static int end_rest(struct cs_meeting_place *p, struct side *s)
{
    struct half *h, *next;
    int rc = 0;
    HASH_ITER (hh, s->pending, h, next) {
        int64_t from = h->m.sent > h->m.posted ? h->m.sent : h->m.posted;
        p->x->inexact++;
        if (rc == 0)
            rc = end_receive(p, s, h, from);
    }
    return rc;
}

struct cs_sorted_messages *cs_meeting_place_finish(struct cs_meeting_place *p)
{
    struct cs_sorted_messages *met = p->met;
    for (int i = 0; i < cs_trace_info(p->x->view.t)->nranks; i++)
        if (end_rest(p, &p->side[i]))
            return NULL;
    if (cs_sorted_messages_sort(met)) {
        cs_error("temporary file: %s", strerror(errno));
        return NULL;
    }
    p->met = NULL;
    return met;
}

static void free_queue(struct cs_unmet_queue *q)
{
    for (struct cs_unmet *u = q->first, *next; u; u = next) {
        next = u->next;
        free(u); /* the first member of a half */
    }
}

void cs_meeting_place_free(struct cs_meeting_place *p)
{
    if (!p)
        return;
    for (int i = 0; p->side && i < cs_trace_info(p->x->view.t)->nranks; i++) {
        struct side *s = &p->side[i];
        struct half *h, *next;
        HASH_ITER (hh, s->pending, h, next) {
            HASH_DEL(s->pending, h);
            if (h->met) /* others are in the queue */
                free(h);
        }
        free_queue(&s->messages);
        free_queue(&s->receives);
        cs_open_requests_free(&s->requests);
        cs_members_free(&s->members);
    }
    cs_comm_numbers_free(p->comms);
    cs_sorted_messages_free(p->met);
    free(p->side);
    free(p);
}
