/* SPDX-License-Identifier: GPL-3.0-or-later
 * Between which sums variables are, by the bounds of the loops that count them; index_ranges.h. A variable is told by
 * where it is (pointer_paths.h). */
#include "slicer/advise/index_internal.h"

#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/control/cfg.h"

bool cs_index_step(struct cs_index_ranges *r)
{
    r->left -= r->left > 0;
    return r->left > 0;
}

/* ---- variables ---- */

const struct cs_stmt *cs_index_def_of(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    return d < 0 ? NULL : &g->stmts[d];
}

static bool same_symbol(const struct cs_index_symbol *a, const struct cs_index_symbol *b)
{
    if (a->value == b->value && a->value == CS_INDEX_PRODUCT)
        return (cs_sum_same(a->of[0], b->of[0]) && cs_sum_same(a->of[1], b->of[1])) ||
               (cs_sum_same(a->of[0], b->of[1]) && cs_sum_same(a->of[1], b->of[0]));
    return a->value == b->value && (a->value >= 0 || cs_same_path(&a->path, &b->path));
}

/* Notes where each statement stores, as far as that is known. */
static void find_stores(struct cs_index_ranges *r)
{
    const struct cs_graph *g = r->g;
    r->stores_known = true;
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        struct cs_index_store st = {.stmt = i};
        if (s->kind != CS_STMT_STORE || !cs_pointer_path(r->paths, s->func, -1, s->store.base, s->store.pat, &st.to))
            continue;
        CS_GROW(r->stores, r->nstores, r->astores);
        r->stores[r->nstores++] = st;
    }
}

/* Finds out whether all stores that name the variable store numbers, or whether there is one alone. */
static void find_values(struct cs_index_ranges *r, struct cs_index_symbol *s)
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
static int number_symbol(struct cs_index_ranges *r, struct cs_index_symbol s)
{
    int i = 0;
    while (i < r->nsymbols && !same_symbol(&r->symbols[i], &s))
        i++;
    if (i == CS_INDEX_SYMBOLS)
        return -1;
    if (i < r->nsymbols)
        return i;
    s.store = -1;
    if (s.value == CS_INDEX_VARIABLE)
        find_values(r, &s);
    r->symbols[r->nsymbols] = s;
    return r->nsymbols++;
}

struct cs_sum cs_index_product(struct cs_index_ranges *r, struct cs_sum a, struct cs_sum b)
{
    if (a.lost || b.lost)
        return cs_sum_lost();
    if (!a.n || !b.n)
        return cs_sum_plus(cs_sum_number(0), a.n ? a : b, a.n ? b.number : a.number);
    struct cs_sum is = cs_sum_number(0);
    int i = number_symbol(r, (struct cs_index_symbol){.value = CS_INDEX_PRODUCT, .of = {a, b}});
    if (i < 0)
        return cs_sum_lost();
    cs_sum_add_term(&is, i, 1);
    return is;
}

struct cs_sum_range cs_index_range_of(struct cs_index_place p, struct cs_operand op, int depth);

struct cs_sum_range cs_index_lost_range(void)
{
    return (struct cs_sum_range){cs_sum_lost(), cs_sum_lost()};
}

/* From the least to the most of both, if they are so far from each other in numbers; lost if not. */
static struct cs_sum_range both(struct cs_sum_range a, struct cs_sum_range b)
{
    struct cs_sum lo = cs_sum_plus(a.lo, b.lo, -1), hi = cs_sum_plus(a.hi, b.hi, -1);
    if (lo.lost || hi.lost || lo.n || hi.n)
        return cs_index_lost_range();
    return (struct cs_sum_range){lo.number < 0 ? a.lo : b.lo, hi.number > 0 ? a.hi : b.hi};
}

static bool has_symbol(const struct cs_sum *s, int sym)
{
    bool has = false;
    for (int i = 0; i < s->n; i++)
        has |= s->sym[i] == sym;
    return has;
}

/* What is stored to the variable, wherever that is; lost: something that is not known, or counted. */
static struct cs_sum_range stored_range(struct cs_index_ranges *r, int sym)
{
    enum { MOST = 4 }; /* stores */
    struct cs_sum_range is = cs_index_lost_range();
    int n = 0;
    for (int i = 0; i < r->nstores && n <= MOST; i++) {
        const struct cs_stmt *st = &r->g->stmts[r->stores[i].stmt];
        if (!cs_same_path(&r->stores[i].to, &r->symbols[sym].path))
            continue;
        struct cs_sum_range one = cs_index_range_of((struct cs_index_place){r, st->func, -1, NULL, false, NULL},
                                                    st->uses[0], CS_INDEX_DEPTH / 2);
        is = n++ ? both(is, one) : one;
        if (is.lo.lost || is.hi.lost || has_symbol(&is.lo, sym) || has_symbol(&is.hi, sym))
            return cs_index_lost_range();
    }
    return n <= MOST ? is : cs_index_lost_range();
}

static struct cs_sum_range symbol_range(struct cs_index_ranges *r, struct cs_index_symbol s, bool surely)
{
    int i = number_symbol(r, s);
    if (i < 0)
        return cs_index_lost_range();
    const struct cs_index_symbol *is = &r->symbols[i];
    if (is->constant && (!surely || is->least == is->most))
        return (struct cs_sum_range){cs_sum_number(is->least), cs_sum_number(is->most)};
    if (is->value < 0 && !is->asked) {
        r->symbols[i].asked = true;
        struct cs_sum_range of = is->known ? is->stored : stored_range(r, i);
        r->symbols[i].asked = false;
        r->symbols[i].known = true;
        r->symbols[i].stored = of;
        bool one = is->store >= 0,
             in_array = is->path.stride[is->path.n - 1] || r->g->objs[is->path.obj].kind == CS_OBJ_LOCAL;
        if (!of.lo.lost && !(surely && !cs_sum_same(of.lo, of.hi)) &&
            (one ? in_array && cs_sum_same(of.lo, of.hi) : !is->path.stride[is->path.n - 1]))
            return of;
    }
    struct cs_sum sum = cs_sum_number(0);
    cs_sum_add_term(&sum, i, 1);
    return (struct cs_sum_range){sum, sum};
}

struct cs_sum cs_index_as_stored(struct cs_index_ranges *r, struct cs_sum sum)
{
    if (sum.lost || sum.n != 1 || sum.times[0] != 1 || sum.number)
        return sum;
    const struct cs_index_symbol *s = &r->symbols[sum.sym[0]];
    const struct cs_stmt *st = s->value == CS_INDEX_VARIABLE && s->store >= 0 ? &r->g->stmts[s->store] : NULL;
    if (!st)
        return sum;
    struct cs_index_place p = {r, st->func, -1, NULL, true, NULL};
    struct cs_sum_range is = cs_index_range_of(p, st->uses[0], CS_INDEX_DEPTH / 2);
    return cs_sum_same(is.lo, is.hi) && !has_symbol(&is.lo, sum.sym[0]) ? is.lo : sum;
}

int cs_index_only_store(struct cs_index_ranges *r, const struct cs_path *variable)
{
    int i = number_symbol(r, (struct cs_index_symbol){.value = CS_INDEX_VARIABLE, .path = *variable});
    return i < 0 ? -1 : r->symbols[i].store;
}

/* The variable that is read by the pointer. */
static struct cs_sum_range variable(struct cs_index_place p, struct cs_operand pointer, struct cs_pattern at)
{
    struct cs_index_symbol s = {.value = CS_INDEX_VARIABLE};
    if (!cs_pointer_path(p.r->paths, p.func, p.call, pointer, at, &s.path))
        return cs_index_lost_range();
    return symbol_range(p.r, s, p.surely);
}

/* A number of which nothing is known but that it is one. */
static struct cs_sum_range unknown(struct cs_index_place p, struct cs_operand op)
{
    if (op.kind != CS_OPND_VALUE)
        return cs_index_lost_range();
    return symbol_range(p.r, (struct cs_index_symbol){.value = op.id}, p.surely);
}

bool cs_index_same_range(struct cs_sum_range a, struct cs_sum_range b)
{
    return cs_sum_same(a.lo, b.lo) && cs_sum_same(a.hi, b.hi);
}

/* What all calls pass as the parameter, or the one. */
static struct cs_sum_range argument(struct cs_index_place p, int k, int depth)
{
    const struct cs_intlist *calls = &p.r->callers[p.func];
    int n = p.call < 0 ? calls->n : 1;
    struct cs_sum_range is = cs_index_lost_range();
    for (int i = 0; i < n && depth > 0; i++) {
        const struct cs_stmt *c = &p.r->g->stmts[p.call < 0 ? calls->a[i] : p.call];
        if (k >= c->nuses || !cs_index_step(p.r))
            return cs_index_lost_range();
        struct cs_sum_range one =
            cs_index_range_of((struct cs_index_place){p.r, c->func, -1, NULL, p.surely, NULL}, c->uses[k], depth - 1);
        if (i > 0 && !cs_index_same_range(is, one))
            return cs_index_lost_range();
        is = one;
    }
    return is;
}

/* ---- ranges ---- */

bool cs_index_is_op(const struct cs_stmt *s, enum cs_op op)
{
    return s && s->kind == CS_STMT_ASSIGN && s->op == op && s->nuses == 2;
}

/* The use of a loop's variable that is its start, if the other one is itself and 1 more; -1. */
int cs_index_start_of(const struct cs_graph *g, const struct cs_stmt *phi)
{
    for (int i = 0; i < 2 && phi->nuses == 2; i++) {
        const struct cs_stmt *next = cs_index_def_of(g, cs_moved_from(g, phi->uses[i]));
        if (!cs_index_is_op(next, CS_OP_ADD) || next->uses[1].kind != CS_OPND_CONST || next->uses[1].pat.off != 1)
            continue;
        struct cs_operand from = cs_moved_from(g, next->uses[0]);
        if (from.kind == CS_OPND_VALUE && from.id == phi->def)
            return 1 - i;
    }
    return -1;
}

/* The most that a loop's variable is, by the condition at the head of the loop, where the statement gives its value; of
 * others, that is not known. */
static struct cs_sum limit_of(struct cs_index_place p, const struct cs_stmt *head, int depth)
{
    const struct cs_graph *g = p.r->g;
    int b = cs_block_branch(g, head->func, head->block);
    const struct cs_stmt *c = b < 0 ? NULL : &g->stmts[b];
    if (!c || c->kind != CS_STMT_COND || c->nuses != 2)
        return cs_sum_lost();
    bool first = c->uses[0].kind == CS_OPND_VALUE && c->uses[0].id == head->def;
    if (!first && (c->uses[1].kind != CS_OPND_VALUE || c->uses[1].id != head->def))
        return cs_sum_lost();
    bool less = first ? c->op == CS_OP_LT || c->op == CS_OP_GE : c->op == CS_OP_GT || c->op == CS_OP_LE;
    bool plain = first ? c->op == CS_OP_LE || c->op == CS_OP_GT : c->op == CS_OP_LT || c->op == CS_OP_GE;
    bool equal = c->op == CS_OP_EQ || c->op == CS_OP_NE;
    struct cs_sum limit = cs_index_range_of(p, c->uses[first], depth - 1).hi;
    if (!less && !plain && !equal)
        limit = cs_sum_lost();
    return cs_sum_plus(limit, cs_sum_number(less || equal), -1);
}

/* The variable of a loop. */
static struct cs_sum_range loop_range(struct cs_index_place p, const struct cs_stmt *phi, int depth)
{
    struct cs_operand start = phi->uses[cs_index_start_of(p.r->g, phi)];
    return (struct cs_sum_range){cs_index_range_of(p, start, depth - 1).lo, limit_of(p, phi, depth)};
}

/* Does a loop hand on the value, which may be another one in each turn? */
static bool is_carried(struct cs_index_ranges *r, const struct cs_stmt *phi)
{
    enum { YES = 1, NO };
    char *known = &r->carried[r->g->values[phi->def].def];
    if (!*known) {
        bool *behind = cs_cfg_behind(&r->g->funcs[phi->func], phi->block, -1);
        *known = NO;
        for (int i = 0; i < phi->nuses && *known == NO; i++)
            *known = behind[phi->phi_preds[i]] ? YES : NO;
        free(behind);
    }
    return *known == YES;
}

/* The use of a variable that a loop counts by more than one that is its start; -1: it is no such one. */
static int stepped_start(const struct cs_graph *g, const struct cs_stmt *phi)
{
    for (int i = 0; i < 2 && phi->nuses == 2; i++) {
        const struct cs_stmt *next = cs_index_def_of(g, cs_moved_from(g, phi->uses[i]));
        if (!cs_index_is_op(next, CS_OP_ADD) || next->uses[1].kind != CS_OPND_CONST || next->uses[1].pat.off <= 1)
            continue;
        struct cs_operand from = cs_moved_from(g, next->uses[0]);
        if (from.kind == CS_OPND_VALUE && from.id == phi->def)
            return 1 - i;
    }
    return -1;
}

/* Such a variable; how far it comes is known only by a condition on it. It need not have each number. */
static struct cs_sum_range stepped_range(struct cs_index_place p, const struct cs_stmt *phi, int depth)
{
    struct cs_operand start = phi->uses[stepped_start(p.r->g, phi)];
    p.r->stepped = true;
    return (struct cs_sum_range){cs_index_range_of(p, start, depth - 1).lo, limit_of(p, phi, depth)};
}

/* Where ways meet: from the least to the most that those bring that the call can take. */
static struct cs_sum_range merged_range(struct cs_index_place p, const struct cs_stmt *phi, int depth)
{
    struct cs_sum_range is = {cs_sum_lost(), cs_sum_lost()};
    for (int i = 0, n = 0; i < phi->nuses; i++) {
        if (p.call >= 0 && !cs_constant_call_takes(&p.r->constants, p.call, phi->phi_preds[i], phi->block))
            continue;
        struct cs_sum_range one = cs_index_range_of(p, phi->uses[i], depth - 1);
        is = n++ && !(p.surely && !cs_index_same_range(is, one)) ? both(is, one) : n > 1 ? cs_index_lost_range() : one;
        if (is.lo.lost || is.hi.lost)
            return is_carried(p.r, phi) ? cs_index_lost_range() : unknown(p, cs_opnd_value(phi->def));
    }
    return is;
}

/* Is it the more of a number and one that is not positive, as GCC has the size of a dimension, or where that ends,
 * which is taken not to be less than where it begins? */
static bool is_size(const struct cs_stmt *d)
{
    enum { LEAST = -64 }; /* before it, that is hardly the bound of an array */
    return cs_index_is_op(d, CS_OP_MIX) && d->bits == -(int)(8 * sizeof(int64_t)) && d->uses[1].kind == CS_OPND_CONST &&
           d->uses[1].pat.off <= 0 && d->uses[1].pat.off >= LEAST;
}

/* Of a product: that of two numbers or variables. */
static struct cs_sum_range product_range(struct cs_index_place p, const struct cs_stmt *d, int depth)
{
    struct cs_sum_range a = cs_index_range_of(p, d->uses[0], depth - 1),
                        b = cs_index_range_of(p, d->uses[1], depth - 1);
    if (!cs_sum_same(a.lo, a.hi) || !cs_sum_same(b.lo, b.hi))
        return cs_index_lost_range();
    struct cs_sum is = cs_index_product(p.r, a.lo, b.lo);
    return (struct cs_sum_range){is, is};
}

/* The last store of the block to the variable, which has the address, NULL. */
static const struct cs_stmt *last_store(const struct cs_graph *g, const struct cs_block *b, const struct cs_ref *to)
{
    const struct cs_stmt *last = NULL;
    for (int i = 0; i < b->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[b->stmts[i]];
        bool same = s->kind == CS_STMT_STORE && cs_opnd_same(s->store.base, to->base) && !s->store.pat.stride &&
                    s->store.pat.off == to->pat.off && s->store.size == to->size;
        last = same ? s : last;
    }
    return last;
}

/* Is it the load's variable, and a number more? */
static bool is_next(const struct cs_graph *g, const struct cs_stmt *store, const struct cs_stmt *load)
{
    const struct cs_stmt *d = cs_index_def_of(g, cs_moved_from(g, store->uses[0]));
    const struct cs_stmt *of = cs_index_is_op(d, CS_OP_ADD) ? cs_index_def_of(g, cs_moved_from(g, d->uses[0])) : NULL;
    return of && of->kind == CS_STMT_LOAD && cs_opnd_same(of->load.base, load->load.base) &&
           of->load.pat.off == load->load.pat.off && d->uses[1].kind == CS_OPND_CONST && d->uses[1].pat.off > 0;
}

/* The load reads the counter of a loop at its head, from memory, as one of which the loop passes the address: where
 * that begins, as it is stored in front of the loop; NULL: it is no such load. */
static const struct cs_stmt *counter_start(const struct cs_graph *g, const struct cs_stmt *load)
{
    const struct cs_func *f = &g->funcs[load->func];
    const struct cs_stmt *start = NULL;
    bool next = false;
    if (load->load.base.kind != CS_OPND_ADDR || load->load.pat.stride ||
        g->objs[load->load.base.id].kind != CS_OBJ_LOCAL)
        return NULL;
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            if (f->blocks[b].succs[i] != load->block)
                continue;
            const struct cs_stmt *s = last_store(g, &f->blocks[b], &load->load);
            bool is = s && is_next(g, s, load);
            if (!s || (!is && start))
                return NULL;
            next |= is;
            start = is ? start : s;
        }
    return next ? start : NULL;
}

struct cs_sum_range cs_index_range_of(struct cs_index_place p, struct cs_operand op, int depth)
{
    op = cs_moved_from(p.r->g, op);
    const struct cs_stmt *d = cs_index_def_of(p.r->g, op);
    int k = d ? -1 : cs_param_number(p.r->g, p.func, op);
    struct cs_sum_range is = cs_index_lost_range();
    if (!cs_index_step(p.r))
        return is;
    if (p.bind && op.kind == CS_OPND_VALUE && op.id == p.bind->value)
        return (struct cs_sum_range){cs_sum_number(p.bind->number), cs_sum_number(p.bind->number)};
    if (op.kind == CS_OPND_CONST)
        return (struct cs_sum_range){cs_sum_number(op.pat.off), cs_sum_number(op.pat.off)};
    if (d && depth > 0 && d->kind == CS_STMT_PHI)
        is = cs_index_start_of(p.r->g, d) >= 0            ? loop_range(p, d, depth)
             : !p.surely && stepped_start(p.r->g, d) >= 0 ? stepped_range(p, d, depth)
                                                          : merged_range(p, d, depth);
    else if (depth > 0 && (cs_index_is_op(d, CS_OP_ADD) || cs_index_is_op(d, CS_OP_SUB)))
        is = cs_sum_plus_range(cs_index_range_of(p, d->uses[0], depth - 1), cs_index_range_of(p, d->uses[1], depth - 1),
                               d->op == CS_OP_ADD ? 1 : -1);
    else if (depth > 0 && cs_index_is_op(d, CS_OP_MUL))
        is = product_range(p, d, depth);
    else if (depth > 0 && is_size(d))
        is = cs_index_range_of(p, d->uses[0], depth - 1);
    else if (d && depth > 0 && d->kind == CS_STMT_LOAD && d->load.size > 0) {
        const struct cs_stmt *start = p.surely ? NULL : counter_start(p.r->g, d);
        struct cs_sum from = start ? cs_index_range_of(p, start->uses[0], depth - 1).lo : cs_sum_lost(),
                      to = from.lost ? from : limit_of(p, d, depth);
        is = to.lost ? variable(p, d->load.base, d->load.pat) : (struct cs_sum_range){from, to};
    } else if (k >= 0)
        is = argument(p, k, depth);
    bool carried = d && d->kind == CS_STMT_PHI && is_carried(p.r, d);
    return is.lo.lost && is.hi.lost && !carried ? unknown(p, op) : is;
}
