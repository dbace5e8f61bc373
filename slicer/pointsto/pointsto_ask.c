/* SPDX-License-Identifier: GPL-3.0-or-later
 * The questions of pointsto.h, answered from the solved sets.
 * What was never reached is empty.
 * Asking changes nothing but the list of a node's members, and a set that holds the answer for an operand that is no
 * value. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct cs_loc *cs_pts_loc(const struct cs_pts *p, int loc)
{
    assert(loc >= 0 && loc < p->nlocs);
    return &p->locs[loc];
}

/* The members, sorted: made when they are asked for, as most are not. */
static const struct cs_intset *listed(struct node *nd)
{
    struct cs_intlist all = {0};
    if (nd->set.n == nd->nmembers)
        return &nd->set;
    cs_bits_list(&nd->members, &all);
    assert(!nd->set.a && all.n == nd->nmembers); /* the sets of a solution grow no more */
    nd->set = (struct cs_intset){all.n, all.cap, all.a};
    return &nd->set;
}

const struct cs_intset *cs_pts_operand(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE) {
        static const struct cs_intset empty;
        if (op.id >= p->nvalue_node || p->value_node[op.id] < 0)
            return &empty;
        return listed(&p->nodes[p->value_node[op.id]]);
    }
    p->scratch.n = 0;
    int loc = LOC_INT;
    if (op.kind == CS_OPND_CONST)
        loc = cs_pts_intern_loc(p, CS_LOC_CONST, op.pat);
    if (op.kind == CS_OPND_ADDR)
        loc = cs_pts_intern_loc(p, op.id, op.pat);
    cs_intset_add(&p->scratch, loc);
    return &p->scratch;
}

bool cs_pts_may_point_to(struct cs_pts *p, struct cs_operand op, int obj)
{
    if (op.kind == CS_OPND_ADDR)
        return (op.id < p->nalias && p->alias[op.id] >= 0 ? p->alias[op.id] : op.id) == obj;
    if (op.kind != CS_OPND_VALUE)
        return false;
    const struct cs_intset *s = cs_pts_operand(p, op);
    for (int i = 0; i < s->n; i++)
        if (p->locs[s->a[i]].obj == obj)
            return true;
    return false;
}

void cs_pts_places(struct cs_pts *p, const struct cs_ref *r, void (*fn)(void *, int, struct cs_pattern, int64_t),
                   void *arg)
{
    const struct cs_intset *s = cs_pts_operand(p, r->base);
    int n = s->n, *a = cs_calloc(n ? n : 1, sizeof *a);
    if (n)
        memcpy(a, s->a, n * sizeof *a);
    for (int i = 0; i < n; i++) {
        struct cs_pattern pat;
        struct cs_loc l = p->locs[a[i]];
        if (cs_pts_access_pattern(p, &l, r->pat, &pat))
            fn(arg, l.obj, pat, r->size);
    }
    free(a);
}

const struct cs_intset *cs_pts_callees(const struct cs_pts *p, int stmt)
{
    static const struct cs_intset empty;
    return stmt < p->ncallees ? &p->callees[stmt] : &empty;
}

bool cs_pts_func_reached(const struct cs_pts *p, int func)
{
    return func < p->nreached && p->reached[func];
}

bool cs_pts_escaped(const struct cs_pts *p, int obj)
{
    return obj < p->ninfo && p->info[obj].escaped;
}

bool cs_pts_constant(struct cs_pts *p, struct cs_operand op, int64_t *val)
{
    const struct cs_intset *s = cs_pts_operand(p, op);
    if (s->n != 1 || p->locs[s->a[0]].obj != CS_LOC_CONST)
        return false;
    *val = p->locs[s->a[0]].pat.off;
    return true;
}
