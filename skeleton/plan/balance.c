/* SPDX-License-Identifier: BSD-3-Clause
 * Counts what an iteration of a loop sends and receives: a loop may run fewer times if all that it sends is received in
 * it. For each pair of ranks, communicator and tag: messages sent less messages received. For each member of a
 * communicator: its calls of collectives less those of the first member. */
#include "skeleton/plan/balance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "skeleton/gen/symbol_args.h"

/* What a sum counts: messages from rank a to rank b with a tag (a == -1: from any rank), or collective calls of rank b
 * (a == -2). Keys are compared as bytes, so there must be no padding. */
struct key {
    int32_t comm, group, a, b;
    int64_t tag;
};
static_assert(sizeof(struct key) == 4 * sizeof(int32_t) + sizeof(int64_t), "no padding");

/* An entry of the table: how often more than the other way round. */
struct sum {
    struct key key;
    int64_t n;
    UT_hash_handle hh;
};

/* A hash table of sums by key. A sum that is not there is 0. */
struct cs_balance {
    struct sum *sums;
    bool unknown; /* something was added that cannot be counted: it is never "zero" */
};

struct cs_balance *cs_balance_new(void)
{
    return calloc(1, sizeof(struct cs_balance));
}

void cs_balance_free(struct cs_balance *b)
{
    struct sum *s, *next;
    if (!b)
        return;
    HASH_ITER (hh, b->sums, s, next) {
        HASH_DEL(b->sums, s);
        free(s);
    }
    free(b);
}

static struct sum *find(const struct cs_balance *b, const struct key *k)
{
    struct sum *s;
    HASH_FIND(hh, b->sums, k, sizeof *k, s);
    return s;
}

static void add(struct cs_balance *b, struct key k, int64_t n)
{
    struct sum *s = find(b, &k);
    if (!s) {
        s = calloc(1, sizeof *s);
        if (!s) {
            b->unknown = true;
            return;
        }
        s->key = k;
        HASH_ADD(hh, b->sums, key, sizeof s->key, s);
    }
    s->n += n;
}

void cs_balance_add(struct cs_balance *to, const struct cs_balance *what, int64_t times)
{
    assert(to != what);
    for (const struct sum *s = what->sums; s; s = s->hh.next)
        add(to, s->key, s->n * times);
    to->unknown |= what->unknown;
}

bool cs_balance_is_zero(const struct cs_balance *b)
{
    for (const struct sum *s = b->sums; s; s = s->hh.next)
        if (s->n)
            return false;
    return !b->unknown;
}

struct cs_balance *cs_balance_part(const struct cs_balance *of, const struct cs_balance *keys)
{
    struct cs_balance *b = cs_balance_new();
    for (const struct sum *s = b ? keys->sums : NULL; s; s = s->hh.next) {
        const struct sum *x = find(of, &s->key);
        add(b, s->key, x ? x->n : 0);
    }
    return b;
}

bool cs_balance_is(const struct cs_balance *b, const struct cs_balance *sum, int64_t times)
{
    for (const struct sum *s = b->sums; s; s = s->hh.next) {
        const struct sum *x = find(sum, &s->key);
        if (s->n != (x ? x->n : 0) * times)
            return false;
    }
    return !b->unknown;
}

/* ---- one symbol ---- */

/* What a call sends and receives; dest and source are ranks of its communicator. */
struct message {
    int64_t dest, source, send_tag, recv_tag;
    bool sends, receives;
};

static int64_t field_of(const struct cs_gen_part *p, int arg, int at, struct cs_comm_rank place)
{
    return arg >= 0 && p->at[arg] >= 0 ? cs_merged_value_at(&p->r->field[p->at[arg]], at, place.me, place.n)
                                       : CS_UNUSED;
}

static int group_number(const struct cs_merged *m, int comm, int rank)
{
    return m->comm[comm].group_of ? m->comm[comm].group_of[rank] : 0;
}

/* Adds the messages of n such calls of a rank. A receive from MPI_ANY_SOURCE or with MPI_ANY_TAG may match any message,
 * so a program with one has its messages counted by receiver only. */
static void add_message(struct cs_balance *b, const struct cs_gen *g, int comm, int rank, const struct message *x,
                        int64_t n)
{
    const struct cs_ranges *group = cs_merged_group_of(g->m, comm, rank);
    bool inter = cs_merged_is_inter(g->m, comm);
    int number = inter ? 0 : group_number(g->m, comm, rank);
    if (x->sends && x->dest >= 0) {
        int to = cs_ranges_at(group, (int)x->dest);
        add(b, g->wildcards ? (struct key){comm, number, -1, to, 0} : (struct key){comm, number, rank, to, x->send_tag},
            n);
    }
    if (x->receives && x->source != CS_PROC_NULL) {
        int from = x->source >= 0 ? cs_ranges_at(group, (int)x->source) : -1;
        add(b,
            g->wildcards ? (struct key){comm, number, -1, rank, 0}
                         : (struct key){comm, number, from, rank, x->recv_tag},
            -n);
    }
}

/* Adds n collective calls of a rank: to its own sum, or, if it is the first member, subtracts them from the sums of all
 * others. */
static void add_collective(struct cs_balance *b, const struct cs_gen *g, int comm, int rank, int64_t n)
{
    const struct cs_ranges *group = cs_merged_group_of(g->m, comm, rank);
    struct key k = {comm, group_number(g->m, comm, rank), -2, rank, 0};
    if (cs_merged_is_inter(g->m, comm)) { /* there is no member that all others could be compared with */
        k.group = 0;
        add(b, k, n);
        b->unknown = true;
        return;
    }
    int first = cs_ranges_at(group, 0);
    if (rank != first) {
        add(b, k, n);
        return;
    }
    for (int i = 1; i < group->total; i++) {
        k.b = cs_ranges_at(group, i);
        add(b, k, -n);
    }
}

static bool is_message(enum cs_mpi_kind kind)
{
    return kind == CS_MPI_SEND || kind == CS_MPI_RECV || kind == CS_MPI_ISEND || kind == CS_MPI_IRECV ||
           kind == CS_MPI_SENDRECV || kind == CS_MPI_SEND_INIT || kind == CS_MPI_RECV_INIT;
}

static struct message message_of(const struct cs_gen_call *c, const struct cs_gen_part *p, int at,
                                 struct cs_comm_rank place)
{
    enum cs_mpi_kind kind = c->call->kind;
    bool both = kind == CS_MPI_SENDRECV;
    int dest = cs_gen_arg(c->call, CS_ROLE_DEST, 0), source = cs_gen_arg(c->call, CS_ROLE_SOURCE, 0);
    struct message x = {.sends = dest >= 0, .receives = source >= 0};
    x.dest = field_of(p, dest, at, place);
    x.source = field_of(p, source, at, place);
    x.send_tag = field_of(p, cs_gen_arg(c->call, CS_ROLE_TAG, 0), at, place);
    x.recv_tag = field_of(p, cs_gen_arg(c->call, CS_ROLE_TAG, both), at, place);
    return x;
}

/* Adds the messages and collectives of the persistent requests that a call starts, n times. */
static void add_starts(struct cs_balance *b, struct cs_gen *g, const struct cs_gen_call *c, int part, int64_t n)
{
    const struct cs_gen_part *p = &c->part[part];
    const struct cs_class *k = &g->m->cls[p->r->cls];
    int arg = cs_gen_arg(c->call, CS_ROLE_REQ_INOUT, 0);
    arg = arg >= 0 ? arg : cs_gen_arg(c->call, CS_ROLE_REQS, 0);
    for (int i = 0; arg >= 0 && i < p->n[arg]; i++)
        for (int at = 0; at < k->ranks.total; at++) {
            int64_t which = cs_merged_value_at(&p->r->field[p->at[arg] + i], at, 0, 1), number = -1 - which;
            const int64_t *nodes = g->kept_node ? g->kept_node[p->r->cls] : NULL;
            struct cs_gen_call init = {0};
            if (which >= 0 || !nodes || number >= g->nkept_node[p->r->cls] ||
                cs_gen_call_open(g, nodes[number], &init) || init.nvariants > 1) {
                cs_gen_call_close(&init);
                b->unknown = true;
                return;
            }
            for (int q = 0; q < init.l->nparts; q++)
                if (init.l->part[q].cls == p->r->cls) {
                    struct cs_comm_rank place = cs_merged_comm_rank(g->m, init.part[q].r->comm, k->rank[at]);
                    struct message x = message_of(&init, &init.part[q], at, place);
                    if (is_message(init.call->kind))
                        add_message(b, g, init.part[q].r->comm, k->rank[at], &x, n);
                    else
                        add_collective(b, g, init.part[q].r->comm, k->rank[at], n);
                }
            cs_gen_call_close(&init);
        }
}

static void add_part(struct cs_balance *b, struct cs_gen *g, const struct cs_gen_call *c, int part, int64_t n)
{
    const struct cs_gen_part *p = &c->part[part];
    const struct cs_class *k = &g->m->cls[p->r->cls];
    enum cs_mpi_kind kind = c->call->kind;
    if (kind == CS_MPI_START)
        add_starts(b, g, c, part, n);
    if (c->call->flags & CS_MPI_PERSISTENT)
        return;
    if (cs_gen_arg(c->call, CS_ROLE_MSG, 0) >= 0)
        return; /* counted by the probe that found the message */
    bool found = cs_gen_arg(c->call, CS_ROLE_NEWMSG, 0) >= 0;
    bool collective = kind == CS_MPI_COLL || kind == CS_MPI_BARRIER || kind == CS_MPI_COMM_CTOR;
    if (p->r->comm < 0 || !(is_message(kind) || found || collective))
        return;
    for (int at = 0; at < k->ranks.total; at++) {
        struct cs_comm_rank place = cs_merged_comm_rank(g->m, p->r->comm, k->rank[at]);
        struct message x = message_of(c, p, at, place);
        if (collective)
            add_collective(b, g, p->r->comm, k->rank[at], n);
        else
            add_message(b, g, p->r->comm, k->rank[at], &x, n);
    }
}

/* Do all symbols of the cycle have the same partners and tags? Then it does not matter how many turns are left out. */
static bool same_partners(const struct cs_gen *g, const struct cs_gen_call *c)
{
    for (int q = c->l->nparts; q < c->nvariants * c->l->nparts; q++) {
        const struct cs_gen_part *p = &c->part[q], *first = &c->part[q % c->l->nparts];
        const struct cs_class *k = &g->m->cls[p->r->cls];
        if (p->r->comm != first->r->comm || c->call->kind == CS_MPI_START)
            return false;
        for (int at = 0; at < k->ranks.total && p->r->comm >= 0; at++) {
            struct cs_comm_rank place = cs_merged_comm_rank(g->m, p->r->comm, k->rank[at]);
            struct message x = message_of(c, p, at, place), y = message_of(c, first, at, place);
            if (x.dest != y.dest || x.source != y.source || x.send_tag != y.send_tag || x.recv_tag != y.recv_tag)
                return false;
        }
    }
    return true;
}

/* Adds n occurrences of a node that is no loop. Those of a cycle are spread over its symbols, from the first one on. */
static void add_symbol(struct cs_balance *b, struct cs_gen *g, int64_t node, int64_t n)
{
    struct cs_gen_call c;
    if (cs_gen_call_open(g, node, &c) == 0) {
        for (int q = 0; q < c.nvariants * c.l->nparts; q++) {
            int variant = q / c.l->nparts;
            int64_t times = n / c.nvariants + (variant < n % c.nvariants);
            if (times)
                add_part(b, g, &c, q, times);
        }
        b->unknown |= n % c.nvariants && !same_partners(g, &c);
    }
    cs_gen_call_close(&c);
}

void cs_balance_nodes(struct cs_balance *b, struct cs_gen *g, int64_t from, int64_t to, int64_t times)
{
    assert(from >= 0 && to <= g->m->nnodes && times >= 0);
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &g->m->node[i];
        if (!n->count) {
            add_symbol(b, g, i, times);
            continue;
        }
        cs_balance_nodes(b, g, i + 1, i + 1 + n->value, times * n->count);
        i += n->value;
    }
}
