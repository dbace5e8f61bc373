/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives in a SimGrid time-independent trace; see ti.h. Replay knows only the communicator of all ranks. So a
 * collective of a part of the ranks is written as messages: a binomial tree if it has a root (direct messages if sizes
 * differ), dissemination if all get the same, and messages between all pairs for all-to-all. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/export/ti.h"

/* Which sizes an action of replay has, in this order (bytes; a list has one for each rank). */
enum form {
    ALL,        /* sent, work */
    ROOT,       /* sent, work if it reduces, root */
    BOTH,       /* sent, received */
    ROOT_BOTH,  /* sent, received, root */
    GATHERV,    /* sent, list of received, root */
    SCATTERV,   /* list of sent, received, root */
    ALLGATHERV, /* sent, list of received */
    SUMS,       /* list of received, work */
    BLOCK,      /* list of the same number, work */
    VECTORS     /* sent, list of sent, received, list of received */
};

/* Which messages stand for a collective of a part of the ranks. */
enum spread {
    DISSEMINATE,      /* in rounds, to the member 1, 2, 4 ... places ahead; each message has all bytes */
    GROW,             /* likewise; a message has the bytes of all members that are gathered so far */
    FROM_ROOT,        /* down a binomial tree; each message has all bytes */
    TO_ROOT,          /* up a binomial tree, likewise */
    FROM_ROOT_EACH,   /* down a binomial tree; a message has the bytes of each member of the subtree */
    TO_ROOT_EACH,     /* up a binomial tree, likewise */
    FROM_ROOT_DIRECT, /* from the root to each member */
    TO_ROOT_DIRECT,   /* from each member to the root */
    PAIRS             /* from each member to each other */
};

/* What becomes of each collective. */
static const struct row {
    const char *action; /* its name in a time-independent trace */
    enum form form;     /* how replay wants the action's sizes */
    enum spread spread; /* which messages it becomes in a smaller communicator */
} rows[CS_COLLECTIVE_COUNT] = {
    [CS_COLLECTIVE_BARRIER] = {"barrier", ALL, DISSEMINATE},
    [CS_COLLECTIVE_BCAST] = {"bcast", ROOT, FROM_ROOT},
    [CS_COLLECTIVE_REDUCE] = {"reduce", ROOT, TO_ROOT},
    [CS_COLLECTIVE_ALLREDUCE] = {"allreduce", ALL, DISSEMINATE},
    [CS_COLLECTIVE_SCAN] = {"scan", ALL, DISSEMINATE},
    [CS_COLLECTIVE_EXSCAN] = {"exscan", ALL, DISSEMINATE},
    [CS_COLLECTIVE_ALLTOALL] = {"alltoall", BOTH, PAIRS},
    [CS_COLLECTIVE_ALLGATHER] = {"allgather", BOTH, GROW},
    [CS_COLLECTIVE_GATHER] = {"gather", ROOT_BOTH, TO_ROOT_EACH},
    [CS_COLLECTIVE_SCATTER] = {"scatter", ROOT_BOTH, FROM_ROOT_EACH},
    [CS_COLLECTIVE_GATHERV] = {"gatherv", GATHERV, TO_ROOT_DIRECT},
    [CS_COLLECTIVE_SCATTERV] = {"scatterv", SCATTERV, FROM_ROOT_DIRECT},
    [CS_COLLECTIVE_ALLGATHERV] = {"allgatherv", ALLGATHERV, GROW},
    [CS_COLLECTIVE_REDUCE_SCATTER] = {"reducescatter", SUMS, DISSEMINATE},
    [CS_COLLECTIVE_REDUCE_SCATTER_BLOCK] = {"reducescatter", BLOCK, DISSEMINATE},
    [CS_COLLECTIVE_ALLTOALLV] = {"alltoallv", VECTORS, PAIRS},
    [CS_COLLECTIVE_ALLTOALLW] = {"alltoallv", VECTORS, PAIRS},
};

/* The row of a collective, blocking or not; NULL: replay knows nothing like it. */
static const struct row *find_row(const struct cs_mpi_call *c)
{
    enum cs_collective which = cs_mpi_collective(c);
    assert(which < CS_COLLECTIVE_COUNT && (which == CS_COLLECTIVE_NONE || rows[which].action));
    return which == CS_COLLECTIVE_NONE ? NULL : &rows[which];
}

/* Bytes that a buffer has for member k: by the member's own count and datatype if the call has a list of them,
 * otherwise by those that all members share. 0 if buf < 0 (no such buffer) or the trace has no count for it. */
static uint64_t bytes_with(const struct cs_args *a, int buf, int64_t k)
{
    int count = buf >= 0 ? a->call->args[buf].count_arg : -1;
    if (count < 0 || !a->has[count])
        return 0;
    if (a->call->args[count].role != CS_ROLE_COUNTS)
        return cs_args_bytes(a, buf);
    struct cs_args one = *a;
    if (k >= a->f[count].n)
        return 0;
    one.f[count].values += k;
    one.f[count].n = 1;
    for (int i = buf; i < a->call->nargs; i++) {
        if (a->call->args[i].role != CS_ROLE_TYPES || !a->has[i])
            continue;
        one.f[i].values += k < one.f[i].n ? k : 0;
        break;
    }
    return cs_args_bytes(&one, buf);
}

static void put_each(FILE *out, const struct cs_args *a, int buf, int n)
{
    for (int k = 0; k < n; k++)
        fprintf(out, " %" PRIu64, bytes_with(a, buf, k));
}

static int64_t root_of(const struct cs_args *a)
{
    return cs_args_scalar(a, cs_args_find(a, CS_ROLE_ROOT));
}

static void put_vectors(FILE *out, const struct cs_args *a, int sbuf, int rbuf, int n)
{
    fprintf(out, " %" PRIu64, cs_args_bytes(a, sbuf));
    put_each(out, a, sbuf, n);
    fprintf(out, " %" PRIu64, cs_args_bytes(a, rbuf));
    put_each(out, a, rbuf, n);
}

/* Writes a collective of all ranks as the action of its row: RANK ACTION SIZES... DATATYPES... */
static void put_whole(FILE *out, const struct cs_args *a, const struct row *w, int n)
{
    int sbuf = cs_args_buffer(a, CS_ROLE_SBUF), rbuf = cs_args_buffer(a, CS_ROLE_RBUF);
    uint64_t sent = cs_args_sent(a), received = cs_args_received(a);
    fprintf(out, "%d %s", a->rank, w->action);
    if (a->call->kind == CS_MPI_BARRIER) {
        putc('\n', out);
        return;
    }
    bool reduces = a->call->flags & CS_MPI_REDUCES;
    if (reduces && sent == 0)
        sent = received; /* MPI_IN_PLACE */
    switch (w->form) {
    case ALL: fprintf(out, " %" PRIu64 " 0", sent); break;
    case ROOT: fprintf(out, reduces ? " %" PRIu64 " 0 %" PRId64 : " %" PRIu64 " %" PRId64, sent, root_of(a)); break;
    case BOTH: fprintf(out, " %" PRIu64 " %" PRIu64, sent ? sent : received, received); break;
    case ROOT_BOTH:
        fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRId64, sent ? sent : received, received ? received : sent,
                root_of(a));
        break;
    case GATHERV:
        fprintf(out, " %" PRIu64, sent);
        put_each(out, a, rbuf, n);
        fprintf(out, " %" PRId64, root_of(a));
        break;
    case SCATTERV:
        put_each(out, a, sbuf, n);
        fprintf(out, " %" PRIu64 " %" PRId64, received, root_of(a));
        break;
    case ALLGATHERV:
        fprintf(out, " %" PRIu64, sent ? sent : bytes_with(a, rbuf, a->rank));
        put_each(out, a, rbuf, n);
        break;
    case SUMS:
        put_each(out, a, rbuf >= 0 && a->call->args[rbuf].count_arg >= 0 ? rbuf : sbuf, n);
        fputs(" 0", out);
        break;
    case BLOCK:
        for (int k = 0; k < n; k++)
            fprintf(out, " %" PRIu64, sent);
        fputs(" 0", out);
        break;
    case VECTORS: put_vectors(out, a, sbuf, rbuf, n); break;
    }
    bool two_types = w->form != ALL && w->form != SUMS && w->form != BLOCK && !(w->form == ROOT);
    fprintf(out, two_types ? " %d %d\n" : " %d\n", CS_TI_BYTE, CS_TI_BYTE);
}

/* ---- members of a smaller communicator ---- */

/* A collective of a part of the ranks, of which the messages of one member are written. */
struct part {
    FILE *out;
    const struct cs_args *a; /* the member's call */
    const struct cs_comm_def *c;
    int n;        /* members */
    int me, root; /* their places among the members */
};

/* The rank in MPI_COMM_WORLD of the member at place k, counted round (-1 is the last member). */
static int world(const struct part *p, int k)
{
    return p->c->world_ranks[(k % p->n + p->n) % p->n];
}

/* Sends to one member and receives from another at the same time. */
static void exchange(const struct part *p, int to, int from, uint64_t send, uint64_t receive)
{
    cs_ti_irecv(p->out, p->a->rank, world(p, from), CS_TI_TAG, receive);
    cs_ti_send(p->out, p->a->rank, world(p, to), CS_TI_TAG, send);
    cs_ti_wait(p->out, world(p, from), p->a->rank, CS_TI_TAG, p->a->rank);
}

/* grows: `bytes` are one member's, and a message has those of all members that are gathered so far. */
static void disseminate(const struct part *p, uint64_t bytes, bool grows)
{
    for (int k = 1; k < p->n; k *= 2) {
        uint64_t b = grows ? bytes * (uint64_t)(k < p->n - k ? k : p->n - k) : bytes;
        exchange(p, p->me + k, p->me - k, b, b);
    }
}

/* Was MPI_IN_PLACE passed for the send buffer? Then the trace has no list of send counts, or nothing is sent. */
static bool sends_in_place(const struct cs_args *a, int sbuf)
{
    int count = sbuf >= 0 ? a->call->args[sbuf].count_arg : -1;
    if (count >= 0 && a->call->args[count].role == CS_ROLE_COUNTS)
        return !a->has[count] || a->f[count].n == 0;
    return cs_args_sent(a) == 0;
}

static void pairs(const struct part *p)
{
    int sbuf = cs_args_buffer(p->a, CS_ROLE_SBUF), rbuf = cs_args_buffer(p->a, CS_ROLE_RBUF);
    bool in_place = sends_in_place(p->a, sbuf);
    for (int k = 1; k < p->n; k++) {
        int to = (p->me + k) % p->n, from = (p->me - k + p->n) % p->n;
        exchange(p, to, from, bytes_with(p->a, in_place ? rbuf : sbuf, to), bytes_with(p->a, rbuf, from));
    }
}

/* How many members the subtree of v has, v included, in a binomial tree of n members whose root is 0. */
static int subtree(int v, int n)
{
    int size = 1;
    assert(v >= 0 && v < n);
    while (!(v & size) && v + size < n)
        size *= 2;
    return size < n - v ? size : n - v;
}

/* This member's messages in a binomial tree; v is its place counted from the root. down: from the root to all members,
 * otherwise from all members to the root. each: `bytes` are one member's, a message has a whole subtree's. */
static void tree(const struct part *p, uint64_t bytes, bool down, bool each)
{
    int v = (p->me - p->root + p->n) % p->n, bit = 1;
    while (bit < p->n && !(v & bit))
        bit *= 2;
    uint64_t own = each ? bytes * (uint64_t)subtree(v, p->n) : bytes;
    if (down && v)
        cs_ti_recv(p->out, p->a->rank, world(p, p->root + v - bit), CS_TI_TAG, own);
    for (int i = bit / 2; down && i > 0; i /= 2)
        if (v + i < p->n)
            cs_ti_send(p->out, p->a->rank, world(p, p->root + v + i), CS_TI_TAG,
                       each ? bytes * (uint64_t)subtree(v + i, p->n) : bytes);
    for (int i = 1; !down && i < bit; i *= 2)
        if (v + i < p->n)
            cs_ti_recv(p->out, p->a->rank, world(p, p->root + v + i), CS_TI_TAG,
                       each ? bytes * (uint64_t)subtree(v + i, p->n) : bytes);
    if (!down && v)
        cs_ti_send(p->out, p->a->rank, world(p, p->root + v - bit), CS_TI_TAG, own);
}

/* Only the root knows the sizes of all members, so each member exchanges a message with the root itself. */
static void direct(const struct part *p, bool down)
{
    int buf = cs_args_buffer(p->a, down ? CS_ROLE_SBUF : CS_ROLE_RBUF);
    if (p->me != p->root && down)
        cs_ti_recv(p->out, p->a->rank, world(p, p->root), CS_TI_TAG, cs_args_received(p->a));
    else if (p->me != p->root)
        cs_ti_send(p->out, p->a->rank, world(p, p->root), CS_TI_TAG, cs_args_sent(p->a));
    for (int k = 0; p->me == p->root && k < p->n; k++) {
        if (k != p->root && down)
            cs_ti_send(p->out, p->a->rank, world(p, k), CS_TI_TAG, bytes_with(p->a, buf, k));
        else if (k != p->root)
            cs_ti_recv(p->out, p->a->rank, world(p, k), CS_TI_TAG, bytes_with(p->a, buf, k));
    }
}

/* Bytes of one member; where counts differ, their mean, so that all members use the same number. */
static uint64_t share(const struct part *p)
{
    int rbuf = cs_args_buffer(p->a, CS_ROLE_RBUF), count = rbuf >= 0 ? p->a->call->args[rbuf].count_arg : -1;
    bool each = count >= 0 && p->a->call->args[count].role == CS_ROLE_COUNTS;
    return each ? cs_args_bytes(p->a, rbuf) / (uint64_t)p->n : cs_args_received(p->a);
}

/* 1, or -1 if it is left out, as cs_ti_collective. */
static int put_part(struct part *p, const struct row *w)
{
    uint64_t sent = cs_args_sent(p->a), received = cs_args_received(p->a), b = sent ? sent : received;
    for (p->me = 0; p->me < p->n && p->c->world_ranks[p->me] != p->a->rank; p->me++)
        ;
    if (p->me == p->n)
        return -1; /* an intercommunicator: its ranks are those of the other side */
    int64_t root = root_of(p->a);
    p->root = root >= 0 && root < p->n ? (int)root : 0;
    switch (w->spread) {
    case DISSEMINATE: disseminate(p, b, false); break;
    case GROW: disseminate(p, share(p), true); break;
    case PAIRS: pairs(p); break;
    case FROM_ROOT: tree(p, b, true, false); break;
    case TO_ROOT: tree(p, b, false, false); break;
    case FROM_ROOT_EACH: tree(p, received ? received : sent, true, true); break;
    case TO_ROOT_EACH: tree(p, b, false, true); break;
    case FROM_ROOT_DIRECT: direct(p, true); break;
    case TO_ROOT_DIRECT: direct(p, false); break;
    }
    return 1;
}

static bool is_everybody(const struct cs_args *a, const struct cs_comm_def *c)
{
    if (c->nranks != cs_trace_info(a->t)->nranks)
        return false;
    for (int i = 0; i < c->nranks; i++)
        if (c->world_ranks[i] != i)
            return false;
    return true;
}

int cs_ti_collective(FILE *out, const struct cs_args *a)
{
    const struct row *w = find_row(a->call);
    const struct cs_comm_def *c = cs_args_comm(a);
    if (!w || !c)
        return -1;
    if (is_everybody(a, c)) {
        put_whole(out, a, w, c->nranks);
        return 0;
    }
    struct part p = {.out = out, .a = a, .c = c, .n = c->nranks};
    return put_part(&p, w);
}
