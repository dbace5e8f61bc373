/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds kept statements that depend on the order of heap addresses; pointer_order.h. Points-to knows an object by its
 * allocation site, and pointers are told apart by their offset in it. */
#include "slicer/pointer_order.h"

/* Does the operand move through the object: does it point there at more than one place? */
static bool moves(struct cs_pts *pts, struct cs_operand op, int obj)
{
    const struct cs_intset *set = cs_pts_operand(pts, op);
    int places = 0;
    for (int i = 0; i < set->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, set->a[i]);
        if (l->obj == obj)
            places += l->pat.stride ? 2 : 1;
    }
    return places > 1;
}

/* Is it a part of memory that is too short for an address? */
static bool is_too_short(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *def =
        op.kind == CS_OPND_VALUE && g->values[op.id].def >= 0 ? &g->stmts[g->values[op.id].def] : NULL;
    return def && def->kind == CS_STMT_LOAD && def->has_load && def->load.size > 0 &&
           def->load.size < (int64_t)sizeof(void *);
}

/* The places on the heap, by number of their location, that the operand may be the address of. An object whose size is
 * known is mostly no array: there other places of it do not count. */
static struct cs_intset places(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand op)
{
    struct cs_intset all = {0}, exact = {0};
    bool may = op.kind == CS_OPND_VALUE && !is_too_short(g, op);
    const struct cs_intset *set = may ? cs_pts_operand(pts, op) : NULL;
    for (int i = 0; set && i < set->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, set->a[i]);
        if (l->obj >= 0 && g->objs[l->obj].kind == CS_OBJ_HEAP && !l->pat.stride)
            cs_intset_add(&all, set->a[i]);
    }
    for (int i = 0; i < all.n; i++) {
        int obj = cs_pts_loc(pts, all.a[i])->obj;
        if (g->objs[obj].size > 0 || !moves(pts, op, obj))
            cs_intset_add(&exact, all.a[i]);
    }
    cs_intset_free(&all);
    return exact;
}

/* The same place of one allocation site is one of two objects, unless one pointer moves from there and the other does
 * not: these are in one array. */
static bool one_of_each(struct cs_pts *pts, struct cs_operand x, struct cs_operand y, const struct cs_loc *at_x,
                        const struct cs_loc *at_y)
{
    return at_x->pat.off == at_y->pat.off &&
           (at_x->obj != at_y->obj || moves(pts, x, at_x->obj) == moves(pts, y, at_y->obj));
}

/* May the operands be addresses of two objects? */
static bool two_objects(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand x, struct cs_operand y)
{
    struct cs_intset a = places(g, pts, x), b = places(g, pts, y);
    bool two = false;
    for (int i = 0; i < a.n && !two; i++)
        for (int k = 0; k < b.n && !two; k++)
            two = one_of_each(pts, x, y, cs_pts_loc(pts, a.a[i]), cs_pts_loc(pts, b.a[k]));
    cs_intset_free(&a);
    cs_intset_free(&b);
    return two;
}

/* A comparison by order, or the distance. Those of numbers without sign, as addresses are, have no operation of their
 * own in the graph. */
static bool by_order(const struct cs_graph *g, struct cs_pts *pts, const struct cs_stmt *s)
{
    bool order = s->op == CS_OP_OTHER || (s->op >= CS_OP_LT && s->op <= CS_OP_GE);
    return order && s->nuses == 2 && two_objects(g, pts, s->uses[0], s->uses[1]);
}

/* Arithmetic that makes a hash of an address: divided by what the program computes, or shifted. Masks of the lowest
 * bits, which are those of the alignment, do not count. */
static bool makes_number(const struct cs_graph *g, struct cs_pts *pts, const struct cs_stmt *s)
{
    if (s->kind != CS_STMT_ASSIGN || (s->op != CS_OP_OTHER && s->op != CS_OP_MIX) || s->nuses != 2)
        return false;
    int64_t n;
    bool shift = cs_pts_constant(pts, s->uses[1], &n) && n > 2 && n < 64 && (n & (n + 1));
    struct cs_intset a = places(g, pts, s->uses[0]), b = places(g, pts, s->uses[1]);
    bool address = a.n > 0 && b.n == 0 && (shift || s->uses[1].kind == CS_OPND_VALUE);
    cs_intset_free(&a);
    cs_intset_free(&b);
    return address;
}

void cs_pointer_order_check(const struct cs_graph *g, struct cs_pts *pts, void (*say)(void *arg, int stmt), void *arg)
{
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[i];
        if (!s->keep || s->within || s->source < 0 || (s->kind != CS_STMT_COND && s->kind != CS_STMT_ASSIGN))
            continue;
        if (by_order(g, pts, s) || makes_number(g, pts, s))
            say(arg, i);
    }
}
