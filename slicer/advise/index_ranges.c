/* SPDX-License-Identifier: GPL-3.0-or-later
 * Indices as sums of variables and numbers (index_values.c), which elements they are of, and which of these meet;
 * index_ranges.h. An index of two dimensions is j - j0 + (k - k0) * stride: what
 * is multiplied is the outer one; one of more has a stride for each of them, by which these are told. Variables that
 * are added are taken not to be negative: they are sizes, and where parts begin. */
#include "slicer/advise/index_internal.h"

#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"

/* ---- indices ---- */

/* Does a loop's variable come into the value? It may, where that takes too many steps. */
static bool varies(struct cs_index_ranges *r, struct cs_operand op, int depth)
{
    const struct cs_stmt *d = cs_index_def_of(r->g, op);
    if (!d || depth == 0 || (d->kind != CS_STMT_ASSIGN && d->kind != CS_STMT_PHI))
        return false;
    if (!cs_index_step(r) || (d->kind == CS_STMT_PHI && cs_index_start_of(r->g, d) >= 0))
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
    } products[2 * CS_SUM_TERMS + 1], rest[2 * CS_SUM_TERMS];
};

static bool same_origin(const struct cs_graph *g, struct cs_operand a, struct cs_operand b)
{
    return cs_opnd_same(cs_moved_from(g, a), cs_moved_from(g, b));
}

/* Is it the stride of the inner dimension, as a descriptor of Fortran has it: 1 if nothing is said there? */
static bool is_unit(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *d = cs_index_def_of(g, cs_moved_from(g, op));
    if (!d || d->kind != CS_STMT_PHI || d->nuses != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct cs_stmt *load = cs_index_def_of(g, cs_moved_from(g, d->uses[i]));
        if (load && load->kind == CS_STMT_LOAD && d->uses[1 - i].kind == CS_OPND_CONST && d->uses[1 - i].pat.off == 1)
            return true;
    }
    return false;
}

/* Is it the negative of its one operand, a MIX of one? One of other bits is a conversion. */
static bool is_negative(const struct cs_graph *g, const struct cs_stmt *d)
{
    const struct cs_stmt *of = cs_index_def_of(g, d->uses[0]);
    return d->op == CS_OP_MIX && of && of->bits && of->bits == d->bits;
}

/* Is it read from the array's descriptor, where that has the number of the element 0? Behind the pointer to the data.
 * What the program stores there, and nowhere else; none: that is not known. */
static struct cs_operand stored_offset(struct cs_index_place p, const struct cs_stmt *d)
{
    struct cs_path data, at;
    if (!d || d->kind != CS_STMT_LOAD || !p.data || d->load.size != (int64_t)sizeof(int64_t) ||
        !cs_pointer_path(p.r->paths, p.func, p.call, p.data->load.base, p.data->load.pat, &data) ||
        !cs_pointer_path(p.r->paths, p.func, p.call, d->load.base, d->load.pat, &at))
        return cs_opnd_none();
    data.off[data.n - 1] += (int64_t)sizeof(void *);
    int store = cs_same_path(&data, &at) ? cs_index_only_store(p.r, &at) : -1;
    return store < 0 ? cs_opnd_none() : p.r->g->stmts[store].uses[0];
}

/* Adds what is not multiplied; false: that is too much. */
static bool add_rest(const struct cs_graph *g, struct product m, struct parts *x)
{
    enum { MOST = sizeof x->rest / sizeof *x->rest };
    for (int i = 0; i < x->nrest; i++)
        if (m.of[0].kind == CS_OPND_VALUE && same_origin(g, x->rest[i].of[0], m.of[0])) {
            x->rest[i].times += m.times;
            return true;
        }
    if (x->nrest < MOST)
        x->rest[x->nrest++] = m;
    return x->nrest < MOST;
}

/* False: it is too many products. */
static bool take_apart(struct cs_index_place p, struct cs_operand op, int64_t times, struct parts *x, int depth)
{
    const struct cs_graph *g = p.r->g;
    const struct cs_stmt *d = cs_index_step(p.r) ? cs_index_def_of(g, op) : NULL;
    bool one = d && depth > 0 && d->kind == CS_STMT_ASSIGN && d->nuses == 1;
    struct cs_operand offset = depth > 0 ? stored_offset(p, d) : cs_opnd_none();
    if (offset.kind == CS_OPND_VALUE)
        return take_apart(p, offset, times, x, depth - 1);
    if (one && (d->op == CS_OP_COPY || is_negative(g, d)))
        return take_apart(p, d->uses[0], d->op == CS_OP_COPY ? times : -times, x, depth - 1);
    if (depth > 0 && (cs_index_is_op(d, CS_OP_ADD) || cs_index_is_op(d, CS_OP_SUB)))
        return take_apart(p, d->uses[0], times, x, depth - 1) &&
               take_apart(p, d->uses[1], d->op == CS_OP_ADD ? times : -times, x, depth - 1);
    if (cs_index_is_op(d, CS_OP_MUL) && (is_unit(g, d->uses[0]) || is_unit(g, d->uses[1])))
        return take_apart(p, d->uses[is_unit(g, d->uses[0])], times, x, depth - 1);
    struct product m = {{is_unit(g, op) ? cs_opnd_const(1) : op, cs_opnd_const(1)}, times};
    if (!cs_index_is_op(d, CS_OP_MUL))
        return add_rest(g, m, x);
    m.of[0] = d->uses[0];
    m.of[1] = d->uses[1];
    enum { MOST_PRODUCTS = sizeof x->products / sizeof *x->products };
    if (x->n < MOST_PRODUCTS)
        x->products[x->n++] = m;
    return x->n < MOST_PRODUCTS;
}

/* What loops' variables are multiplied with; else a number that something is; NONE: there is neither, or too much. */
static struct cs_operand stride_of(struct cs_index_place p, const struct parts *x)
{
    struct cs_operand stride = cs_opnd_none();
    for (int i = 0; i < x->n; i++) {
        const struct cs_operand *of = x->products[i].of;
        bool first = varies(p.r, of[0], CS_INDEX_DEPTH), second = varies(p.r, of[1], CS_INDEX_DEPTH);
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
    const struct cs_stmt *d = cs_index_def_of(g, op);
    return d && d->kind == CS_STMT_LOAD && d->load.size == (int64_t)sizeof(int64_t);
}

/* Which factor of the product is a stride: the other one varies, or it alone is read from a descriptor, or it is a
 * number; -1. */
static int stride_factor(struct cs_index_place p, const struct product *m)
{
    bool is[2];
    for (int i = 0; i < 2; i++)
        is[i] = varies(p.r, m->of[1 - i], CS_INDEX_DEPTH);
    for (int i = 0; i < 2 && is[0] == is[1]; i++)
        is[i] = is_read(p.r->g, m->of[i]) && !is_read(p.r->g, m->of[1 - i]);
    for (int i = 0; i < 2 && is[0] == is[1]; i++)
        is[i] = m->of[i].kind == CS_OPND_CONST;
    return is[0] == is[1] ? -1 : is[1];
}

/* The dimension with this stride, a new one if there is none; -1: there are too many. */
static int dim_of(struct cs_index *is, const struct cs_sum *stride, bool add)
{
    int i = 1;
    while (i < is->n && !cs_sum_same(is->strides[i], *stride))
        i++;
    if (i < is->n)
        return i;
    if (!add || is->n == CS_INDEX_DIMS)
        return -1;
    is->strides[is->n] = *stride;
    is->dims[is->n] = (struct cs_sum_range){cs_sum_number(0), cs_sum_number(0)};
    return is->n++;
}

/* A stride: also a product of sizes, or the more of one and 0, as GCC has it. A variable has one value. */
static struct cs_sum stride_sum(struct cs_index_place p, struct cs_operand op, int depth)
{
    p.surely = true;
    const struct cs_stmt *d = cs_index_step(p.r) ? cs_index_def_of(p.r->g, op = cs_moved_from(p.r->g, op)) : NULL;
    if (depth > 0 && cs_index_is_op(d, CS_OP_MIX) && d->uses[1].kind == CS_OPND_CONST && !d->uses[1].pat.off)
        return stride_sum(p, d->uses[0], depth - 1);
    if (depth > 0 && cs_index_is_op(d, CS_OP_MUL))
        return cs_index_product(p.r, stride_sum(p, d->uses[0], depth - 1), stride_sum(p, d->uses[1], depth - 1));
    struct cs_sum_range is = cs_index_range_of(p, op, CS_INDEX_DEPTH);
    return cs_sum_same(is.lo, is.hi) ? cs_index_as_stored(p.r, is.lo) : cs_sum_lost();
}

/* Is the stride of an outer dimension a product of this one? */
static bool is_factor(const struct cs_index_ranges *r, const struct cs_index *is, const struct cs_sum *stride)
{
    bool factor = false;
    for (int i = 1; i < is->n && !factor; i++) {
        const struct cs_sum *s = &is->strides[i];
        const struct cs_index_symbol *of = s->n == 1 && s->times[0] == 1 && !s->number ? &r->symbols[s->sym[0]] : NULL;
        factor =
            of && of->value == CS_INDEX_PRODUCT && (cs_sum_same(of->of[0], *stride) || cs_sum_same(of->of[1], *stride));
    }
    return factor;
}

/* Of a product that is told by no variable: which factor is the stride of a dimension that is known; -1. */
static int known_factor(struct cs_index_place p, struct cs_index *is, const struct product *m)
{
    for (int by = 0; by < 2; by++) {
        struct cs_sum stride = stride_sum(p, m->of[by], CS_INDEX_DEPTH);
        if (!stride.lost && (dim_of(is, &stride, false) >= 0 || is_factor(p.r, is, &stride)))
            return by;
    }
    return -1;
}

/* The dimension of which a product of sizes is the stride, as where one row is meant by a number; -1: it is none. */
static int whole_dim(struct cs_index_place p, struct cs_index *is, const struct product *m, int by)
{
    bool number = by >= 0 && m->of[by].kind == CS_OPND_CONST;
    if ((by >= 0 && !number) || varies(p.r, m->of[0], CS_INDEX_DEPTH) || varies(p.r, m->of[1], CS_INDEX_DEPTH) ||
        (number && is_read(p.r->g, cs_moved_from(p.r->g, m->of[1 - by]))))
        return -1;
    struct cs_sum whole =
        cs_index_product(p.r, stride_sum(p, m->of[0], CS_INDEX_DEPTH), stride_sum(p, m->of[1], CS_INDEX_DEPTH));
    return whole.lost || !whole.n ? -1 : dim_of(is, &whole, number);
}

/* All dimensions, where each has a stride that is a number, a variable, or a product of these. */
static struct cs_index by_strides(struct cs_index_place p, const struct parts *x)
{
    struct cs_sum_range zero = {cs_sum_number(0), cs_sum_number(0)};
    struct cs_sum_range once = {cs_sum_number(1), cs_sum_number(1)};
    struct cs_index none = {0}, is = {.n = 1, .by_strides = true, .dims = {zero}};
    for (int i = 0; i < 2 * x->n; i++) {
        const struct product *m = &x->products[i % x->n];
        int by = stride_factor(p, m);
        if ((by < 0) != (i >= x->n))
            continue;
        int whole = whole_dim(p, &is, m, by);
        if (whole >= 0) {
            is.dims[whole] = cs_sum_plus_range(is.dims[whole], once, m->times);
            continue;
        }
        by = by < 0 ? known_factor(p, &is, m) : by;
        struct cs_sum stride = by < 0 ? cs_sum_lost() : stride_sum(p, m->of[by], CS_INDEX_DEPTH);
        int dim = stride.lost ? -1 : dim_of(&is, &stride, true);
        if (dim < 0)
            return none;
        is.dims[dim] = cs_sum_plus_range(is.dims[dim], cs_index_range_of(p, m->of[1 - by], CS_INDEX_DEPTH), m->times);
    }
    for (int i = 0; i < x->nrest; i++) {
        const struct product *m = &x->rest[i];
        struct cs_sum stride = stride_sum(p, m->of[0], CS_INDEX_DEPTH);
        int dim = stride.lost || !stride.n ? -1 : dim_of(&is, &stride, !m->times || is_factor(p.r, &is, &stride));
        struct cs_sum_range rest = dim < 0 ? cs_index_range_of(p, m->of[0], CS_INDEX_DEPTH) : once;
        if (m->times)
            is.dims[dim < 0 ? 0 : dim] = cs_sum_plus_range(is.dims[dim < 0 ? 0 : dim], rest, m->times);
    }
    return is;
}

/* The two dimensions, of which the outer one is what is multiplied with the stride, a loop's variable among it. */
static struct cs_index put_together(struct cs_index_place p, const struct parts *x)
{
    const struct cs_graph *g = p.r->g;
    struct cs_sum_range zero = {cs_sum_number(0), cs_sum_number(0)};
    struct cs_index is = {.n = x->n ? 2 : 1, .dims = {zero, zero}};
    struct cs_operand stride = stride_of(p, x);
    for (int i = 0; i < x->n + x->nrest; i++) {
        const struct product *m = i < x->n ? &x->products[i] : &x->rest[i - x->n];
        int by = same_origin(g, m->of[0], stride) ? 0 : 1;
        bool outer = x->n && same_origin(g, m->of[by], stride);
        if (!outer && i < x->n)
            return by_strides(p, x);
        int dim = outer && (i < x->n || stride.kind == CS_OPND_VALUE);
        is.dims[dim] =
            cs_sum_plus_range(is.dims[dim], cs_index_range_of(p, m->of[dim ? 1 - by : 0], CS_INDEX_DEPTH), m->times);
    }
    return is;
}

/* The number of elements, `size` bytes each, in so many bytes. */
static struct cs_sum_range elements_in(struct cs_index_place p, struct cs_operand bytes, int64_t size, int depth)
{
    const struct cs_stmt *d = cs_index_def_of(p.r->g, bytes = cs_moved_from(p.r->g, bytes));
    if (bytes.kind == CS_OPND_CONST && bytes.pat.off % size == 0)
        return (struct cs_sum_range){cs_sum_number(bytes.pat.off / size), cs_sum_number(bytes.pat.off / size)};
    if (cs_index_is_op(d, CS_OP_MUL) && d->uses[1].kind == CS_OPND_CONST && d->uses[1].pat.off == size)
        return cs_index_range_of(p, d->uses[0], depth);
    return cs_index_lost_range();
}

static struct cs_sum_range start_at(struct cs_index_place p, struct cs_operand pointer, int64_t size, int depth);

/* What all calls pass, or the one, points to. */
static struct cs_sum_range start_of_argument(struct cs_index_place p, int k, int64_t size, int depth)
{
    const struct cs_intlist *calls = &p.r->callers[p.func];
    int n = p.call < 0 ? calls->n : 1;
    struct cs_sum_range is = {cs_sum_number(0), cs_sum_number(0)};
    for (int i = 0; i < n; i++) {
        const struct cs_stmt *c = &p.r->g->stmts[p.call < 0 ? calls->a[i] : p.call];
        if (k >= c->nuses || depth <= 0 || !cs_index_step(p.r))
            return cs_index_lost_range();
        struct cs_sum_range one =
            start_at((struct cs_index_place){p.r, c->func, -1, NULL, p.surely, NULL}, c->uses[k], size, depth - 1);
        if (i > 0 && !cs_index_same_range(is, one))
            return cs_index_lost_range();
        is = one;
    }
    return is;
}

/* The element of its array to which a pointer points. One that goes on in a loop is only known not to go back. */
static struct cs_sum_range start_at(struct cs_index_place p, struct cs_operand pointer, int64_t size, int depth)
{
    const struct cs_graph *g = p.r->g;
    struct cs_sum_range begin = {cs_sum_number(0), cs_sum_number(0)};
    const struct cs_stmt *d = cs_index_def_of(g, pointer = cs_moved_from(g, pointer));
    int k = d ? -1 : cs_param_number(g, p.func, pointer);
    if (k >= 0)
        return start_of_argument(p, k, size, depth);
    if (!d || d->kind == CS_STMT_LOAD || d->kind == CS_STMT_CALL)
        return begin;
    if (depth <= 0 || !cs_index_step(p.r))
        return cs_index_lost_range();
    if (cs_index_is_op(d, CS_OP_PTRADD))
        return cs_sum_plus_range(start_at(p, d->uses[0], size, depth - 1), elements_in(p, d->uses[1], size, depth - 1),
                                 1);
    for (int i = 0; d->kind == CS_STMT_PHI && d->nuses == 2 && i < 2; i++) {
        const struct cs_stmt *next = cs_index_def_of(g, cs_moved_from(g, d->uses[i]));
        if (cs_index_is_op(next, CS_OP_PTRADD) && cs_moved_from(g, next->uses[0]).id == d->def)
            return (struct cs_sum_range){start_at(p, d->uses[1 - i], size, depth - 1).lo, cs_sum_lost()};
    }
    return d->kind == CS_STMT_PHI ? cs_index_lost_range() : begin;
}

/* The index from where the array begins, of one that counts from an element of it. */
static struct cs_index from_begin(struct cs_index is, struct cs_sum_range start)
{
    bool moved = !cs_index_same_range(start, (struct cs_sum_range){cs_sum_number(0), cs_sum_number(0)});
    if (moved && is.n > 1)
        return (struct cs_index){0};
    is.dims[0] = cs_sum_plus_range(is.dims[0], start, 1);
    return is;
}

/* What tells the element that a reference means: an index of Fortran's, or what a pointer is moved by in C. Sets the
 * pointer that it counts from. */
static struct cs_operand index_operand(struct cs_index_place p, const struct cs_stmt *s, const struct cs_ref *ref,
                                       int nvalues, struct cs_operand *base)
{
    const struct cs_graph *g = p.r->g;
    struct cs_operand at = cs_opnd_none();
    const struct cs_stmt *d = cs_index_def_of(g, cs_moved_from(g, ref->base));
    bool element = ref->pat.stride == ref->size;
    *base = ref->base;
    if (element && s->nuses + s->nidx == nvalues + 1)
        at = s->nidx ? cs_opnd_value(s->idx[0]) : s->uses[nvalues];
    else if (s->nuses + s->nidx == nvalues && cs_index_is_op(d, CS_OP_PTRADD) && !ref->pat.stride && !ref->pat.off) {
        at = d->uses[1];
        *base = d->uses[0];
    }
    const struct cs_stmt *bytes = cs_index_def_of(g, cs_moved_from(g, at));
    if (cs_index_is_op(bytes, CS_OP_MUL) && bytes->uses[1].kind == CS_OPND_CONST && bytes->uses[1].pat.off == ref->size)
        at = bytes->uses[0];
    return at;
}

static struct cs_index index_at(struct cs_index_place p, const struct cs_stmt *s, const struct cs_ref *ref, int nvalues)
{
    struct parts x = {0};
    struct cs_operand base, at = index_operand(p, s, ref, nvalues, &base);
    const struct cs_stmt *data = cs_index_def_of(p.r->g, cs_moved_from(p.r->g, base));
    p.data = data && data->kind == CS_STMT_LOAD ? data : NULL;
    if (at.kind != CS_OPND_VALUE || !take_apart(p, at, 1, &x, CS_INDEX_DEPTH))
        return (struct cs_index){0};
    return from_begin(put_together(p, &x), start_at(p, base, ref->size, CS_INDEX_DEPTH));
}

/* From where on a call receives a message into an array. */
static struct cs_index received(struct cs_index_place p, const struct cs_stmt *call, int64_t size)
{
    enum cs_binding b;
    bool named = call->callee.kind == CS_OPND_ADDR && p.r->g->objs[call->callee.id].kind == CS_OBJ_FUNC;
    const struct cs_mpi_call *c = named ? cs_mpi_by_symbol(cs_obj_name(p.r->g, call->callee.id), &b) : NULL;
    for (int i = 0; c && i < c->nargs && i < call->nuses; i++)
        if (c->args[i].role == CS_ROLE_RBUF)
            return (struct cs_index){.n = 1,
                                     .dims = {{start_at(p, call->uses[i], size, CS_INDEX_DEPTH).lo, cs_sum_lost()}}};
    return (struct cs_index){0};
}

/* The statement of found[i], for this call, is looked for. */
struct found_query {
    const struct cs_index_ranges *r;
    int stmt, bind;
};

static bool same_found(const void *what, int i, int call)
{
    const struct found_query *q = what;
    return q->r->found[i].stmt == q->stmt && q->r->found[i].call == call && q->r->found[i].bind == q->bind;
}

/* bind: the number of what is known of a counter; -1: nothing; or only what surely is so. */
enum { SURELY = -2 };
static struct cs_index index_bound(struct cs_index_ranges *r, int stmt, int call, int bind)
{
    const struct cs_stmt *s = &r->g->stmts[stmt];
    struct found_query q = {r, stmt, bind};
    uint32_t h = cs_hash(cs_hash(cs_hash(0, stmt), call), bind);
    int known = cs_pairset_find(&r->known, h, same_found, &q);
    if (known >= 0)
        return r->found[known].index;
    struct cs_index_place p = {r, s->func, call, bind < 0 ? NULL : &r->binds[bind], bind == SURELY, NULL};
    r->left = CS_INDEX_STEPS;
    r->stepped = false;
    struct cs_index x = s->kind == CS_STMT_STORE ? index_at(p, s, &s->store, 1) : index_at(p, s, &s->load, 0);
    x.stepped = r->stepped;
    CS_GROW(r->found, r->nfound, r->afound);
    cs_pairset_add(&r->known, h, r->nfound, call);
    r->found[r->nfound++] = (struct cs_index_found){stmt, call, bind, x};
    return x;
}

static struct cs_index index_of(struct cs_index_ranges *r, int stmt, int call)
{
    return index_bound(r, stmt, call, -1);
}

/* ---- elements that a loop's counter tells ---- */

/* The number of what is known of a counter. */
static int number_bind(struct cs_index_ranges *r, struct cs_index_bind b)
{
    int i = 0;
    while (i < r->nbinds && (r->binds[i].value != b.value || r->binds[i].number != b.number))
        i++;
    if (i < r->nbinds)
        return i;
    CS_GROW(r->binds, r->nbinds, r->abinds);
    r->binds[r->nbinds] = b;
    return r->nbinds++;
}

static int find_counter(struct cs_index_ranges *r, int stmt)
{
    const struct cs_stmt *s = &r->g->stmts[stmt];
    bool stores = s->kind == CS_STMT_STORE;
    struct cs_index_place p = {r, s->func, -1, NULL, false, NULL};
    struct parts x = {0};
    struct cs_operand base, at = index_operand(p, s, stores ? &s->store : &s->load, stores, &base);
    int counter = -1;
    if (at.kind != CS_OPND_VALUE || !take_apart(p, at, 1, &x, CS_INDEX_DEPTH))
        return -1;
    for (int i = 0; i < x.nrest; i++) {
        struct cs_operand op = cs_moved_from(r->g, x.rest[i].of[0]);
        const struct cs_stmt *d = cs_index_def_of(r->g, op);
        bool counts = d && d->kind == CS_STMT_PHI && cs_index_start_of(r->g, d) >= 0;
        if ((counts && (counter >= 0 || llabs(x.rest[i].times) != 1)) || (!counts && varies(r, op, CS_INDEX_DEPTH)))
            return -1;
        counter = counts ? op.id : counter;
    }
    return counter;
}

/* The counter that tells which element of the inner dimension the store or load means, -1. */
static int counter_of(struct cs_index_ranges *r, int stmt)
{
    if (!r->counter[stmt]) {
        r->left = CS_INDEX_STEPS;
        int counter = find_counter(r, stmt);
        r->counter[stmt] = counter < 0 ? -1 : counter + 1;
    }
    return r->counter[stmt] < 0 ? -1 : r->counter[stmt] - 1;
}

/* Is the index one element of the inner dimension? */
static bool is_one(const struct cs_index *x)
{
    return x->n > 0 && !x->dims[0].lo.lost && !x->dims[0].hi.lost && cs_sum_same(x->dims[0].lo, x->dims[0].hi);
}

/* How far in the inner dimension the one is behind the other one; false: that is no number. */
static bool is_behind(const struct cs_index *a, const struct cs_index *b, int64_t *by)
{
    struct cs_sum d =
        is_one(a) && is_one(b) && a->n == b->n ? cs_sum_plus(a->dims[0].lo, b->dims[0].lo, -1) : cs_sum_lost();
    *by = d.number;
    return !d.lost && !d.n;
}

int cs_index_ranges_bind(struct cs_index_ranges *r, int store, int call, int load, int bind)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[load];
    if (w->kind != CS_STMT_STORE || s->kind != CS_STMT_LOAD || s->load.size <= 0 || w->store.size != s->load.size)
        return -1;
    int counter = counter_of(r, store);
    if (counter < 0)
        return -1;
    struct cs_index read = index_bound(r, load, -1, bind), all = read.n ? index_of(r, store, call) : read;
    if (!is_one(&read) || all.n != read.n)
        return -1;
    struct cs_index zero = index_bound(r, store, call, number_bind(r, (struct cs_index_bind){counter, 0})),
                    one = index_bound(r, store, call, number_bind(r, (struct cs_index_bind){counter, 1}));
    int64_t by, number;
    if (!is_behind(&one, &zero, &by) || !is_behind(&read, &zero, &number))
        return -1;
    number *= by;
    bool below = !all.dims[0].lo.lost && cs_sum_is_more(&all.dims[0].lo, &read.dims[0].lo),
         above = !all.dims[0].hi.lost && cs_sum_is_more(&read.dims[0].lo, &all.dims[0].hi);
    return llabs(by) != 1 || below || above ? -1 : number_bind(r, (struct cs_index_bind){counter, number});
}

bool cs_index_ranges_is_bound(struct cs_index_ranges *r, int load, int bind)
{
    const struct cs_stmt *s = &r->g->stmts[load];
    return bind >= 0 && s->kind == CS_STMT_LOAD && s->load.size > 0 && counter_of(r, load) == r->binds[bind].value;
}

bool cs_index_ranges_goes_on(const struct cs_index_ranges *r, int stmt, int bind)
{
    const struct cs_graph *g = r->g;
    const struct cs_stmt *s = &g->stmts[stmt], *of = &g->stmts[g->values[r->binds[bind].value].def];
    return s->kind == CS_STMT_PHI && s->func == of->func && s->block == of->block;
}

/* May the statement store one more, or so, than what the variable was? */
static bool counts(const struct cs_index_ranges *r, const struct cs_index_store *store)
{
    const struct cs_stmt *st = &r->g->stmts[store->stmt];
    const struct cs_stmt *d = cs_index_def_of(r->g, cs_moved_from(r->g, st->uses[0]));
    bool is = d && d->kind == CS_STMT_PHI;
    for (int i = 0; (cs_index_is_op(d, CS_OP_ADD) || cs_index_is_op(d, CS_OP_SUB)) && i < 2; i++) {
        const struct cs_stmt *l = cs_index_def_of(r->g, cs_moved_from(r->g, d->uses[i]));
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
static bool is_counted(const struct cs_index_ranges *r, const struct cs_index_symbol *s, int func)
{
    for (int i = 0; s->value == CS_INDEX_VARIABLE && i < r->nstores; i++) {
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
static bool is_beyond(const struct cs_index_ranges *r, const struct cs_sum *more, const struct cs_sum *less, int func)
{
    bool is = cs_sum_is_more(more, less);
    for (int i = 0; i < less->n && is; i++)
        is = !is_counted(r, &r->symbols[less->sym[i]], func);
    return is;
}

/* The dimension of b that is the one of a; -1: that is not known. */
static int same_dim(const struct cs_index *a, int dim, const struct cs_index *b)
{
    if (dim == 0 || (!a->by_strides && !b->by_strides))
        return dim;
    if (a->by_strides != b->by_strides)
        return -1;
    for (int i = 1; i < b->n; i++)
        if (cs_sum_same(a->strides[dim], b->strides[i]))
            return i;
    return -1;
}

/* Have both the same dimensions? */
static bool same_dims(const struct cs_index *a, const struct cs_index *b)
{
    bool same = a->n == b->n && a->by_strides == b->by_strides;
    for (int i = 0; i < a->n && same; i++)
        same = same_dim(a, i, b) >= 0;
    return same;
}

/* Where strides are numbers, GCC adds up numbers of all dimensions: may those in the inner one be of another one? */
static bool may_be_outer(const struct cs_index *is, int64_t number)
{
    bool may = false;
    for (int i = 1; i < is->n && is->by_strides; i++)
        may |= !is->strides[i].n && llabs(number) >= llabs(is->strides[i].number);
    return may;
}

/* Is it the same band as the other one, but as far from it as a size is, which is taken to be more than its width? So
 * are the two halos of an array. */
static bool is_band_elsewhere(const struct cs_sum_range *x, const struct cs_sum_range *y)
{
    struct cs_sum lo = cs_sum_plus(x->lo, y->lo, -1), hi = cs_sum_plus(x->hi, y->hi, -1);
    bool is = cs_sum_same(lo, hi) && lo.n > 0;
    for (int i = 1; i < lo.n && is; i++)
        is = (lo.times[i] > 0) == (lo.times[0] > 0);
    return is && !cs_sum_same(x->lo, x->hi);
}

/* Is all of the one, in this dimension, before or behind the other one? */
static bool is_apart(const struct cs_index_ranges *r, const struct cs_index *a, const struct cs_index *b, int dim,
                     int func)
{
    const struct cs_sum_range *x = &a->dims[dim], *y = &b->dims[same_dim(a, dim, b)];
    if (dim == 0 && (may_be_outer(a, x->lo.number - y->hi.number) || may_be_outer(a, y->lo.number - x->hi.number)))
        return false;
    return is_beyond(r, &x->lo, &y->hi, func) || is_beyond(r, &y->lo, &x->hi, func) || is_band_elsewhere(x, y);
}

/* Is the store in a loop over a part of a variable, which is known by numbers, and the load of one element beside that?
 */
static bool is_beside_part(struct cs_index_ranges *r, int store, int call, int load)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[load];
    const struct cs_pattern *to = &w->store.pat, *from = &s->load.pat;
    bool one = w->kind == CS_STMT_STORE && w->store.base.kind == CS_OPND_ADDR && s->load.base.kind == CS_OPND_ADDR &&
               w->store.base.id == s->load.base.id && !from->stride && !s->nuses && !s->nidx;
    if (!one || to->stride <= 0 || to->lo || w->nuses + w->nidx > 2 || (!w->nidx && w->nuses != 2))
        return false;
    struct cs_index_place p = {r, w->func, call, NULL, false, NULL};
    struct cs_operand index = w->nidx ? cs_opnd_value(w->idx[0]) : w->uses[1];
    struct cs_sum_range at = cs_index_range_of(p, index, CS_INDEX_DEPTH);
    if (at.lo.lost || at.hi.lost || at.lo.n || at.hi.n)
        return false;
    return from->off + s->load.size <= to->off + to->stride * at.lo.number ||
           from->off >= to->off + to->stride * at.hi.number + w->store.size;
}

bool cs_index_ranges_meet(struct cs_index_ranges *r, int store, int store_call, int load, int load_call, int bind)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[load];
    bool stores = w->kind == CS_STMT_STORE && w->store.size == s->load.size;
    if (s->kind != CS_STMT_LOAD || s->load.size <= 0 || (!stores && w->kind != CS_STMT_CALL))
        return true;
    r->left = CS_INDEX_STEPS;
    if (is_beside_part(r, store, store_call, load))
        return false;
    r->left = CS_INDEX_STEPS;
    struct cs_index a =
        stores ? index_of(r, store, store_call)
               : received((struct cs_index_place){r, w->func, store_call, NULL, false, NULL}, w, s->load.size);
    struct cs_index b = a.n ? index_bound(r, load, load_call, bind) : a;
    for (int i = 0; a.n == b.n && i < a.n; i++)
        if (same_dim(&a, i, &b) >= 0 && is_apart(r, &a, &b, i, w->func))
            return false;
    return true;
}

/* Is the one not more than the other one, if variables are not negative? */
static bool not_more(const struct cs_sum *a, const struct cs_sum *b)
{
    struct cs_sum more = cs_sum_plus(*b, cs_sum_number(1), 1);
    return cs_sum_is_more(&more, a);
}

bool cs_index_ranges_cover(struct cs_index_ranges *r, int store, int load)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[load];
    if (w->kind != CS_STMT_STORE || s->kind != CS_STMT_LOAD || s->load.size <= 0 || w->store.size != s->load.size)
        return false;
    struct cs_index a = index_bound(r, store, -1, SURELY), b = a.n ? index_of(r, load, -1) : a;
    bool all = a.n > 0 && same_dims(&a, &b);
    for (int i = 0; i < a.n && all; i++) {
        const struct cs_sum_range *x = &a.dims[i], *y = &b.dims[same_dim(&a, i, &b)];
        all = not_more(&x->lo, &y->lo) && not_more(&y->hi, &x->hi);
    }
    return all;
}

/* Is it a value of which it is known that it does not change in a loop of its function, or a variable? */
static bool stays(const struct cs_index_ranges *r, const struct cs_index_symbol *s)
{
    int d = s->value < 0 ? -1 : r->g->values[s->value].def;
    return s->value < 0 || d < 0 || r->g->stmts[d].kind == CS_STMT_LOAD;
}

bool cs_index_ranges_is_slice(struct cs_index_ranges *r, int stmt)
{
    const struct cs_stmt *s = &r->g->stmts[stmt];
    if ((s->kind != CS_STMT_STORE || s->store.size <= 0) && (s->kind != CS_STMT_LOAD || s->load.size <= 0))
        return false;
    struct cs_index x = index_of(r, stmt, -1);
    bool is = false;
    for (int i = 1; i < x.n && !is; i++) {
        is = cs_sum_same(x.dims[i].lo, x.dims[i].hi);
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
    struct cs_index a = index_of(r, store, -1), b = a.n ? index_of(r, other, -1) : a;
    bool is = false;
    for (int i = 0; a.n && same_dims(&a, &b) && i < a.n && !is; i++) {
        const struct cs_sum_range *x = &a.dims[i], *y = &b.dims[same_dim(&a, i, &b)];
        bool part = i == 0 && (cs_sum_same(x->lo, x->hi) || cs_sum_same(y->lo, y->hi)); /* of each element */
        is = !part && is_apart(r, &a, &b, i, s->func);
    }
    return is;
}

bool cs_index_ranges_is_rest(struct cs_index_ranges *r, int store, int other)
{
    const struct cs_stmt *s = &r->g->stmts[store], *o = &r->g->stmts[other];
    if (s->kind != CS_STMT_STORE || o->kind != CS_STMT_STORE || s->store.size <= 0 || s->store.size != o->store.size)
        return false;
    struct cs_index b = index_of(r, other, -1), a = b.stepped ? index_of(r, store, -1) : b;
    bool all = !b.stepped || (a.n && same_dims(&a, &b));
    for (int i = 0; i < a.n && all && b.stepped; i++)
        all = not_more(&a.dims[i].lo, &b.dims[same_dim(&a, i, &b)].lo);
    return !all;
}

/* ---- parts of buffers ---- */

/* An element of a function's own array, as told by a number, or behind a descriptor that it makes for a call? */
static bool is_element(const struct cs_index_ranges *r, const struct cs_index_symbol *s)
{
    if (s->value != CS_INDEX_VARIABLE || r->g->objs[s->path.obj].kind != CS_OBJ_LOCAL)
        return false;
    return s->path.n == 1 ? !s->path.stride[0] && r->g->objs[s->path.obj].size > (int64_t)sizeof(int32_t)
                          : s->path.n == 2 && !s->path.off[0] && !s->path.off[1];
}

/* The same one, if it is reached in the same way: each call has its own descriptor. */
static bool same_element(const struct cs_index_symbol *a, const struct cs_index_symbol *b)
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
    struct cs_index x = index_of(r, stmt, call);
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
static bool is_known(const struct cs_index *x)
{
    for (int i = 0; i < x->n; i++)
        if (x->dims[i].lo.lost || x->dims[i].hi.lost)
            return false;
    return x->n > 0;
}

static bool same_index(const struct cs_index *a, const struct cs_index *b)
{
    bool same = same_dims(a, b);
    for (int i = 0; i < a->n && same; i++)
        same = cs_index_same_range(a->dims[i], b->dims[same_dim(a, i, b)]);
    return same;
}

/* In any order of its terms. */
static uint32_t hash_sum(uint32_t h, const struct cs_sum *s)
{
    uint32_t terms = 0;
    for (int i = 0; i < s->n; i++)
        terms += cs_hash(cs_hash(0, s->sym[i]), s->times[i]);
    return cs_hash(cs_hash(h, s->number), terms);
}

static uint32_t hash_index(const struct cs_index *x, int64_t size)
{
    uint32_t h = 0;
    for (int i = 0; i < x->n; i++)
        h += hash_sum(hash_sum(x->by_strides ? 0 : i, &x->dims[i].lo), &x->dims[i].hi);
    return cs_hash(cs_hash(0, size), h);
}

/* A load of so many bytes and this index is looked for. */
struct like_query {
    struct cs_index_ranges *r;
    const struct cs_index *index;
    int64_t size;
};

static bool same_like(const void *what, int load, int ignored)
{
    const struct like_query *q = what;
    (void)ignored;
    if (q->r->g->stmts[load].load.size != q->size)
        return false;
    struct cs_index of = index_of(q->r, load, -1);
    return same_index(&of, q->index);
}

int cs_index_ranges_like(struct cs_index_ranges *r, int load)
{
    const struct cs_stmt *s = &r->g->stmts[load];
    if (s->kind != CS_STMT_LOAD || s->load.size <= 0)
        return -1;
    struct cs_index x = index_of(r, load, -1);
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
    r->carried = cs_calloc(g->nstmts + 1, 1);
    r->counter = cs_calloc(g->nstmts + 1, sizeof *r->counter);
    cs_constant_calls_start(&r->constants, g, flow);
    return r;
}

void cs_index_ranges_free(struct cs_index_ranges *r)
{
    cs_pairset_free(&r->known);
    cs_constant_calls_free(&r->constants);
    free(r->found);
    free(r->carried);
    free(r->counter);
    free(r->binds);
    free(r->stores);
    cs_pairset_free(&r->likes);
    free(r);
}
