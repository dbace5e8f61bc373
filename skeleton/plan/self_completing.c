/* SPDX-License-Identifier: BSD-3-Clause
 * Does each iteration of a loop complete the requests that it makes, and no others? Its iterations are played for a
 * rank of each class (for all ranks if they complete different requests) until all cycles are at their start again.
 * Deferred requests, of calls such as MPI_Waitany, are only counted. A self-completing loop inside is played once. */
#include "skeleton/plan/self_completing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "skeleton/gen/symbol_args.h"
#include "trace/format/fields.h"

/* Most nodes of the nest that are played. */
enum { STEPS_MAX = 1000000 };

/* A rank while it plays the iterations of a loop. */
struct body {
    struct cs_gen *g;
    int cls, at;               /* the rank, by its place in the class */
    int64_t made;              /* requests made in this iteration */
    int64_t *open, nopen, cap; /* requests that are not complete: 0, 1, ... as made; persistent ones -1, -2, ... */
    int32_t *turn;             /* of the loop's nodes: the index in its cycle that comes next */
    int64_t first;             /* the node of turn[0] */
    int64_t deferred;          /* deferred requests made, less those that MPI_Waitany completed */
    bool some;                 /* MPI_Waitsome or its like completes an unknown number of deferred requests */
    int64_t steps;             /* nodes played, at most STEPS_MAX */
    bool bad;                  /* not self-completing, or it cannot be told */
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

/* Completes a request, named as in a trace: 1, 2, ...: that many requests ago; -1, -2, ...: persistent; 0: none. */
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

/* The values of a record's fields on the class's rank `at`, to be freed; not right for peers, which are not used. NULL:
 * no memory. */
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

/* The symbol of the node at this occurrence; moves its cycle on. */
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

/* What one iteration of a loop leaves to the loop around it; the members are as in struct body. */
struct left {
    int64_t made, deferred;
    bool some;
};

static bool self_completing(struct cs_gen *g, int64_t loop, int cls, int rank, struct left *left);

/* Plays the nodes [from, to). */
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

/* Are all n cycles at their start? Then further iterations repeat those that were played. */
static bool is_at_start(const struct body *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (b->turn[i])
            return false;
    return true;
}

/* Is the loop self-completing on this rank (by its place in the class)? *left: per iteration; deferred requests on
 * average. */
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

/* Is there a call that names different requests on different ranks of the class? */
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
