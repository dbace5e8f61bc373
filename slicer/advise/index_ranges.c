/* SPDX-License-Identifier: GPL-3.0-or-later
 * Indices as sums of variables and numbers, between the bounds of the loops that count them; index_ranges.h.
 * A variable is told by where it is: a member of an array of structs, a global one; behind a parameter, by what calls
 * pass there. An index of two dimensions is j - j0 + (k - k0) * stride: what is multiplied is the outer one. */
#include "slicer/advise/index_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/constant_calls.h"

/* Limits. */
enum {
    TERMS = 4,  /* variables in a sum */
    DEPTH = 16, /* statements that are followed */
    CALLS = 4,  /* functions that a parameter is followed through */
    SYMBOLS = 2000,
    STEPS = 500 /* for one index, in all: values, and calls of functions */
};

/* Where a variable is: behind the pointer in obj + at, in the elements of `stride` bytes, at `off`; or (stride 0) in
 * obj itself. If `constant`: only numbers are written there, from `least` to `most`. */
struct symbol {
    int obj;
    int64_t at, off, stride, least, most;
    bool constant;
};
/* `number` and so many times each of the symbols sym[n]; lost: nothing is known. */
struct sum {
    bool lost;
    int n, sym[TERMS];
    int64_t times[TERMS], number;
};
/* From one sum to another one, both included. */
struct range {
    struct sum lo, hi;
};
/* dims[0]: the inner dimension, dims[1] the outer one, of n. n = 0: nothing is known. */
struct index {
    int n;
    struct range dims[2];
};
/* What was found for statements, by statement and call. */
struct cs_index_ranges {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    struct cs_constant_calls constants;
    int left; /* of STEPS */
    struct symbol symbols[SYMBOLS];
    int nsymbols;
    struct cs_pairset known; /* number in found[] */
    int nfound, afound;
    struct found {
        int stmt, call;
        struct index index;
    } * found;
};
/* In one function, for one call of it. */
struct place {
    struct cs_index_ranges *r;
    int func, call;
};

/* ---- sums ---- */

/* One more step for this index; false: these are too many. */
static bool step(struct cs_index_ranges *r)
{
    r->left -= r->left > 0;
    return r->left > 0;
}

static struct sum lost(void)
{
    return (struct sum){.lost = true};
}

static struct sum number(int64_t x)
{
    return (struct sum){.number = x};
}

static void add_term(struct sum *s, int sym, int64_t times)
{
    int i = 0;
    while (i < s->n && s->sym[i] != sym)
        i++;
    if (i == TERMS) {
        s->lost = true;
        return;
    }
    s->times[i] = i < s->n ? s->times[i] + times : times;
    s->sym[i] = sym;
    s->n += i == s->n;
    if (s->times[i])
        return;
    s->n--;
    s->sym[i] = s->sym[s->n];
    s->times[i] = s->times[s->n];
}

/* a + times * b */
static struct sum plus(struct sum a, struct sum b, int64_t times)
{
    a.lost |= b.lost;
    for (int i = 0; i < b.n && !a.lost; i++)
        add_term(&a, b.sym[i], times * b.times[i]);
    a.number += times * b.number;
    return a;
}

static struct range plus_range(struct range a, struct range b, int64_t times)
{
    return (struct range){plus(a.lo, times > 0 ? b.lo : b.hi, times), plus(a.hi, times > 0 ? b.hi : b.lo, times)};
}

static bool same_sum(struct sum a, struct sum b)
{
    struct sum by = plus(a, b, -1);
    return !by.lost && !by.n && !by.number;
}

/* Is a more than b for sure? */
static bool is_more(const struct sum *a, const struct sum *b)
{
    struct sum by = plus(*a, *b, -1);
    return !by.lost && !by.n && by.number > 0;
}

/* ---- variables ---- */

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

/* Does the value only go on, or are all that meet there the same? */
static bool moves(const struct cs_stmt *d)
{
    bool is =
        (d->kind == CS_STMT_PHI && d->nuses) || (d->kind == CS_STMT_ASSIGN && d->op == CS_OP_COPY && d->nuses == 1);
    for (int i = 1; i < d->nuses && is; i++)
        is = d->uses[0].kind == CS_OPND_VALUE && d->uses[i].kind == CS_OPND_VALUE && d->uses[i].id == d->uses[0].id;
    return is;
}

/* Behind moves of a value. */
static struct cs_operand origin(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *d;
    for (int i = 0; i < DEPTH && (d = def_of(g, op)); i++) {
        if (!moves(d))
            break;
        op = d->uses[0];
    }
    return op;
}

/* Is the place a variable, of the program or in an array of structs, `off` bytes behind the pointer? */
static bool variable_at(const struct cs_graph *g, struct cs_operand pointer, struct cs_pattern at, struct symbol *s)
{
    struct cs_operand op = origin(g, pointer);
    const struct cs_stmt *d = def_of(g, op);
    *s = (struct symbol){.obj = op.kind == CS_OPND_ADDR ? op.id : -1, .off = op.pat.off + at.off};
    if (op.kind == CS_OPND_ADDR)
        return !op.pat.stride && !at.stride;
    if (d && d->kind == CS_STMT_ASSIGN && d->op == CS_OP_FIELD && !at.stride && !at.off) {
        at = d->load.pat;
        d = def_of(g, origin(g, d->uses[0]));
    }
    bool member = d && d->kind == CS_STMT_LOAD && d->load.base.kind == CS_OPND_ADDR && at.stride &&
                  !d->load.base.pat.stride && !d->load.pat.stride;
    if (member)
        *s = (struct symbol){d->load.base.id, d->load.base.pat.off + d->load.pat.off, at.off, at.stride, 0, 0, false};
    return member;
}

static bool same_symbol(const struct symbol *a, const struct symbol *b)
{
    return a->obj == b->obj && a->at == b->at && a->off == b->off && a->stride == b->stride;
}

/* Finds out whether all stores that name the variable store numbers. */
static void find_constant(const struct cs_graph *g, struct symbol *s)
{
    int n = 0;
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *st = &g->stmts[i];
        struct symbol to;
        if (st->kind != CS_STMT_STORE || !variable_at(g, st->store.base, st->store.pat, &to) || !same_symbol(&to, s))
            continue;
        s->constant = st->uses[0].kind == CS_OPND_CONST;
        if (!s->constant)
            return;
        int64_t x = st->uses[0].pat.off;
        s->least = n && s->least < x ? s->least : x;
        s->most = n && s->most > x ? s->most : x;
        n++;
    }
}

static struct range symbol_range(struct cs_index_ranges *r, struct symbol s)
{
    int i = 0;
    while (i < r->nsymbols && !same_symbol(&r->symbols[i], &s))
        i++;
    if (i == SYMBOLS)
        return (struct range){lost(), lost()};
    if (i == r->nsymbols) {
        find_constant(r->g, &s);
        r->symbols[r->nsymbols++] = s;
    }
    if (r->symbols[i].constant)
        return (struct range){number(r->symbols[i].least), number(r->symbols[i].most)};
    struct sum is = number(0);
    add_term(&is, i, 1);
    return (struct range){is, is};
}

/* The variable that is read by the pointer; where that is a parameter, what all calls pass. */
static struct range variable(struct place p, struct cs_operand pointer, struct cs_pattern at, int depth)
{
    const struct cs_graph *g = p.r->g;
    struct symbol s;
    struct cs_operand op = origin(g, pointer);
    if (variable_at(g, op, at, &s))
        return symbol_range(p.r, s);
    const struct cs_func *f = &g->funcs[p.func];
    int k = 0;
    while (k < f->nparams && (op.kind != CS_OPND_VALUE || f->params[k] != op.id))
        k++;
    const struct cs_intlist *calls = &p.r->callers[p.func];
    struct range is = {lost(), lost()}, none = is;
    for (int i = 0; k < f->nparams && depth > 0 && i < (p.call < 0 ? calls->n : 1); i++) {
        const struct cs_stmt *c = &g->stmts[p.call < 0 ? calls->a[i] : p.call];
        if (k >= c->nuses || !step(p.r))
            return none;
        struct range one = variable((struct place){p.r, c->func, -1}, c->uses[k], at, depth - 1);
        if (one.lo.lost || one.hi.lost || (i > 0 && !(same_sum(is.lo, one.lo) && same_sum(is.hi, one.hi))))
            return none;
        is = one;
    }
    return is;
}

/* ---- ranges ---- */

static struct range range_of(struct place p, struct cs_operand op, int depth);

static bool is_op(const struct cs_stmt *s, enum cs_op op)
{
    return s && s->kind == CS_STMT_ASSIGN && s->op == op && s->nuses == 2;
}

/* The use of a loop's variable that is its start, if the other one is itself and 1 more; -1. */
static int start_of(const struct cs_graph *g, const struct cs_stmt *phi)
{
    for (int i = 0; i < 2 && phi->nuses == 2; i++) {
        const struct cs_stmt *next = def_of(g, origin(g, phi->uses[i]));
        if (!is_op(next, CS_OP_ADD) || next->uses[1].kind != CS_OPND_CONST || next->uses[1].pat.off != 1)
            continue;
        struct cs_operand from = origin(g, next->uses[0]);
        if (from.kind == CS_OPND_VALUE && from.id == phi->def)
            return 1 - i;
    }
    return -1;
}

/* The variable of a loop that is left at its head. */
static struct range loop_range(struct place p, const struct cs_stmt *phi, int depth)
{
    const struct cs_graph *g = p.r->g;
    int start = start_of(g, phi), b = cs_block_branch(g, phi->func, phi->block);
    const struct cs_stmt *c = b < 0 ? NULL : &g->stmts[b];
    if (start < 0 || !c || c->kind != CS_STMT_COND || c->nuses != 2)
        return (struct range){lost(), lost()};
    bool first = c->uses[0].kind == CS_OPND_VALUE && c->uses[0].id == phi->def;
    if (!first && (c->uses[1].kind != CS_OPND_VALUE || c->uses[1].id != phi->def))
        return (struct range){lost(), lost()};
    bool less = first ? c->op == CS_OP_LT || c->op == CS_OP_GE : c->op == CS_OP_GT || c->op == CS_OP_LE;
    bool plain = first ? c->op == CS_OP_LE || c->op == CS_OP_GT : c->op == CS_OP_LT || c->op == CS_OP_GE;
    bool equal = c->op == CS_OP_EQ || c->op == CS_OP_NE;
    struct sum limit = range_of(p, c->uses[first], depth - 1).hi;
    if (!less && !plain && !equal)
        limit = lost();
    return (struct range){range_of(p, phi->uses[start], depth - 1).lo, plus(limit, number(less || equal), -1)};
}

/* Where ways meet that each bring a number: from the least to the most of those that the call can take. */
static struct range numbers_range(struct place p, const struct cs_stmt *phi, int depth)
{
    struct range is = {lost(), lost()};
    for (int i = 0, n = 0; i < phi->nuses; i++) {
        if (p.call >= 0 && !cs_constant_call_takes(&p.r->constants, p.call, phi->phi_preds[i], phi->block))
            continue;
        struct range one = range_of(p, phi->uses[i], depth - 1);
        if (one.lo.lost || one.hi.lost || one.lo.n || one.hi.n)
            return (struct range){lost(), lost()};
        is.lo = n && is.lo.number < one.lo.number ? is.lo : one.lo;
        is.hi = n && is.hi.number > one.hi.number ? is.hi : one.hi;
        n++;
    }
    return is;
}

static struct range range_of(struct place p, struct cs_operand op, int depth)
{
    op = origin(p.r->g, op);
    const struct cs_stmt *d = def_of(p.r->g, op);
    struct sum is = op.kind == CS_OPND_CONST ? number(op.pat.off) : lost();
    if (!step(p.r))
        return (struct range){lost(), lost()};
    if (d && depth > 0 && d->kind == CS_STMT_PHI)
        return start_of(p.r->g, d) >= 0 ? loop_range(p, d, depth) : numbers_range(p, d, depth);
    if (depth > 0 && (is_op(d, CS_OP_ADD) || is_op(d, CS_OP_SUB)))
        return plus_range(range_of(p, d->uses[0], depth - 1), range_of(p, d->uses[1], depth - 1),
                          d->op == CS_OP_ADD ? 1 : -1);
    if (d && depth > 0 && d->kind == CS_STMT_LOAD && d->load.size > 0)
        return variable(p, d->load.base, d->load.pat, CALLS);
    return (struct range){is, is};
}

/* ---- indices ---- */

/* Does a loop's variable come into the value? It may, where that takes too many steps. */
static bool varies(struct cs_index_ranges *r, struct cs_operand op, int depth)
{
    const struct cs_stmt *d = def_of(r->g, op);
    if (!d || depth == 0 || (d->kind != CS_STMT_ASSIGN && d->kind != CS_STMT_PHI))
        return false;
    if (!step(r) || (d->kind == CS_STMT_PHI && start_of(r->g, d) >= 0))
        return true;
    for (int i = 0; i < d->nuses; i++)
        if (varies(r, d->uses[i], depth - 1))
            return true;
    return false;
}

/* An index that is taken apart: so many products, which go into the sum so many times each, and what is not multiplied.
 */
struct parts {
    struct range rest;
    int n;
    struct product {
        struct cs_operand of[2];
        int64_t times;
    } products[TERMS];
};

/* A negative number is a MIX of one. False: it is too many products. */
static bool take_apart(struct place p, struct cs_operand op, int64_t times, struct parts *x, int depth)
{
    const struct cs_stmt *d = step(p.r) ? def_of(p.r->g, op) : NULL;
    bool one = d && depth > 0 && d->kind == CS_STMT_ASSIGN && d->nuses == 1;
    if (one && (d->op == CS_OP_COPY || d->op == CS_OP_MIX))
        return take_apart(p, d->uses[0], d->op == CS_OP_COPY ? times : -times, x, depth - 1);
    if (depth > 0 && (is_op(d, CS_OP_ADD) || is_op(d, CS_OP_SUB)))
        return take_apart(p, d->uses[0], times, x, depth - 1) &&
               take_apart(p, d->uses[1], d->op == CS_OP_ADD ? times : -times, x, depth - 1);
    if (!is_op(d, CS_OP_MUL)) {
        x->rest = plus_range(x->rest, range_of(p, op, DEPTH), times);
        return true;
    }
    if (x->n < TERMS)
        x->products[x->n++] = (struct product){{d->uses[0], d->uses[1]}, times};
    return x->n < TERMS;
}

static bool same_origin(const struct cs_graph *g, struct cs_operand a, struct cs_operand b)
{
    return cs_opnd_same(origin(g, a), origin(g, b));
}

/* The two dimensions, of which the outer one is what is multiplied with the stride, a loop's variable among it. */
static struct index put_together(struct place p, const struct parts *x)
{
    const struct cs_graph *g = p.r->g;
    struct index none = {0}, is = {x->n ? 2 : 1, {x->rest, {number(0), number(0)}}};
    struct cs_operand stride = cs_opnd_none();
    for (int i = 0; i < x->n; i++) {
        bool first = varies(p.r, x->products[i].of[0], DEPTH), second = varies(p.r, x->products[i].of[1], DEPTH);
        if (first && second)
            return none;
        if (first || second)
            stride = x->products[i].of[first];
    }
    for (int i = 0; i < x->n; i++) {
        const struct product *m = &x->products[i];
        int by = same_origin(g, m->of[0], stride) ? 0 : 1;
        if (!same_origin(g, m->of[by], stride))
            return none;
        is.dims[1] = plus_range(is.dims[1], range_of(p, m->of[1 - by], DEPTH), m->times);
    }
    return is;
}

/* The index of a reference: of an element of Fortran's, or what a pointer is moved by in C. */
static struct index index_at(struct place p, const struct cs_stmt *s, const struct cs_ref *ref, int nvalues)
{
    const struct cs_graph *g = p.r->g;
    struct parts x = {.rest = {number(0), number(0)}};
    struct index none = {0};
    struct cs_operand at = cs_opnd_none();
    const struct cs_stmt *d = def_of(g, origin(g, ref->base));
    bool element = ref->pat.stride == ref->size;
    if (element && s->nuses + s->nidx == nvalues + 1)
        at = s->nidx ? cs_opnd_value(s->idx[0]) : s->uses[nvalues];
    else if (s->nuses + s->nidx == nvalues && is_op(d, CS_OP_PTRADD) && !ref->pat.stride && !ref->pat.off)
        at = d->uses[1];
    const struct cs_stmt *bytes = def_of(g, origin(g, at));
    if (is_op(bytes, CS_OP_MUL) && bytes->uses[1].kind == CS_OPND_CONST && bytes->uses[1].pat.off == ref->size)
        at = bytes->uses[0];
    if (at.kind != CS_OPND_VALUE || !varies(p.r, at, DEPTH) || !take_apart(p, at, 1, &x, DEPTH))
        return none;
    return put_together(p, &x);
}

/* The statement of found[i], for this call, is looked for. */
struct found_query {
    const struct cs_index_ranges *r;
    int stmt;
};

static bool same_found(const void *what, int i, int call)
{
    const struct found_query *q = what;
    return q->r->found[i].stmt == q->stmt && q->r->found[i].call == call;
}

static struct index index_of(struct cs_index_ranges *r, int stmt, int call)
{
    const struct cs_stmt *s = &r->g->stmts[stmt];
    struct found_query q = {r, stmt};
    uint32_t h = cs_hash(cs_hash(0, stmt), call);
    int known = cs_pairset_find(&r->known, h, same_found, &q);
    if (known >= 0)
        return r->found[known].index;
    struct place p = {r, s->func, call};
    r->left = STEPS;
    struct index x = s->kind == CS_STMT_STORE ? index_at(p, s, &s->store, 1) : index_at(p, s, &s->load, 0);
    CS_GROW(r->found, r->nfound, r->afound);
    cs_pairset_add(&r->known, h, r->nfound, call);
    r->found[r->nfound++] = (struct found){stmt, call, x};
    return x;
}

bool cs_index_ranges_meet(struct cs_index_ranges *r, int store, int store_call, int load, int load_call)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[load];
    if (w->kind != CS_STMT_STORE || s->kind != CS_STMT_LOAD || w->store.size != s->load.size || w->store.size <= 0)
        return true;
    struct index a = index_of(r, store, store_call);
    struct index b = a.n ? index_of(r, load, load_call) : a;
    for (int i = 0; a.n && a.n == b.n && i < a.n; i++)
        if (is_more(&a.dims[i].lo, &b.dims[i].hi) || is_more(&b.dims[i].lo, &a.dims[i].hi))
            return false;
    return true;
}

struct cs_index_ranges *cs_index_ranges_start(const struct cs_graph *g, const struct cs_need_flow *flow,
                                              const struct cs_intlist *callers)
{
    struct cs_index_ranges *r = cs_calloc(1, sizeof *r);
    r->g = g;
    r->callers = callers;
    cs_constant_calls_start(&r->constants, g, flow);
    return r;
}

void cs_index_ranges_free(struct cs_index_ranges *r)
{
    cs_pairset_free(&r->known);
    cs_constant_calls_free(&r->constants);
    free(r->found);
    free(r);
}
