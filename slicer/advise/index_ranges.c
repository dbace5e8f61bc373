/* SPDX-License-Identifier: GPL-3.0-or-later
 * Indices as sums of variables and numbers, between the bounds of the loops that count them; index_ranges.h.
 * A variable is told by where it is (pointer_paths.h). An index of two dimensions is j - j0 + (k - k0) * stride: what
 * is multiplied is the outer one; one of more has a stride for each of them, by which these are told. Variables that
 * are added are taken not to be negative: they are sizes, and where parts begin. */
#include "slicer/advise/index_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/advise/constant_calls.h"

/* Limits. */
enum {
    TERMS = 4,  /* variables in a sum */
    DIMS = 5,   /* of an array */
    DEPTH = 16, /* statements that are followed */
    SYMBOLS = 2000,
    STEPS = 2000 /* for one index, in all: values, and calls of functions */
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
/* A variable, or (value >= 0) a value of which nothing else is known. If `constant`: only numbers are written there,
 * from `least` to `most`; store: the only statement that stores there, -1. */
struct symbol {
    struct cs_path path;
    int value;
    int64_t least, most;
    bool constant, asked, known;
    int store;
    struct range stored; /* what is stored there, if `known`; asked: that is being found */
};
/* A statement that stores, and where. */
struct store {
    int stmt;
    struct cs_path to;
};
/* dims[0]: the inner dimension, then the outer ones, of n; strides[]: by what these are told, if that is known of them.
 * n = 0: nothing is known. */
struct index {
    int n;
    bool by_strides;
    struct range dims[DIMS];
    struct sum strides[DIMS];
};
/* What was found for statements, by statement and call. */
struct cs_index_ranges {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    struct cs_constant_calls constants;
    int left; /* of STEPS */
    struct cs_pointer_paths *paths;
    struct symbol symbols[SYMBOLS];
    int nsymbols;
    struct cs_pairset likes; /* loads, each with other rows and columns */
    bool stores_known;
    int nstores, astores;
    struct store *stores;
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

/* Is a more than b? */
static bool is_more(const struct sum *a, const struct sum *b)
{
    struct sum by = plus(*a, *b, -1);
    bool more = !by.lost && by.number > 0;
    for (int i = 0; i < by.n && more; i++)
        more = by.times[i] > 0;
    return more;
}

/* ---- variables ---- */

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

static bool same_symbol(const struct symbol *a, const struct symbol *b)
{
    return a->value == b->value && (a->value >= 0 || cs_same_path(&a->path, &b->path));
}

/* Notes where each statement stores, as far as that is known. */
static void find_stores(struct cs_index_ranges *r)
{
    const struct cs_graph *g = r->g;
    r->stores_known = true;
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        struct store st = {.stmt = i};
        if (s->kind != CS_STMT_STORE || !cs_pointer_path(r->paths, s->func, -1, s->store.base, s->store.pat, &st.to))
            continue;
        CS_GROW(r->stores, r->nstores, r->astores);
        r->stores[r->nstores++] = st;
    }
}

/* Finds out whether all stores that name the variable store numbers, or whether there is one alone. */
static void find_values(struct cs_index_ranges *r, struct symbol *s)
{
    int n = 0;
    bool numbers = true;
    if (!r->stores_known)
        find_stores(r);
    for (int i = 0; i < r->nstores; i++) {
        const struct cs_stmt *st = &r->g->stmts[r->stores[i].stmt];
        if (!cs_same_path(&r->stores[i].to, &s->path))
            continue;
        int64_t x = st->uses[0].pat.off;
        numbers &= st->uses[0].kind == CS_OPND_CONST;
        s->least = n && s->least < x ? s->least : x;
        s->most = n && s->most > x ? s->most : x;
        s->store = n++ ? -1 : r->stores[i].stmt;
    }
    s->constant = n && numbers;
}

/* The number of the symbol, a new one if it is not known; -1: there are too many. */
static int number_symbol(struct cs_index_ranges *r, struct symbol s)
{
    int i = 0;
    while (i < r->nsymbols && !same_symbol(&r->symbols[i], &s))
        i++;
    if (i == SYMBOLS)
        return -1;
    if (i < r->nsymbols)
        return i;
    s.store = -1;
    if (s.value < 0)
        find_values(r, &s);
    r->symbols[r->nsymbols] = s;
    return r->nsymbols++;
}

static struct range range_of(struct place p, struct cs_operand op, int depth);

static struct range lost_range(void)
{
    return (struct range){lost(), lost()};
}

/* From the least to the most of both, if they are so far from each other in numbers; lost if not. */
static struct range both(struct range a, struct range b)
{
    struct sum lo = plus(a.lo, b.lo, -1), hi = plus(a.hi, b.hi, -1);
    if (lo.lost || hi.lost || lo.n || hi.n)
        return lost_range();
    return (struct range){lo.number < 0 ? a.lo : b.lo, hi.number > 0 ? a.hi : b.hi};
}

static bool has_symbol(const struct sum *s, int sym)
{
    bool has = false;
    for (int i = 0; i < s->n; i++)
        has |= s->sym[i] == sym;
    return has;
}

/* What is stored to the variable, wherever that is; lost: something that is not known, or counted. */
static struct range stored_range(struct cs_index_ranges *r, int sym)
{
    enum { MOST = 4 }; /* stores */
    struct range is = lost_range();
    int n = 0;
    for (int i = 0; i < r->nstores && n <= MOST; i++) {
        const struct cs_stmt *st = &r->g->stmts[r->stores[i].stmt];
        if (!cs_same_path(&r->stores[i].to, &r->symbols[sym].path))
            continue;
        struct range one = range_of((struct place){r, st->func, -1}, st->uses[0], DEPTH / 2);
        is = n++ ? both(is, one) : one;
        if (is.lo.lost || is.hi.lost || has_symbol(&is.lo, sym) || has_symbol(&is.hi, sym))
            return lost_range();
    }
    return n <= MOST ? is : lost_range();
}

static struct range symbol_range(struct cs_index_ranges *r, struct symbol s)
{
    int i = number_symbol(r, s);
    if (i < 0)
        return lost_range();
    const struct symbol *is = &r->symbols[i];
    if (is->constant)
        return (struct range){number(is->least), number(is->most)};
    if (is->value < 0 && !is->asked) {
        r->symbols[i].asked = true;
        struct range of = is->known ? is->stored : stored_range(r, i);
        r->symbols[i].asked = false;
        r->symbols[i].known = true;
        r->symbols[i].stored = of;
        bool one = is->store >= 0,
             in_array = is->path.stride[is->path.n - 1] || r->g->objs[is->path.obj].kind == CS_OBJ_LOCAL;
        if (!of.lo.lost && (one ? in_array && same_sum(of.lo, of.hi) : !is->path.stride[is->path.n - 1]))
            return of;
    }
    struct sum sum = number(0);
    add_term(&sum, i, 1);
    return (struct range){sum, sum};
}

/* The variable that is read by the pointer. */
static struct range variable(struct place p, struct cs_operand pointer, struct cs_pattern at)
{
    struct symbol s = {.value = -1};
    if (!cs_pointer_path(p.r->paths, p.func, p.call, pointer, at, &s.path))
        return lost_range();
    return symbol_range(p.r, s);
}

/* A number of which nothing is known but that it is one. */
static struct range unknown(struct place p, struct cs_operand op)
{
    if (op.kind != CS_OPND_VALUE)
        return lost_range();
    return symbol_range(p.r, (struct symbol){.value = op.id});
}

static bool same_range(struct range a, struct range b)
{
    return same_sum(a.lo, b.lo) && same_sum(a.hi, b.hi);
}

/* What all calls pass as the parameter, or the one. */
static struct range argument(struct place p, int k, int depth)
{
    const struct cs_intlist *calls = &p.r->callers[p.func];
    int n = p.call < 0 ? calls->n : 1;
    struct range is = lost_range();
    for (int i = 0; i < n && depth > 0; i++) {
        const struct cs_stmt *c = &p.r->g->stmts[p.call < 0 ? calls->a[i] : p.call];
        if (k >= c->nuses || !step(p.r))
            return lost_range();
        struct range one = range_of((struct place){p.r, c->func, -1}, c->uses[k], depth - 1);
        if (i > 0 && !same_range(is, one))
            return lost_range();
        is = one;
    }
    return is;
}

/* ---- ranges ---- */

static bool is_op(const struct cs_stmt *s, enum cs_op op)
{
    return s && s->kind == CS_STMT_ASSIGN && s->op == op && s->nuses == 2;
}

/* The use of a loop's variable that is its start, if the other one is itself and 1 more; -1. */
static int start_of(const struct cs_graph *g, const struct cs_stmt *phi)
{
    for (int i = 0; i < 2 && phi->nuses == 2; i++) {
        const struct cs_stmt *next = def_of(g, cs_moved_from(g, phi->uses[i]));
        if (!is_op(next, CS_OP_ADD) || next->uses[1].kind != CS_OPND_CONST || next->uses[1].pat.off != 1)
            continue;
        struct cs_operand from = cs_moved_from(g, next->uses[0]);
        if (from.kind == CS_OPND_VALUE && from.id == phi->def)
            return 1 - i;
    }
    return -1;
}

/* The variable of a loop that is left at its head; of others, only where it starts is known. */
static struct range loop_range(struct place p, const struct cs_stmt *phi, int depth)
{
    const struct cs_graph *g = p.r->g;
    int start = start_of(g, phi), b = cs_block_branch(g, phi->func, phi->block);
    const struct cs_stmt *c = b < 0 ? NULL : &g->stmts[b];
    struct range from = {range_of(p, phi->uses[start], depth - 1).lo, lost()};
    if (!c || c->kind != CS_STMT_COND || c->nuses != 2)
        return from;
    bool first = c->uses[0].kind == CS_OPND_VALUE && c->uses[0].id == phi->def;
    if (!first && (c->uses[1].kind != CS_OPND_VALUE || c->uses[1].id != phi->def))
        return from;
    bool less = first ? c->op == CS_OP_LT || c->op == CS_OP_GE : c->op == CS_OP_GT || c->op == CS_OP_LE;
    bool plain = first ? c->op == CS_OP_LE || c->op == CS_OP_GT : c->op == CS_OP_LT || c->op == CS_OP_GE;
    bool equal = c->op == CS_OP_EQ || c->op == CS_OP_NE;
    struct sum limit = range_of(p, c->uses[first], depth - 1).hi;
    if (!less && !plain && !equal)
        limit = lost();
    return (struct range){from.lo, plus(limit, number(less || equal), -1)};
}

/* Where ways meet: from the least to the most that those bring that the call can take. */
static struct range merged_range(struct place p, const struct cs_stmt *phi, int depth)
{
    struct range is = {lost(), lost()};
    for (int i = 0, n = 0; i < phi->nuses; i++) {
        if (p.call >= 0 && !cs_constant_call_takes(&p.r->constants, p.call, phi->phi_preds[i], phi->block))
            continue;
        struct range one = range_of(p, phi->uses[i], depth - 1);
        is = n++ ? both(is, one) : one;
        if (is.lo.lost || is.hi.lost)
            return unknown(p, cs_opnd_value(phi->def));
    }
    return is;
}

static struct range range_of(struct place p, struct cs_operand op, int depth)
{
    op = cs_moved_from(p.r->g, op);
    const struct cs_stmt *d = def_of(p.r->g, op);
    int k = d ? -1 : cs_param_number(p.r->g, p.func, op);
    struct range is = lost_range();
    if (!step(p.r))
        return is;
    if (op.kind == CS_OPND_CONST)
        return (struct range){number(op.pat.off), number(op.pat.off)};
    if (d && depth > 0 && d->kind == CS_STMT_PHI)
        is = start_of(p.r->g, d) >= 0 ? loop_range(p, d, depth) : merged_range(p, d, depth);
    else if (depth > 0 && (is_op(d, CS_OP_ADD) || is_op(d, CS_OP_SUB)))
        is = plus_range(range_of(p, d->uses[0], depth - 1), range_of(p, d->uses[1], depth - 1),
                        d->op == CS_OP_ADD ? 1 : -1);
    else if (d && depth > 0 && d->kind == CS_STMT_LOAD && d->load.size > 0)
        is = variable(p, d->load.base, d->load.pat);
    else if (k >= 0)
        is = argument(p, k, depth);
    return is.lo.lost && is.hi.lost ? unknown(p, op) : is;
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

/* An index that is taken apart: so many products, which go into the sum so many times each, and what is not multiplied,
 * with 1 as the other factor. */
struct parts {
    int n, nrest;
    struct product {
        struct cs_operand of[2];
        int64_t times;
    } products[TERMS], rest[2 * TERMS];
};

/* Is it the stride of the inner dimension, as a descriptor of Fortran has it: 1 if nothing is said there? */
static bool is_unit(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *d = def_of(g, cs_moved_from(g, op));
    if (!d || d->kind != CS_STMT_PHI || d->nuses != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct cs_stmt *load = def_of(g, cs_moved_from(g, d->uses[i]));
        if (load && load->kind == CS_STMT_LOAD && d->uses[1 - i].kind == CS_OPND_CONST && d->uses[1 - i].pat.off == 1)
            return true;
    }
    return false;
}

/* A negative number is a MIX of one. False: it is too many products. */
static bool take_apart(struct place p, struct cs_operand op, int64_t times, struct parts *x, int depth)
{
    const struct cs_graph *g = p.r->g;
    const struct cs_stmt *d = step(p.r) ? def_of(g, op) : NULL;
    bool one = d && depth > 0 && d->kind == CS_STMT_ASSIGN && d->nuses == 1;
    if (one && (d->op == CS_OP_COPY || d->op == CS_OP_MIX))
        return take_apart(p, d->uses[0], d->op == CS_OP_COPY ? times : -times, x, depth - 1);
    if (depth > 0 && (is_op(d, CS_OP_ADD) || is_op(d, CS_OP_SUB)))
        return take_apart(p, d->uses[0], times, x, depth - 1) &&
               take_apart(p, d->uses[1], d->op == CS_OP_ADD ? times : -times, x, depth - 1);
    if (is_op(d, CS_OP_MUL) && (is_unit(g, d->uses[0]) || is_unit(g, d->uses[1])))
        return take_apart(p, d->uses[is_unit(g, d->uses[0])], times, x, depth - 1);
    struct product m = {{is_unit(g, op) ? cs_opnd_const(1) : op, cs_opnd_const(1)}, times};
    if (!is_op(d, CS_OP_MUL)) {
        enum { MOST = sizeof x->rest / sizeof *x->rest };
        if (x->nrest < MOST)
            x->rest[x->nrest++] = m;
        return x->nrest < MOST;
    }
    m.of[0] = d->uses[0];
    m.of[1] = d->uses[1];
    if (x->n < TERMS)
        x->products[x->n++] = m;
    return x->n < TERMS;
}

static bool same_origin(const struct cs_graph *g, struct cs_operand a, struct cs_operand b)
{
    return cs_opnd_same(cs_moved_from(g, a), cs_moved_from(g, b));
}

/* What loops' variables are multiplied with; else a number that something is; NONE: there is neither, or too much. */
static struct cs_operand stride_of(struct place p, const struct parts *x)
{
    struct cs_operand stride = cs_opnd_none();
    for (int i = 0; i < x->n; i++) {
        const struct cs_operand *of = x->products[i].of;
        bool first = varies(p.r, of[0], DEPTH), second = varies(p.r, of[1], DEPTH);
        if (first && second)
            return cs_opnd_none();
        if (first || second)
            stride = of[first];
        else if (stride.kind == CS_OPND_NONE && of[1].kind == CS_OPND_CONST)
            stride = of[1];
    }
    return stride;
}

/* Is the value read as it is, as the strides in a descriptor are? */
static bool is_read(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *d = def_of(g, op);
    return d && d->kind == CS_STMT_LOAD && d->load.size == (int64_t)sizeof(int64_t);
}

/* Which factor of the product is a stride: the other one varies, or it alone is read from a descriptor, or it is a
 * number; -1. */
static int stride_factor(struct place p, const struct product *m)
{
    bool is[2];
    for (int i = 0; i < 2; i++)
        is[i] = varies(p.r, m->of[1 - i], DEPTH);
    for (int i = 0; i < 2 && is[0] == is[1]; i++)
        is[i] = is_read(p.r->g, m->of[i]) && !is_read(p.r->g, m->of[1 - i]);
    for (int i = 0; i < 2 && is[0] == is[1]; i++)
        is[i] = m->of[i].kind == CS_OPND_CONST;
    return is[0] == is[1] ? -1 : is[1];
}

/* The dimension with this stride, a new one if there is none; -1: there are too many. */
static int dim_of(struct index *is, const struct sum *stride, bool add)
{
    int i = 1;
    while (i < is->n && !same_sum(is->strides[i], *stride))
        i++;
    if (i < is->n)
        return i;
    if (!add || is->n == DIMS)
        return -1;
    is->strides[is->n] = *stride;
    is->dims[is->n] = (struct range){number(0), number(0)};
    return is->n++;
}

/* All dimensions, where each has a stride that is a number or a variable. */
static struct index by_strides(struct place p, const struct parts *x)
{
    struct range zero = {number(0), number(0)};
    struct index none = {0}, is = {.n = 1, .by_strides = true, .dims = {zero}};
    for (int i = 0; i < x->n; i++) {
        const struct product *m = &x->products[i];
        int by = stride_factor(p, m);
        struct range stride = by < 0 ? lost_range() : range_of(p, m->of[by], DEPTH);
        int dim = same_sum(stride.lo, stride.hi) ? dim_of(&is, &stride.lo, true) : -1;
        if (dim < 0)
            return none;
        is.dims[dim] = plus_range(is.dims[dim], range_of(p, m->of[1 - by], DEPTH), m->times);
    }
    for (int i = 0; i < x->nrest; i++) {
        struct range rest = range_of(p, x->rest[i].of[0], DEPTH);
        int dim = same_sum(rest.lo, rest.hi) && rest.lo.n ? dim_of(&is, &rest.lo, false) : -1;
        is.dims[dim < 0 ? 0 : dim] = plus_range(
            is.dims[dim < 0 ? 0 : dim], dim < 0 ? rest : (struct range){number(1), number(1)}, x->rest[i].times);
    }
    return is;
}

/* The two dimensions, of which the outer one is what is multiplied with the stride, a loop's variable among it. */
static struct index put_together(struct place p, const struct parts *x)
{
    const struct cs_graph *g = p.r->g;
    struct range zero = {number(0), number(0)};
    struct index is = {.n = x->n ? 2 : 1, .dims = {zero, zero}};
    struct cs_operand stride = stride_of(p, x);
    for (int i = 0; i < x->n + x->nrest; i++) {
        const struct product *m = i < x->n ? &x->products[i] : &x->rest[i - x->n];
        int by = same_origin(g, m->of[0], stride) ? 0 : 1;
        bool outer = x->n && same_origin(g, m->of[by], stride);
        if (!outer && i < x->n)
            return by_strides(p, x);
        int dim = outer && (i < x->n || stride.kind == CS_OPND_VALUE);
        is.dims[dim] = plus_range(is.dims[dim], range_of(p, m->of[dim ? 1 - by : 0], DEPTH), m->times);
    }
    return is;
}

/* The number of elements, `size` bytes each, in so many bytes. */
static struct range elements_in(struct place p, struct cs_operand bytes, int64_t size, int depth)
{
    const struct cs_stmt *d = def_of(p.r->g, bytes = cs_moved_from(p.r->g, bytes));
    if (bytes.kind == CS_OPND_CONST && bytes.pat.off % size == 0)
        return (struct range){number(bytes.pat.off / size), number(bytes.pat.off / size)};
    if (is_op(d, CS_OP_MUL) && d->uses[1].kind == CS_OPND_CONST && d->uses[1].pat.off == size)
        return range_of(p, d->uses[0], depth);
    return lost_range();
}

static struct range start_at(struct place p, struct cs_operand pointer, int64_t size, int depth);

/* What all calls pass, or the one, points to. */
static struct range start_of_argument(struct place p, int k, int64_t size, int depth)
{
    const struct cs_intlist *calls = &p.r->callers[p.func];
    int n = p.call < 0 ? calls->n : 1;
    struct range is = {number(0), number(0)};
    for (int i = 0; i < n; i++) {
        const struct cs_stmt *c = &p.r->g->stmts[p.call < 0 ? calls->a[i] : p.call];
        if (k >= c->nuses || depth <= 0 || !step(p.r))
            return lost_range();
        struct range one = start_at((struct place){p.r, c->func, -1}, c->uses[k], size, depth - 1);
        if (i > 0 && !same_range(is, one))
            return lost_range();
        is = one;
    }
    return is;
}

/* The element of its array to which a pointer points. One that goes on in a loop is only known not to go back. */
static struct range start_at(struct place p, struct cs_operand pointer, int64_t size, int depth)
{
    const struct cs_graph *g = p.r->g;
    struct range begin = {number(0), number(0)};
    const struct cs_stmt *d = def_of(g, pointer = cs_moved_from(g, pointer));
    int k = d ? -1 : cs_param_number(g, p.func, pointer);
    if (k >= 0)
        return start_of_argument(p, k, size, depth);
    if (!d || d->kind == CS_STMT_LOAD || d->kind == CS_STMT_CALL)
        return begin;
    if (depth <= 0 || !step(p.r))
        return lost_range();
    if (is_op(d, CS_OP_PTRADD))
        return plus_range(start_at(p, d->uses[0], size, depth - 1), elements_in(p, d->uses[1], size, depth - 1), 1);
    for (int i = 0; d->kind == CS_STMT_PHI && d->nuses == 2 && i < 2; i++) {
        const struct cs_stmt *next = def_of(g, cs_moved_from(g, d->uses[i]));
        if (is_op(next, CS_OP_PTRADD) && cs_moved_from(g, next->uses[0]).id == d->def)
            return (struct range){start_at(p, d->uses[1 - i], size, depth - 1).lo, lost()};
    }
    return d->kind == CS_STMT_PHI ? lost_range() : begin;
}

/* The index from where the array begins, of one that counts from an element of it. */
static struct index from_begin(struct index is, struct range start)
{
    bool moved = !same_range(start, (struct range){number(0), number(0)});
    if (moved && is.n > 1)
        return (struct index){0};
    is.dims[0] = plus_range(is.dims[0], start, 1);
    return is;
}

/* The index of a reference: of an element of Fortran's, or what a pointer is moved by in C. */
static struct index index_at(struct place p, const struct cs_stmt *s, const struct cs_ref *ref, int nvalues)
{
    const struct cs_graph *g = p.r->g;
    struct parts x = {0};
    struct index none = {0};
    struct cs_operand at = cs_opnd_none();
    const struct cs_stmt *d = def_of(g, cs_moved_from(g, ref->base));
    struct cs_operand base = ref->base;
    bool element = ref->pat.stride == ref->size;
    if (element && s->nuses + s->nidx == nvalues + 1)
        at = s->nidx ? cs_opnd_value(s->idx[0]) : s->uses[nvalues];
    else if (s->nuses + s->nidx == nvalues && is_op(d, CS_OP_PTRADD) && !ref->pat.stride && !ref->pat.off) {
        at = d->uses[1];
        base = d->uses[0];
    }
    const struct cs_stmt *bytes = def_of(g, cs_moved_from(g, at));
    if (is_op(bytes, CS_OP_MUL) && bytes->uses[1].kind == CS_OPND_CONST && bytes->uses[1].pat.off == ref->size)
        at = bytes->uses[0];
    if (at.kind != CS_OPND_VALUE || !take_apart(p, at, 1, &x, DEPTH))
        return none;
    return from_begin(put_together(p, &x), start_at(p, base, ref->size, DEPTH));
}

/* From where on a call receives a message into an array. */
static struct index received(struct place p, const struct cs_stmt *call, int64_t size)
{
    enum cs_binding b;
    bool named = call->callee.kind == CS_OPND_ADDR && p.r->g->objs[call->callee.id].kind == CS_OBJ_FUNC;
    const struct cs_mpi_call *c = named ? cs_mpi_by_symbol(cs_obj_name(p.r->g, call->callee.id), &b) : NULL;
    for (int i = 0; c && i < c->nargs && i < call->nuses; i++)
        if (c->args[i].role == CS_ROLE_RBUF)
            return (struct index){.n = 1, .dims = {{start_at(p, call->uses[i], size, DEPTH).lo, lost()}}};
    return (struct index){0};
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

/* May the statement store one more, or so, than what the variable was? */
static bool counts(const struct cs_index_ranges *r, const struct store *store)
{
    const struct cs_stmt *st = &r->g->stmts[store->stmt];
    const struct cs_stmt *d = def_of(r->g, cs_moved_from(r->g, st->uses[0]));
    bool is = d && d->kind == CS_STMT_PHI;
    for (int i = 0; (is_op(d, CS_OP_ADD) || is_op(d, CS_OP_SUB)) && i < 2; i++) {
        const struct cs_stmt *l = def_of(r->g, cs_moved_from(r->g, d->uses[i]));
        struct cs_path from;
        is |= l && l->kind == CS_STMT_PHI;
        is |= l && l->kind == CS_STMT_LOAD &&
              cs_pointer_path(r->paths, l->func, -1, l->load.base, l->load.pat, &from) &&
              cs_same_path(&from, &store->to);
    }
    return is;
}

/* Does the function, or one that calls it, count the variable? Then it has another value later, as where one element is
 * added. */
static bool is_counted(const struct cs_index_ranges *r, const struct symbol *s, int func)
{
    for (int i = 0; s->value < 0 && i < r->nstores; i++) {
        int in = r->g->stmts[r->stores[i].stmt].func;
        if (!cs_same_path(&r->stores[i].to, &s->path) || !counts(r, &r->stores[i]))
            continue;
        bool is = in == func;
        for (int k = 0; k < r->callers[func].n && !is; k++)
            is = r->g->stmts[r->callers[func].a[k]].func == in;
        if (is)
            return true;
    }
    return false;
}

/* Is the least that the function writes behind the last that is read, or what it writes before the first? */
static bool is_beyond(const struct cs_index_ranges *r, const struct sum *more, const struct sum *less, int func)
{
    bool is = is_more(more, less);
    for (int i = 0; i < less->n && is; i++)
        is = !is_counted(r, &r->symbols[less->sym[i]], func);
    return is;
}

/* The dimension of b that is the one of a; -1: that is not known. */
static int same_dim(const struct index *a, int dim, const struct index *b)
{
    if (!a->by_strides || dim == 0)
        return dim;
    for (int i = 1; i < b->n; i++)
        if (same_sum(a->strides[dim], b->strides[i]))
            return i;
    return -1;
}

/* Have both the same dimensions? */
static bool same_dims(const struct index *a, const struct index *b)
{
    bool same = a->n == b->n && a->by_strides == b->by_strides;
    for (int i = 0; i < a->n && same; i++)
        same = same_dim(a, i, b) >= 0;
    return same;
}

/* Where strides are numbers, GCC adds up numbers of all dimensions: may those in the inner one be of another one? */
static bool may_be_outer(const struct index *is, int64_t number)
{
    bool may = false;
    for (int i = 1; i < is->n && is->by_strides; i++)
        may |= !is->strides[i].n && llabs(number) >= llabs(is->strides[i].number);
    return may;
}

/* Is all of the one, in this dimension, before or behind the other one? */
static bool is_apart(const struct cs_index_ranges *r, const struct index *a, const struct index *b, int dim, int func)
{
    const struct range *x = &a->dims[dim], *y = &b->dims[same_dim(a, dim, b)];
    if (dim == 0 && (may_be_outer(a, x->lo.number - y->hi.number) || may_be_outer(a, y->lo.number - x->hi.number)))
        return false;
    return is_beyond(r, &x->lo, &y->hi, func) || is_beyond(r, &y->lo, &x->hi, func);
}

bool cs_index_ranges_meet(struct cs_index_ranges *r, int store, int store_call, int load, int load_call)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[load];
    bool stores = w->kind == CS_STMT_STORE && w->store.size == s->load.size;
    if (s->kind != CS_STMT_LOAD || s->load.size <= 0 || (!stores && w->kind != CS_STMT_CALL))
        return true;
    r->left = STEPS;
    struct index a =
        stores ? index_of(r, store, store_call) : received((struct place){r, w->func, store_call}, w, s->load.size);
    struct index b = a.n ? index_of(r, load, load_call) : a;
    for (int i = 0; a.n && same_dims(&a, &b) && i < a.n; i++)
        if (is_apart(r, &a, &b, i, w->func))
            return false;
    return true;
}

/* Is it a value of which it is known that it does not change in a loop of its function, or a variable? */
static bool stays(const struct cs_index_ranges *r, const struct symbol *s)
{
    int d = s->value < 0 ? -1 : r->g->values[s->value].def;
    return s->value < 0 || d < 0 || r->g->stmts[d].kind == CS_STMT_LOAD;
}

bool cs_index_ranges_is_slice(struct cs_index_ranges *r, int store)
{
    const struct cs_stmt *s = &r->g->stmts[store];
    if (s->kind != CS_STMT_STORE || s->store.size <= 0)
        return false;
    struct index x = index_of(r, store, -1);
    bool is = false;
    for (int i = 1; i < x.n && !is; i++) {
        is = same_sum(x.dims[i].lo, x.dims[i].hi);
        for (int k = 0; k < x.dims[i].lo.n && is; k++)
            is = stays(r, &r->symbols[x.dims[i].lo.sym[k]]);
    }
    return is;
}

bool cs_index_ranges_apart(struct cs_index_ranges *r, int store, int other)
{
    const struct cs_stmt *s = &r->g->stmts[store], *o = &r->g->stmts[other];
    if (s->kind != CS_STMT_STORE || o->kind != CS_STMT_STORE || s->store.size <= 0 || s->store.size != o->store.size)
        return false;
    struct index a = index_of(r, store, -1), b = a.n ? index_of(r, other, -1) : a;
    bool is = false;
    for (int i = 0; a.n && same_dims(&a, &b) && i < a.n && !is; i++) {
        const struct range *x = &a.dims[i], *y = &b.dims[same_dim(&a, i, &b)];
        bool part = i == 0 && (same_sum(x->lo, x->hi) || same_sum(y->lo, y->hi)); /* of each element */
        is = !part && is_apart(r, &a, &b, i, s->func);
    }
    return is;
}

/* ---- parts of buffers ---- */

/* An element of a function's own array, as told by a number, or behind a descriptor that it makes for a call? */
static bool is_element(const struct cs_index_ranges *r, const struct symbol *s)
{
    if (s->value >= 0 || r->g->objs[s->path.obj].kind != CS_OBJ_LOCAL)
        return false;
    return s->path.n == 1 ? !s->path.stride[0] && r->g->objs[s->path.obj].size > (int64_t)sizeof(int32_t)
                          : s->path.n == 2 && !s->path.off[0] && !s->path.off[1];
}

/* The same one, if it is reached in the same way: each call has its own descriptor. */
static bool same_element(const struct symbol *a, const struct symbol *b)
{
    int last = a->path.n - 1;
    return a->path.n == b->path.n && (last || a->path.obj == b->path.obj) && a->path.off[last] == b->path.off[last] &&
           a->path.stride[last] == b->path.stride[last];
}

int cs_index_ranges_part(struct cs_index_ranges *r, int stmt, int call)
{
    const struct cs_stmt *s = &r->g->stmts[stmt];
    int part = -1;
    if (s->kind != CS_STMT_STORE && s->kind != CS_STMT_LOAD)
        return -1;
    struct index x = index_of(r, stmt, call);
    for (int i = 0; i < x.n; i++)
        for (int k = 0; !x.dims[i].lo.lost && k < x.dims[i].lo.n; k++)
            if (x.dims[i].lo.times[k] == 1 && is_element(r, &r->symbols[x.dims[i].lo.sym[k]]))
                part = part < 0 ? x.dims[i].lo.sym[k] : part;
    for (int i = 0; i < part; i++)
        if (is_element(r, &r->symbols[i]) && same_element(&r->symbols[i], &r->symbols[part]))
            return i;
    return part;
}

bool cs_index_ranges_other_part(const struct cs_index_ranges *r, int part, int other)
{
    if (part < 0 || other < 0 || part == other)
        return false;
    const struct cs_path *a = &r->symbols[part].path, *b = &r->symbols[other].path;
    return a->n == b->n && (a->n > 1 || a->obj == b->obj);
}

/* ---- loads of the same rows and columns ---- */

/* Nothing is the same as what is lost. */
static bool is_known(const struct index *x)
{
    for (int i = 0; i < x->n; i++)
        if (x->dims[i].lo.lost || x->dims[i].hi.lost)
            return false;
    return x->n > 0;
}

static bool same_index(const struct index *a, const struct index *b)
{
    bool same = same_dims(a, b);
    for (int i = 0; i < a->n && same; i++)
        same = same_range(a->dims[i], b->dims[same_dim(a, i, b)]);
    return same;
}

/* In any order of its terms. */
static uint32_t hash_sum(uint32_t h, const struct sum *s)
{
    uint32_t terms = 0;
    for (int i = 0; i < s->n; i++)
        terms += cs_hash(cs_hash(0, s->sym[i]), s->times[i]);
    return cs_hash(cs_hash(h, s->number), terms);
}

static uint32_t hash_index(const struct index *x, int64_t size)
{
    uint32_t h = 0;
    for (int i = 0; i < x->n; i++)
        h += hash_sum(hash_sum(x->by_strides ? 0 : i, &x->dims[i].lo), &x->dims[i].hi);
    return cs_hash(cs_hash(0, size), h);
}

/* A load of so many bytes and this index is looked for. */
struct like_query {
    struct cs_index_ranges *r;
    const struct index *index;
    int64_t size;
};

static bool same_like(const void *what, int load, int ignored)
{
    const struct like_query *q = what;
    (void)ignored;
    if (q->r->g->stmts[load].load.size != q->size)
        return false;
    struct index of = index_of(q->r, load, -1);
    return same_index(&of, q->index);
}

int cs_index_ranges_like(struct cs_index_ranges *r, int load)
{
    const struct cs_stmt *s = &r->g->stmts[load];
    if (s->kind != CS_STMT_LOAD || s->load.size <= 0)
        return -1;
    struct index x = index_of(r, load, -1);
    if (!x.n)
        return -1;
    if (!is_known(&x))
        return load;
    struct like_query q = {r, &x, s->load.size};
    uint32_t h = hash_index(&x, s->load.size);
    int like = cs_pairset_find(&r->likes, h, same_like, &q);
    if (like >= 0)
        return like;
    cs_pairset_add(&r->likes, h, load, 0);
    return load;
}

struct cs_index_ranges *cs_index_ranges_start(const struct cs_graph *g, const struct cs_need_flow *flow,
                                              const struct cs_intlist *callers, struct cs_pointer_paths *paths)
{
    struct cs_index_ranges *r = cs_calloc(1, sizeof *r);
    r->g = g;
    r->callers = callers;
    r->paths = paths;
    cs_constant_calls_start(&r->constants, g, flow);
    return r;
}

void cs_index_ranges_free(struct cs_index_ranges *r)
{
    cs_pairset_free(&r->known);
    cs_constant_calls_free(&r->constants);
    free(r->found);
    free(r->stores);
    cs_pairset_free(&r->likes);
    free(r);
}
