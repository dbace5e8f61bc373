/* SPDX-License-Identifier: BSD-3-Clause
 * Does an iteration of a loop complete the requests that it makes, and no others? Of requests that MPI_Waitany
 * completes, which does not say which one it was, only the number is compared. Each class goes through the body, once
 * for each phase that its symbols' cycles can be in, and where its ranks differ in what they complete, each of them; a
 * loop inside that is self-completing only counts its requests, another one is gone through in full. */
#include "skeleton/plan/self_completing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "skeleton/gen/symbol_args.h"
#include "trace/format/fields.h"

enum { STEPS_MAX = 1000000 };

struct body {
    struct cs_gen *g;
    int cls, at;               /* the rank, by its place in the class */
    int64_t made;              /* in this iteration */
    int64_t *open, nopen, cap; /* numbers of those not completed; persistent ones as -1, -2, ... */
    int32_t *turn;             /* of the loop's nodes: the next one of the cycle */
    int64_t first;             /* the node of turn[0] */
    int64_t deferred; /* requests made in this iteration that calls complete which do not say which, less those that are
                      completed so */
    bool some;        /* it is not known how many are: MPI_Waitsome and its like */
    int64_t steps;
    bool bad;
};

/* Opens a request. */
static void push(struct body *b, int64_t which)
{
    if (!CS_MAKE_ROOM(b->open, b->nopen, b->cap)) {
        b->bad = true;
        return;
    }
    b->open[b->nopen++] = which;
}

/* `which` as in a trace: how many requests ago, or persistent. */
static void complete(struct body *b, int64_t which)
{
    int64_t number = which > 0 ? b->made - which : which;
    if (which == 0)
        return;
    if (which > 0 && number < 0) {
        b->bad = true;
        return;
    }
    for (int64_t i = b->nopen; i-- > 0;)
        if (b->open[i] == number) {
            b->open[i] = b->open[--b->nopen];
            return;
        }
    b->bad |= which < 0; /* completed twice is harmless; a persistent one was started outside */
}

static bool is_request(const struct cs_mpi_call *call, int arg)
{
    enum cs_role role = call->args[arg].role;
    return (role == CS_ROLE_REQ_INOUT || role == CS_ROLE_REQS) && cs_field_shape(call, arg) != CS_FIELD_LENGTH;
}

/* The values of a record on the class's rank `at`, to be freed; peers are not right. NULL: no memory. */
static int64_t *values_of(const struct cs_merged_record *r, int at)
{
    int64_t *v = malloc(((size_t)r->nfields + 1) * sizeof *v);
    for (int i = 0; v && i < r->nfields; i++)
        v[i] = cs_merged_value_at(&r->field[i], at, 0, 1);
    return v;
}

/* Calls that do not say what they completed: MPI_Waitany completes one request, all others any number. */
static void complete_any(struct body *b, const struct cs_mpi_call *call)
{
    if ((call->kind != CS_MPI_WAIT_SOME && call->kind != CS_MPI_TEST) || cs_gen_arg(call, CS_ROLE_REQS, 0) < 0)
        return;
    if (call->kind == CS_MPI_WAIT_SOME && cs_gen_arg(call, CS_ROLE_INDEX, 0) >= 0)
        b->deferred--;
    else
        b->some = true;
}

static void take_record(struct body *b, const struct cs_merged_record *r, int64_t node)
{
    const struct cs_mpi_call *call = cs_mpi_call(r->call);
    int64_t *v = values_of(r, b->at);
    struct cs_event e = {.call = r->call, .nfields = r->nfields, .fields = v};
    struct cs_field f;
    int arg = 0, at = 0;
    b->bad |= !v;
    while (v && cs_field_next(&e, &arg, &at, &f) == 1)
        for (int64_t i = 0; is_request(call, (int)(f.arg - call->args)) && i < f.n; i++) {
            if (call->kind != CS_MPI_START)
                complete(b, f.values[i]);
            else if (b->g->deferred[node])
                b->deferred++;
            else
                push(b, f.values[i]);
        }
    free(v);
}

/* The symbol that the node is this time: the next one of its cycle. */
static const struct cs_merged_symbol *symbol_of(struct body *b, int64_t node)
{
    const struct cs_merged *m = b->g->m;
    const struct cs_nest_node *n = &m->node[node];
    assert(node >= b->first && !m->node[node].count);
    int32_t *turn = &b->turn[node - b->first];
    assert(n->ncycle == 0 || *turn < n->ncycle);
    if (!n->ncycle)
        return &m->symbol[n->value];
    const struct cs_merged_symbol *l = &m->symbol[m->cycle[n->cycle + *turn]];
    *turn = *turn + 1 == n->ncycle ? 0 : *turn + 1;
    return l;
}

static void symbol(struct body *b, int64_t node)
{
    const struct cs_merged_symbol *l = symbol_of(b, node);
    const struct cs_merged_part *part = cs_merged_part_of(l, b->cls);
    const struct cs_mpi_call *call = cs_mpi_call(l->call);
    if (!part)
        return;
    take_record(b, &b->g->m->record[part->record], node);
    complete_any(b, call);
    for (int arg = 0; arg < call->nargs; arg++)
        if (call->args[arg].role == CS_ROLE_REQ_OUT) {
            if (b->g->deferred[node])
                b->deferred++;
            else
                push(b, b->made);
            b->made++;
        }
}

/* What an iteration does: requests that it makes; requests left to calls that do not say which they complete, less
 * those that such calls complete; whether it is unknown how many those are. */
struct left {
    int64_t made, deferred;
    bool some;
};

static bool self_completing(struct cs_gen *g, int64_t loop, int cls, int rank, struct left *left);

static void nodes(struct body *b, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to && !b->bad; i++) {
        const struct cs_nest_node *n = &b->g->m->node[i];
        struct left left = {0};
        if (!n->count) {
            symbol(b, i);
            continue;
        }
        if (self_completing(b->g, i, b->cls, b->at, &left)) {
            b->made += n->count * left.made;
            b->deferred += n->count * left.deferred;
            b->some |= left.some;
        } else
            for (int64_t k = 0; k < n->count && !b->bad; k++) {
                b->bad |= (b->steps += n->value) > STEPS_MAX;
                nodes(b, i + 1, i + 1 + n->value);
            }
        i += n->value;
    }
}

/* Are all cycles where they were when the loop began? Then further iterations are like those before. */
static bool is_at_start(const struct body *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (b->turn[i])
            return false;
    return true;
}

/* *left: of an iteration; made is the same of each, deferred on average where symbols have cycles. */
static bool self_completing(struct cs_gen *g, int64_t loop, int cls, int rank, struct left *left)
{
    int64_t n = g->m->node[loop].value;
    struct body b = {.g = g, .cls = cls, .at = rank, .first = loop + 1, .turn = calloc((size_t)n + 1, sizeof *b.turn)};
    int64_t times = 0;
    b.bad = !b.turn;
    do {
        b.made = 0;
        times++;
        if (!b.bad)
            nodes(&b, loop + 1, loop + 1 + n);
        b.bad |= b.nopen > 0 || (b.steps += n) > STEPS_MAX;
    } while (!b.bad && !is_at_start(&b, n));
    b.bad |= b.deferred % times != 0;
    *left = (struct left){b.made, b.deferred / times, b.some};
    free(b.open);
    free(b.turn);
    return !b.bad;
}

/* Do ranks of the class complete other requests than the first one, anywhere? */
static bool ranks_differ(const struct cs_gen *g, int cls)
{
    const struct cs_merged *m = g->m;
    for (int i = 0; i < m->nrecords; i++) {
        const struct cs_merged_record *r = &m->record[i];
        const struct cs_mpi_call *call = cs_mpi_call(r->call);
        bool requests = false;
        for (int arg = 0; r->cls == cls && arg < call->nargs; arg++)
            requests |= is_request(call, arg);
        for (int k = 0; requests && k < r->nfields; k++)
            if (r->field[k].rule == CS_RULE_TABLE)
                return true;
    }
    return false;
}

bool cs_gen_is_self_completing(struct cs_gen *g, int64_t loop)
{
    struct left left;
    for (int k = 0; k < g->m->nclasses; k++)
        for (int at = 0; at < (ranks_differ(g, k) ? g->m->cls[k].ranks.total : 1); at++)
            if (!self_completing(g, loop, k, at, &left) || (left.deferred != 0 && !left.some))
                return false;
    return true;
}
