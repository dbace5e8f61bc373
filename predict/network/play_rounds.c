/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives as rounds of messages, with the algorithms that MPI libraries use (Thakur, Rabenseifner, Gropp 2005):
 * trees and dissemination for short messages; for long ones, parts are scattered first and gathered then.
 *
 *     SPREAD   round k: to the member 2^k places ahead, all bytes       barrier, short allreduce
 *     GROW     likewise, the bytes of the 2^k members gathered so far   allgather
 *     HALVE    likewise, bytes / 2^(k+1): a part is summed up           long reduce and allreduce
 *     DOWN, UP a binomial tree                                          bcast, reduce, gather, scatter
 *     PAIRS    to the member k places ahead, for all k: a batch of 32   alltoall; short: SPREAD of half of all bytes;
 *              members at a time, or of one if messages are long         long: one at a time
 *     STAR_*   between the root and each member                         gatherv, scatterv */
#include <assert.h>
#include <stdlib.h>

#include "predict/network/play.h"
#include "trace/format/fields.h"

/* Bytes from which on a message is long, or up to which it is short; members that messages are under way with at a
 * time; and members from which on pairs are not played one by one. */
enum {
    LONG_REDUCE = 2048,
    LONG_BCAST = 12288,
    SHORT_ALLTOALL = 256,
    LONG_ALLTOALL = 32768,
    BATCH = 32,
    MOST_PAIRS = 512
};

/* ---- which rounds ---- */

/* Bytes that a buffer has for member k, by its own count if there is a list of them. */
static uint64_t bytes_with(const struct cs_args *a, int buf, int64_t k)
{
    int count = buf >= 0 ? a->call->args[buf].count_arg : -1;
    if (count < 0 || !a->has[count])
        return 0;
    if (a->call->args[count].role != CS_ROLE_COUNTS)
        return cs_args_bytes(a, buf);
    if (k >= a->f[count].n)
        return 0;
    struct cs_args one = *a;
    one.f[count].values += k;
    one.f[count].n = 1;
    for (int i = buf; i < a->call->nargs; i++)
        if (a->call->args[i].role == CS_ROLE_TYPES && a->has[i]) {
            one.f[i].values += k < one.f[i].n ? k : 0;
            break;
        }
    return cs_args_bytes(&one, buf);
}

static bool has_counts(const struct cs_args *a, int buf)
{
    int count = buf >= 0 ? a->call->args[buf].count_arg : -1;
    return count >= 0 && a->call->args[count].role == CS_ROLE_COUNTS;
}

/* Lists the bytes that a buffer has for each member. 0, or -1: no memory. */
static int list_bytes(const struct cs_args *a, int buf, struct rounds *r)
{
    if (!has_counts(a, buf))
        return 0;
    if (!(r->each = malloc((size_t)r->n * sizeof *r->each)))
        return -1;
    for (int k = 0; k < r->n; k++)
        r->each[k] = bytes_with(a, buf, k);
    return 0;
}

/* What a member hands in or gets, whichever the trace has: MPI_IN_PLACE leaves one of them out. */
static uint64_t own_bytes(const struct cs_args *a)
{
    uint64_t sent = cs_args_sent(a);
    return sent ? sent : cs_args_received(a);
}

static uint64_t share(const struct cs_args *a, int n)
{
    int rbuf = cs_args_buffer(a, CS_ROLE_RBUF);
    return has_counts(a, rbuf) ? cs_args_bytes(a, rbuf) / (uint64_t)n : cs_args_received(a);
}

static void reduce_to_all(struct rounds *r)
{
    bool is_long = r->bytes > LONG_REDUCE && r->n > 2;
    r->kind = is_long ? ROUNDS_HALVE : ROUNDS_SPREAD;
    r->then = is_long ? ROUNDS_GROW : ROUNDS_NONE;
    r->then_bytes = r->bytes / (uint64_t)r->n;
}

static void reduce_to_one(struct rounds *r)
{
    bool is_long = r->bytes > LONG_REDUCE && r->n > 2;
    r->kind = is_long ? ROUNDS_HALVE : ROUNDS_UP;
    r->then = is_long ? ROUNDS_UP : ROUNDS_NONE;
    r->then_bytes = r->bytes / (uint64_t)r->n;
    r->per_member = is_long;
}

static void broadcast(struct rounds *r)
{
    bool is_long = r->bytes > LONG_BCAST && r->n > 8;
    r->kind = ROUNDS_DOWN;
    r->per_member = is_long;
    r->then = is_long ? ROUNDS_GROW : ROUNDS_NONE;
    r->then_bytes = r->bytes / (uint64_t)r->n;
    if (is_long)
        r->bytes = r->then_bytes;
}

static void exchange_all(struct rounds *r)
{
    bool is_short = r->bytes <= SHORT_ALLTOALL && r->n >= 8;
    r->kind = is_short ? ROUNDS_SPREAD : ROUNDS_PAIRS;
    r->batch = r->bytes > LONG_ALLTOALL ? 1 : BATCH;
    if (is_short)
        r->bytes *= (uint64_t)r->n / 2;
}

static int choose(const struct cs_args *a, struct rounds *r)
{
    r->bytes = own_bytes(a);
    switch (cs_mpi_collective(a->call)) {
    case CS_COLLECTIVE_BCAST: broadcast(r); return 1;
    case CS_COLLECTIVE_REDUCE: reduce_to_one(r); return 1;
    case CS_COLLECTIVE_ALLREDUCE: reduce_to_all(r); return 1;
    case CS_COLLECTIVE_ALLGATHER:
    case CS_COLLECTIVE_ALLGATHERV:
        r->kind = ROUNDS_GROW;
        r->bytes = share(a, r->n);
        return 1;
    case CS_COLLECTIVE_ALLTOALL: exchange_all(r); return 1;
    case CS_COLLECTIVE_ALLTOALLV:
    case CS_COLLECTIVE_ALLTOALLW:
        r->kind = ROUNDS_PAIRS;
        r->batch = BATCH;
        return list_bytes(a, cs_args_buffer(a, cs_args_sent(a) ? CS_ROLE_SBUF : CS_ROLE_RBUF), r) ? -1 : 1;
    case CS_COLLECTIVE_GATHER:
    case CS_COLLECTIVE_SCATTER:
        r->kind = cs_mpi_collective(a->call) == CS_COLLECTIVE_GATHER ? ROUNDS_UP : ROUNDS_DOWN;
        r->per_member = true;
        return 1;
    case CS_COLLECTIVE_GATHERV: r->kind = ROUNDS_STAR_IN; return 1;
    case CS_COLLECTIVE_SCATTERV:
        r->kind = ROUNDS_STAR_OUT;
        return r->me == r->root && list_bytes(a, cs_args_buffer(a, CS_ROLE_SBUF), r) ? -1 : 1;
    case CS_COLLECTIVE_REDUCE_SCATTER: r->kind = ROUNDS_HALVE; return 1;
    case CS_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        r->kind = ROUNDS_HALVE;
        r->bytes *= (uint64_t)r->n;
        return 1;
    default: r->kind = ROUNDS_SPREAD; return 1; /* scans, barriers; making a communicator is an agreement */
    }
}

int cs_play_describe(struct play *y, struct player *p, const struct cs_args *a, struct rounds *r)
{
    *r = (struct rounds){.kind = ROUNDS_NONE};
    if (a->call->flags & (CS_MPI_BY_GROUP | CS_MPI_INTERCOMM | CS_MPI_NEIGHBOR))
        return 0;
    int rc = cs_play_describe_members(y, p, a, r);
    if (rc <= 0)
        return rc;
    int64_t root = cs_args_scalar(a, cs_args_find(a, CS_ROLE_ROOT));
    r->root = root >= 0 && root < r->n ? (int)root : 0;
    if (a->call->kind == CS_MPI_COLL)
        return choose(a, r);
    r->kind = ROUNDS_SPREAD;
    return 1;
}

/* ---- steps of a round ---- */

static int send_to(struct play *y, struct actor *a, int member, uint64_t bytes)
{
    const struct rounds *r = &a->rounds;
    int req = cs_play_request(&y->p[a->rank], false, true);
    struct step *s = req >= 0 ? cs_play_step(a, STEP_SEND) : NULL;
    if (!s)
        return -1;
    s->peer = r->member[member];
    s->ctx = r->ctx;
    s->tag = r->tag;
    s->bytes = bytes;
    s->req = req;
    return req;
}

static int receive_from(struct play *y, struct actor *a, int member)
{
    const struct rounds *r = &a->rounds;
    int req = cs_play_request(&y->p[a->rank], false, false);
    struct step *s = req >= 0 ? cs_play_step(a, STEP_RECV) : NULL;
    if (!s)
        return -1;
    s->peer = r->member[member];
    s->ctx = r->ctx;
    s->tag = r->tag;
    s->req = req;
    return req;
}

/* Receives from one member while it sends to another. */
static int exchange(struct play *y, struct actor *a, int to, int from, uint64_t bytes)
{
    int req[2];
    if ((req[0] = receive_from(y, a, from)) < 0 || (req[1] = send_to(y, a, to, bytes)) < 0)
        return -1;
    return cs_play_wait(a, req, 2);
}

static int send_and_wait(struct play *y, struct actor *a, int to, uint64_t bytes)
{
    int req = send_to(y, a, to, bytes);
    return req < 0 ? -1 : cs_play_wait(a, &req, 1);
}

static int receive_and_wait(struct play *y, struct actor *a, int from)
{
    int req = receive_from(y, a, from);
    return req < 0 ? -1 : cs_play_wait(a, &req, 1);
}

/* Bytes of round k, at a distance of 2^k members. */
static uint64_t spread_bytes(const struct rounds *r, int distance)
{
    uint64_t left = (uint64_t)(r->n - distance);
    switch (r->kind) {
    case ROUNDS_GROW: return r->bytes * ((uint64_t)distance < left ? (uint64_t)distance : left);
    case ROUNDS_HALVE: return r->bytes / 2 / (uint64_t)distance;
    default: return r->bytes;
    }
}

static int spread(struct play *y, struct actor *a)
{
    struct rounds *r = &a->rounds;
    int64_t distance = (int64_t)1 << r->round;
    if (distance >= r->n)
        return 0;
    int d = (int)distance;
    return exchange(y, a, (r->me + d) % r->n, (r->me - d + r->n) % r->n, spread_bytes(r, d)) ? -1 : 1;
}

/* With very many members, all meet, and then each sends as much as it would, to itself as far as time is concerned. */
static int many_pairs(struct play *y, struct actor *a)
{
    struct rounds *r = &a->rounds;
    uint64_t bytes = 0;
    for (int k = 0; r->each && k < r->n; k++)
        bytes += r->each[k];
    bytes = r->each ? bytes : r->bytes * (uint64_t)(r->n - 1);
    struct step *s = cs_play_step(a, STEP_COMPUTE);
    if (!s)
        return -1;
    double each = 2 * y->net->overhead > y->net->gap ? 2 * y->net->overhead : y->net->gap;
    s->ns = each * (double)(r->n - 1) + (double)bytes * y->net->per_byte;
    r->kind = ROUNDS_SPREAD;
    r->bytes = 0;
    r->round = -1;
    return 1;
}

static int pairs(struct play *y, struct actor *a)
{
    struct rounds *r = &a->rounds;
    int req[2 * BATCH], n = 0;
    assert(r->batch <= BATCH);
    if (r->n > MOST_PAIRS)
        return many_pairs(y, a);
    for (int k = r->round * r->batch + 1; k < r->n && n < 2 * r->batch; k++) {
        int to = (r->me + k) % r->n, from = (r->me - k + r->n) % r->n;
        if ((req[n++] = receive_from(y, a, from)) < 0 ||
            (req[n++] = send_to(y, a, to, r->each ? r->each[to] : r->bytes)) < 0)
            return -1;
    }
    return n == 0 ? 0 : cs_play_wait(a, req, n) ? -1 : 1;
}

/* How many members the subtree of v has, v included, in a binomial tree of n members whose root is 0. */
static int subtree(int v, int n)
{
    int size = 1;
    while (!(v & size) && v + size < n)
        size *= 2;
    return size < n - v ? size : n - v;
}

static int tree(struct play *y, struct actor *a, bool down)
{
    struct rounds *r = &a->rounds;
    int v = (r->me - r->root + r->n) % r->n, bit = 1, rc = 0;
    if (r->round > 0)
        return 0;
    while (bit < r->n && !(v & bit))
        bit *= 2;
    int parent = (r->root + v - (v ? bit : 0)) % r->n;
    if (down && v)
        rc = receive_and_wait(y, a, parent);
    for (int i = bit / 2; down && i > 0 && !rc; i /= 2)
        if (v + i < r->n)
            rc = send_and_wait(y, a, (r->root + v + i) % r->n,
                               r->bytes * (uint64_t)(r->per_member ? subtree(v + i, r->n) : 1));
    for (int i = 1; !down && i < bit && !rc; i *= 2)
        if (v + i < r->n)
            rc = receive_and_wait(y, a, (r->root + v + i) % r->n);
    if (!down && v && !rc)
        rc = send_and_wait(y, a, parent, r->bytes * (uint64_t)(r->per_member ? subtree(v, r->n) : 1));
    return rc ? -1 : 1;
}

static int star(struct play *y, struct actor *a, bool out)
{
    struct rounds *r = &a->rounds;
    if (r->round > 0)
        return 0;
    if (r->me != r->root)
        return (out ? receive_and_wait(y, a, r->root) : send_and_wait(y, a, r->root, r->bytes)) ? -1 : 1;
    for (int k = 1; k < r->n; k++) {
        int other = (r->root + k) % r->n;
        if (out ? send_and_wait(y, a, other, r->each ? r->each[other] : r->bytes) : receive_and_wait(y, a, other))
            return -1;
    }
    return 1;
}

static int steps_of(struct play *y, struct actor *a)
{
    switch (a->rounds.kind) {
    case ROUNDS_NONE: return 0;
    case ROUNDS_SPREAD:
    case ROUNDS_GROW:
    case ROUNDS_HALVE: return spread(y, a);
    case ROUNDS_DOWN: return tree(y, a, true);
    case ROUNDS_UP: return tree(y, a, false);
    case ROUNDS_PAIRS: return pairs(y, a);
    case ROUNDS_STAR_OUT: return star(y, a, true);
    case ROUNDS_STAR_IN: return star(y, a, false);
    }
    return 0;
}

int cs_play_round(struct play *y, struct actor *a)
{
    struct rounds *r = &a->rounds;
    int rc = steps_of(y, a);
    r->round++;
    if (rc || r->then == ROUNDS_NONE)
        return rc;
    r->kind = r->then;
    r->then = ROUNDS_NONE;
    r->bytes = r->then_bytes;
    r->round = 0;
    rc = steps_of(y, a);
    r->round++;
    return rc;
}
