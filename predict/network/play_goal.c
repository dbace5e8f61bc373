/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps what is played as a GOAL schedule (Hoefler, Siebert, Lumsdaine, ICPP 2009), which LogGOPSim and ATLAHS read:
 * for each rank operations, and which one comes after which other.
 *
 *     l7: recv 800b from 3 tag 41      tag: the number of the message, so that it is met as in the play
 *     l7 irequires l6                  l6 has begun: it is not waited for, yet
 *     l8: calc 1200
 *     l8 requires l7                   l7 is over: it is waited for before l8
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "predict/network/play.h"

/* What an operation is. A receive that has no message, as it was cancelled, is a calc of 0. */
enum op_kind { OP_CALC, OP_SEND, OP_RECV };

/* An operation; its label is its place, from 1 on. */
struct op {
    enum op_kind kind;
    int peer; /* RECV: -1 until it is met */
    uint32_t tag;
    uint64_t amount; /* ns, or bytes */
    struct goal_place after;
    int first, n; /* of the rank's list of operations that must be over, too */
};

/* A rank's operations, and the labels of its requests. */
struct rank_ops {
    struct op *op;
    int nops, op_cap;
    int *over, nover, over_cap;
    int *label, nlabels, label_cap; /* of each request's operation; 0: it has none */
};

/* The ranks of a schedule. */
struct cs_goal {
    int nranks;
    struct rank_ops *rank;
};

struct cs_goal *cs_goal_new(int nranks)
{
    struct cs_goal *g = malloc(sizeof *g);
    if (!g)
        return NULL;
    *g = (struct cs_goal){nranks, calloc((size_t)nranks, sizeof *g->rank)};
    if (g->rank)
        return g;
    free(g);
    return NULL;
}

void cs_goal_free(struct cs_goal *g)
{
    for (int r = 0; g && r < g->nranks; r++) {
        free(g->rank[r].op);
        free(g->rank[r].over);
        free(g->rank[r].label);
    }
    if (g)
        free(g->rank);
    free(g);
}

/* Appends an operation of the actor behind what it has. Its label, or -1: no memory. */
static int append(struct rank_ops *k, struct actor *a, const struct op *as)
{
    if (!CS_MAKE_ROOM(k->op, k->nops, k->op_cap))
        return -1;
    k->op[k->nops] = *as;
    k->op[k->nops].after = a->goal;
    k->op[k->nops].first = k->nover;
    return ++k->nops;
}

static int set_label(struct rank_ops *k, int req, int label)
{
    if (!CS_MAKE_ROOM_FOR(k->label, req + 1, k->label_cap))
        return -1;
    while (k->nlabels <= req)
        k->label[k->nlabels++] = 0;
    k->label[req] = label;
    return 0;
}

static int label_of(const struct rank_ops *k, int req)
{
    return req < k->nlabels ? k->label[req] : 0;
}

int cs_goal_compute(struct play *y, struct actor *a, double ns)
{
    if (!y->goal || ns < 0.5)
        return 0;
    int label = append(&y->goal->rank[a->rank], a, &(struct op){.kind = OP_CALC, .amount = (uint64_t)llround(ns)});
    a->goal = (struct goal_place){label, true};
    return label < 0 ? -1 : 0;
}

int cs_goal_message(struct play *y, struct actor *a, const struct step *s)
{
    if (!y->goal)
        return 0;
    struct rank_ops *k = &y->goal->rank[a->rank];
    bool sends = s->kind == STEP_SEND;
    struct op op = {.kind = sends ? OP_SEND : OP_RECV,
                    .peer = sends ? s->peer : -1,
                    .tag = sends ? (uint32_t)((y->times->messages + 1) & INT32_MAX) : 0,
                    .amount = s->bytes};
    int label = append(k, a, &op);
    a->goal = (struct goal_place){label, false};
    return label < 0 || (s->req >= 0 && set_label(k, s->req, label)) ? -1 : 0;
}

void cs_goal_meet(struct play *y, int to, int to_req, const struct envelope *m)
{
    if (!y->goal)
        return;
    struct rank_ops *k = &y->goal->rank[to];
    struct op *op = &k->op[label_of(k, to_req) - 1];
    assert(label_of(k, to_req) > 0 && op->kind == OP_RECV && op->peer < 0);
    op->peer = m->peer;
    op->amount = m->bytes;
    op->tag = m->number;
}

int cs_goal_wait(struct play *y, struct actor *a, const int *req, int n)
{
    if (!y->goal)
        return 0;
    struct rank_ops *k = &y->goal->rank[a->rank];
    if (n == 1 && label_of(k, req[0]) == a->goal.label) {
        a->goal.over = true; /* the latest operation itself is waited for */
        return 0;
    }
    int label = append(k, a, &(struct op){.kind = OP_CALC});
    if (label < 0 || !CS_MAKE_ROOM_FOR(k->over, k->nover + n, k->over_cap))
        return -1;
    for (int i = 0; i < n; i++)
        if (label_of(k, req[i]) > 0)
            k->over[k->nover++] = label_of(k, req[i]);
    k->op[label - 1].n = k->nover - k->op[label - 1].first;
    a->goal = (struct goal_place){label, true};
    return 0;
}

int cs_goal_end_aside(struct play *y, const struct actor *a)
{
    return y->goal ? set_label(&y->goal->rank[a->rank], a->done_req, a->goal.label) : 0;
}

/* ---- writing ---- */

static void write_op(const struct op *o, int label, FILE *f)
{
    uint64_t bytes = o->amount > 0 ? o->amount : 1; /* LogGOPSim takes G off a message of 0 bytes */
    if (o->kind == OP_CALC || o->peer < 0)
        fprintf(f, "l%d: calc %" PRIu64 "\n", label, o->kind == OP_CALC ? o->amount : 0);
    else
        fprintf(f, "l%d: %s %" PRIu64 "b %s %d tag %" PRIu32 "\n", label, o->kind == OP_SEND ? "send" : "recv", bytes,
                o->kind == OP_SEND ? "to" : "from", o->peer, o->tag);
    if (o->after.label > 0)
        fprintf(f, "l%d %s l%d\n", label, o->after.over ? "requires" : "irequires", o->after.label);
}

void cs_goal_write(const struct cs_goal *g, FILE *f)
{
    fprintf(f, "%snum_ranks %d\n", CS_GOAL_BEGINS, g->nranks);
    for (int r = 0; r < g->nranks; r++) {
        const struct rank_ops *k = &g->rank[r];
        fprintf(f, "\nrank %d {\n", r);
        for (int i = 0; i < k->nops; i++) {
            write_op(&k->op[i], i + 1, f);
            for (int j = 0; j < k->op[i].n; j++)
                fprintf(f, "l%d requires l%d\n", i + 1, k->over[k->op[i].first + j]);
        }
        fputs("}\n", f);
    }
}
