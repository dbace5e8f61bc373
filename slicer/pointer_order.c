/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds kept statements that depend on the order of addresses; pointer_order.h. Points-to knows an object on the heap
 * by its allocation site, and pointers are told apart by their offset in it. */
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

/* The statement that computes the operand, before copies and conversions that keep addresses; NULL: it is not known. */
static const struct cs_stmt *origin(const struct cs_graph *g, struct cs_operand op)
{
    enum { MOST = 20 };
    const struct cs_stmt *def = NULL;
    for (int i = 0; i < MOST && op.kind == CS_OPND_VALUE && g->values[op.id].def >= 0; i++) {
        def = &g->stmts[g->values[op.id].def];
        if (def->kind != CS_STMT_ASSIGN || def->op != CS_OP_COPY || def->nuses != 1)
            return def;
        op = def->uses[0];
    }
    return NULL;
}

/* Is it a real number, or a part of memory that is too short for an address? */
static bool is_no_address(const struct cs_graph *g, struct cs_operand op)
{
    const struct cs_stmt *def = origin(g, op);
    if (!def || def->source < 0)
        return false;
    if (def->kind == CS_STMT_LOAD)
        return !def->bits || (def->load.size > 0 && def->load.size < (int64_t)sizeof(void *));
    return (def->kind == CS_STMT_ASSIGN || def->kind == CS_STMT_PHI) && !def->bits;
}

/* Is its address another one in the slice? Symbols that are defined elsewhere may be the linker's, as the ends of a
 * section are. `heap`: only objects there. */
static bool has_order(const struct cs_obj *o, bool heap)
{
    if (o->kind == CS_OBJ_HEAP || heap)
        return o->kind == CS_OBJ_HEAP;
    return !o->external && (o->kind == CS_OBJ_GLOBAL || o->kind == CS_OBJ_LOCAL || o->kind == CS_OBJ_FUNC);
}

/* May it be the address of data? What may also be that of a function then has lost its way. */
static bool may_be_data(const struct cs_graph *g, struct cs_pts *pts, const struct cs_intset *set)
{
    bool data = false;
    for (int i = 0; set && i < set->n && !data; i++) {
        int obj = cs_pts_loc(pts, set->a[i])->obj;
        data = obj >= 0 && g->objs[obj].kind != CS_OBJ_FUNC;
    }
    return data;
}

/* The places, by number of their location, that the operand may be the address of. An object on the heap whose size is
 * known is mostly no array: there other places of it do not count. */
static struct cs_intset places(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand op, bool heap)
{
    struct cs_intset all = {0}, exact = {0};
    bool may = op.kind == CS_OPND_VALUE && !is_no_address(g, op);
    const struct cs_intset *set = may ? cs_pts_operand(pts, op) : NULL;
    bool data = may_be_data(g, pts, set);
    for (int i = 0; set && i < set->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, set->a[i]);
        if (l->obj >= 0 && has_order(&g->objs[l->obj], heap) && !l->pat.stride &&
            !(data && g->objs[l->obj].kind == CS_OBJ_FUNC))
            cs_intset_add(&all, set->a[i]);
    }
    for (int i = 0; i < all.n; i++) {
        int obj = cs_pts_loc(pts, all.a[i])->obj;
        bool single = g->objs[obj].kind == CS_OBJ_HEAP && g->objs[obj].size > 0;
        if (single || !moves(pts, op, obj))
            cs_intset_add(&exact, all.a[i]);
    }
    cs_intset_free(&all);
    return exact;
}

/* The same place of one allocation site is one of two objects, unless one pointer moves from there and the other does
 * not: these are in one array. A variable is one object. Of code, variables, heap and stack it is known which comes
 * first. */
static bool one_of_each(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand x, struct cs_operand y,
                        const struct cs_loc *at_x, const struct cs_loc *at_y)
{
    enum cs_obj_kind kind = g->objs[at_x->obj].kind;
    if (at_x->pat.off != at_y->pat.off || kind != g->objs[at_y->obj].kind)
        return false;
    if (at_x->obj != at_y->obj)
        return true;
    return kind == CS_OBJ_HEAP && moves(pts, x, at_x->obj) == moves(pts, y, at_y->obj);
}

/* The objects that it may be the address of; none: some are not known, or are no data. */
static struct cs_intset objects(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand op)
{
    const struct cs_intset *set = is_no_address(g, op) ? NULL : cs_pts_operand(pts, op);
    struct cs_intset all = {0};
    bool known = true;
    for (int i = 0; set && i < set->n; i++) {
        int obj = cs_pts_loc(pts, set->a[i])->obj;
        known = known && obj >= 0 && g->objs[obj].kind != CS_OBJ_FUNC && has_order(&g->objs[obj], false);
        if (known)
            cs_intset_add(&all, obj);
    }
    if (!known)
        cs_intset_free(&all);
    return all;
}

/* Are they, wherever in these, addresses of two objects of which it is not known which comes first? */
static bool never_in_one(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand x, struct cs_operand y)
{
    struct cs_intset a = objects(g, pts, x), b = objects(g, pts, y);
    unsigned kinds_a = 0, kinds_b = 0;
    bool shared = false;
    for (int i = 0; i < a.n; i++)
        kinds_a |= 1u << g->objs[a.a[i]].kind;
    for (int i = 0, k = 0; i < b.n && !shared; i++) {
        kinds_b |= 1u << g->objs[b.a[i]].kind;
        while (k < a.n && a.a[k] < b.a[i])
            k++;
        shared = k < a.n && a.a[k] == b.a[i];
    }
    cs_intset_free(&a);
    cs_intset_free(&b);
    return !shared && (kinds_a & kinds_b);
}

/* May the operands be addresses of two objects? */
static bool two_objects(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand x, struct cs_operand y,
                        bool with_sign)
{
    struct cs_intset a = places(g, pts, x, false), b = places(g, pts, y, false);
    bool two = false;
    for (int i = 0; i < a.n && !two; i++)
        for (int k = 0; k < b.n && !two; k++)
            two = one_of_each(g, pts, x, y, cs_pts_loc(pts, a.a[i]), cs_pts_loc(pts, b.a[k]));
    cs_intset_free(&a);
    cs_intset_free(&b);
    return two || (!with_sign && never_in_one(g, pts, x, y));
}

/* Is it a number that counts: the place on the heap that it may be is one of several of the object there? */
static bool counts(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand op)
{
    struct cs_intset on_heap = places(g, pts, op, true);
    bool several = false;
    for (int i = 0; i < on_heap.n && !several; i++)
        several = moves(pts, op, cs_pts_loc(pts, on_heap.a[i])->obj);
    cs_intset_free(&on_heap);
    return several;
}

/* Does it read names of types, and no other address, from constants, as std::type_info::before() does? */
static bool reads_type_name(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand op)
{
    const struct cs_stmt *def = origin(g, op);
    const struct cs_intset *names = cs_pts_operand(pts, op), *from;
    if (!names || !names->n || !def || def->kind != CS_STMT_LOAD || !(from = cs_pts_operand(pts, def->load.base)))
        return false;
    for (int i = 0; i < names->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, names->a[i]);
        if (l->obj >= 0 && (!g->objs[l->obj].unordered || l->pat.off || l->pat.stride))
            return false;
    }
    for (int i = 0; i < from->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, from->a[i]);
        if (l->obj >= 0 && !g->objs[l->obj].readonly)
            return false;
    }
    return from->n > 0;
}

/* A comparison by order. The C++ library compares the addresses of types' names where they are not to be compared by
 * their text, which the names say themselves. Numbers with sign are hardly ever addresses, and none is if one of them
 * counts. */
static bool by_order(const struct cs_graph *g, struct cs_pts *pts, const struct cs_stmt *s)
{
    bool with_sign = s->op >= CS_OP_LT && s->op <= CS_OP_GE;
    if (s->nuses != 2 || (s->op != CS_OP_ORDER && !with_sign) ||
        !two_objects(g, pts, s->uses[0], s->uses[1], with_sign))
        return false;
    if (reads_type_name(g, pts, s->uses[0]) && reads_type_name(g, pts, s->uses[1]))
        return false;
    return !with_sign || (!counts(g, pts, s->uses[0]) && !counts(g, pts, s->uses[1]));
}

/* May it be an address on the heap, at any place of an object there? */
static bool may_be_on_heap(const struct cs_graph *g, struct cs_pts *pts, struct cs_operand op)
{
    const struct cs_intset *set = is_no_address(g, op) ? NULL : cs_pts_operand(pts, op);
    bool may = false;
    for (int i = 0; set && i < set->n && !may; i++) {
        int obj = cs_pts_loc(pts, set->a[i])->obj;
        may = obj >= 0 && g->objs[obj].kind == CS_OBJ_HEAP;
    }
    return may;
}

/* Arithmetic that makes a hash of an address: divided by what the program computes, or shifted. Masks of the lowest
 * bits, which are those of the alignment, do not count. */
static bool makes_number(const struct cs_graph *g, struct cs_pts *pts, const struct cs_stmt *s)
{
    if (s->kind != CS_STMT_ASSIGN || !s->bits || (s->op != CS_OP_OTHER && s->op != CS_OP_MIX) || s->nuses != 2)
        return false;
    int64_t n;
    bool shift = cs_pts_constant(pts, s->uses[1], &n) && n > 2 && n < 64 && (n & (n + 1));
    struct cs_intset a = places(g, pts, s->uses[0], true), b = places(g, pts, s->uses[1], true);
    bool address = a.n > 0 && b.n == 0 && (shift || s->uses[1].kind == CS_OPND_VALUE);
    if (address && s->op == CS_OP_MIX && may_be_on_heap(g, pts, s->uses[1]))
        address = false; /* the links of a list in one word: with one of the two the other one comes back */
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
