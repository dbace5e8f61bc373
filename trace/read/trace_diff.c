/* SPDX-License-Identifier: BSD-3-Clause
 * The comparison of trace_diff.h. Both traces are streamed, so that memory does not grow with their length. Pairs of
 * definitions that were found equal are remembered, so that most events cost a few integer comparisons. */
#include "trace/read/trace_diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/format/fields.h"
#include "trace/read/stored_blocks.h"

#define REMEMBERED 1024 /* definitions per table whose partner is remembered */

/* One of the two traces, at its current event. */
struct side {
    const struct cs_trace *t;
    struct cs_trace_iter *it;
    struct cs_event e;
};

/* Two traces of one rank, compared event by event. */
struct compare {
    struct side a, b;
    int rank;
    const struct cs_diff_rules *rules;
    struct cs_diff *d;
    int types[REMEMBERED], comms[REMEMBERED]; /* number in a -> number in b that is equal, plus 1 */
};

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_type(const struct compare *c, int a, int b)
{
    const struct cs_type_def *x = cs_trace_type(c->a.t, c->rank, a), *y = cs_trace_type(c->b.t, c->rank, b);
    return x && y && x->size == y->size && same_text(x->signature, y->signature);
}

static bool same_comm(const struct compare *c, int a, int b)
{
    const struct cs_comm_def *x = cs_trace_comm(c->a.t, c->rank, a), *y = cs_trace_comm(c->b.t, c->rank, b);
    return x && y && x->nranks == y->nranks && same_text(x->path, y->path) &&
           memcmp(x->world_ranks, y->world_ranks, (size_t)x->nranks * sizeof *x->world_ranks) == 0;
}

static bool same_op(const struct compare *c, int a, int b)
{
    const char *x = cs_trace_op(c->a.t, c->rank, a), *y = cs_trace_op(c->b.t, c->rank, b);
    return x && y && strcmp(x, y) == 0;
}

typedef bool same_fn(const struct compare *c, int a, int b);

/* Compares two definitions, which may be null handles. `partner`, if not NULL, remembers those found equal. */
static bool same_definition(const struct compare *c, int *partner, same_fn *same, int64_t a, int64_t b)
{
    if (a < 0 || b < 0 || a > INT32_MAX || b > INT32_MAX)
        return a == b; /* null handles and unused arguments */
    if (partner && a < REMEMBERED && partner[a] == b + 1)
        return true;
    if (!same(c, (int)a, (int)b))
        return false;
    if (partner && a < REMEMBERED)
        partner[a] = (int)b + 1;
    return true;
}

/* Two counts that differ are taken as the same within the tolerance, and noted. */
static bool same_count(struct compare *c, int64_t a, int64_t b)
{
    double least = a < b ? (double)a : (double)b, most = a < b ? (double)b : (double)a;
    if (a == b)
        return true;
    if (least < 0 || most - least > c->rules->tolerance * most)
        return false;
    c->d->counts_off++;
    if ((most - least) / most > c->d->largest)
        c->d->largest = (most - least) / most;
    return true;
}

static bool same_value(struct compare *c, enum cs_role role, int64_t a, int64_t b)
{
    switch (role) {
    case CS_ROLE_TYPE:
    case CS_ROLE_TYPES: return same_definition(c, c->types, same_type, a, b);
    case CS_ROLE_COMM:
    case CS_ROLE_COMM_UPD:
    case CS_ROLE_NEWCOMM: return same_definition(c, c->comms, same_comm, a, b);
    case CS_ROLE_OP: return same_definition(c, NULL, same_op, a, b);
    case CS_ROLE_COUNT:
    case CS_ROLE_COUNTS: return same_count(c, a, b);
    default: return a == b;
    }
}

/* NULL if the events are the same, else what differs. */
static const char *event_difference(struct compare *c)
{
    struct cs_field x, y;
    int arg_a = 0, at_a = 0, arg_b = 0, at_b = 0, rc;
    if (c->a.e.call != c->b.e.call)
        return "call";
    while ((rc = cs_field_next(&c->a.e, &arg_a, &at_a, &x)) == 1) {
        if (cs_field_next(&c->b.e, &arg_b, &at_b, &y) != 1 || x.n != y.n)
            return x.arg->name;
        for (int64_t i = 0; i < x.n; i++)
            if (!same_value(c, x.arg->role, x.values[i], y.values[i]))
                return x.arg->name;
    }
    return rc == cs_field_next(&c->b.e, &arg_b, &at_b, &y) ? NULL : "number of fields";
}

/* The result when one stream or both are at their end: a_has says whether a still has an event, b_has whether b has. */
static enum cs_diff_kind at_an_end(const struct compare *c, bool a_has, bool b_has, bool allow_cut)
{
    bool a_cut = cs_trace_rank_state(c->a.t, c->rank) != CS_RANK_COMPLETE;
    bool b_cut = cs_trace_rank_state(c->b.t, c->rank) != CS_RANK_COMPLETE;
    if (a_has == b_has)
        return (a_cut || b_cut) && !allow_cut ? CS_DIFF_CUT : CS_DIFF_SAME;
    if (allow_cut && (a_has ? b_cut : a_cut))
        return CS_DIFF_SAME;
    return a_has ? CS_DIFF_B_ENDS : CS_DIFF_A_ENDS;
}

static void compare_streams(struct compare *c)
{
    struct cs_diff *d = c->d;
    for (;; d->index++) {
        int x = cs_trace_iter_next(c->a.it, &c->a.e), y = cs_trace_iter_next(c->b.it, &c->b.e);
        if (x < 0 || y < 0) {
            d->kind = CS_DIFF_ERROR;
            snprintf(d->reason, sizeof d->reason, "the %s trace: %s", x < 0 ? "first" : "second",
                     cs_trace_iter_error(x < 0 ? c->a.it : c->b.it));
            return;
        }
        if (x == 0 || y == 0) {
            d->kind = at_an_end(c, x, y, c->rules->allow_cut);
            return;
        }
        d->what = event_difference(c);
        if (d->what) {
            d->kind = CS_DIFF_EVENT;
            return;
        }
    }
}

/* Is the section the same in both blocks, byte for byte? */
static bool same_section(const struct compare *c, const struct cs_trace_block *x, const struct cs_trace_block *y,
                         bool events, struct cs_bytes *p, struct cs_bytes *q)
{
    return cs_read_section(c->a.t, x, events, p) == 0 && cs_read_section(c->b.t, y, events, q) == 0 &&
           p->len == q->len && (p->len == 0 || memcmp(p->data, q->data, p->len) == 0);
}

/* Are both streams complete and stored as the same bytes? Then they are the same, and need not be unrolled. */
static bool same_bytes(const struct compare *c)
{
    const struct cs_trace_rank *x = cs_trace_find_rank(c->a.t, c->rank), *y = cs_trace_find_rank(c->b.t, c->rank);
    struct cs_bytes p = {0}, q = {0};
    bool same = x && y && cs_trace_rank_state(c->a.t, c->rank) == CS_RANK_COMPLETE &&
                cs_trace_rank_state(c->b.t, c->rank) == CS_RANK_COMPLETE && x->nblocks == y->nblocks &&
                cs_trace_info(c->a.t)->with_times == cs_trace_info(c->b.t)->with_times;
    for (size_t i = 0; same && i < x->nblocks; i++)
        same = x->block[i].nevents == y->block[i].nevents &&
               same_section(c, &x->block[i], &y->block[i], false, &p, &q) &&
               same_section(c, &x->block[i], &y->block[i], true, &p, &q);
    cs_bytes_free(&p);
    cs_bytes_free(&q);
    return same;
}

struct cs_diff cs_diff_rank(const struct cs_trace *a, const struct cs_trace *b, int rank,
                            const struct cs_diff_rules *rules)
{
    struct cs_diff d = {.kind = CS_DIFF_ERROR, .reason = "not enough memory"};
    struct compare *c = calloc(1, sizeof *c);
    if (!c)
        return d;
    c->a.t = a;
    c->b.t = b;
    c->rank = rank;
    c->rules = rules;
    c->d = &d;
    if (same_bytes(c)) {
        d.kind = CS_DIFF_SAME;
        d.index = cs_trace_nevents(a, rank);
        free(c);
        return d;
    }
    c->a.it = cs_trace_iter_open(a, rank);
    c->b.it = cs_trace_iter_open(b, rank);
    if (c->a.it && c->b.it)
        compare_streams(c);
    cs_trace_iter_free(c->a.it);
    cs_trace_iter_free(c->b.it);
    free(c);
    return d;
}
