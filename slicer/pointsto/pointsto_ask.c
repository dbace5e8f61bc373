/* SPDX-License-Identifier: GPL-3.0-or-later
 * The questions of pointsto.h, answered from the solved sets.
 * What was never reached is empty.
 * Asking changes nothing but the list of a node's members, and a set that holds the answer for an operand that is no
 * value. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>

const struct cs_loc *cs_pts_loc(const struct cs_pts *p, int loc)
{
    assert(loc >= 0 && loc < p->nlocs);
    return &p->locs[loc];
}

/* Members of which one stands for all lost objects. */
static void list_lost(struct cs_pts *p, const struct node *nd, struct cs_intlist *out)
{
    struct cs_bits all = {0};
    for (int i = cs_bits_next(&nd->members, 0); i >= 0; i = cs_bits_next(&nd->members, i + 1))
        if (i != p->lost_loc)
            cs_bits_add(&all, i);
    for (int o = 0; o < p->ninfo; o++)
        if (p->info[o].lost)
            cs_bits_add(&all, cs_pts_intern_loc(p, o, cs_pat_any()));
    cs_bits_list(&all, out);
    cs_bits_free(&all);
}

/* The members, sorted: made when they are asked for, as most are not. */
static const struct cs_intset *listed(struct cs_pts *p, struct node *nd)
{
    struct cs_intlist all = {0};
    if (nd->listed == nd->nmembers)
        return &nd->set;
    assert(!nd->set.a); /* the sets of a solution grow no more */
    if (p->lost_loc >= 0 && cs_bits_has(&nd->members, p->lost_loc))
        list_lost(p, nd, &all);
    else
        cs_bits_list(&nd->members, &all);
    nd->listed = nd->nmembers;
    nd->set = (struct cs_intset){all.n, all.cap, all.a};
    return &nd->set;
}

const struct cs_intset *cs_pts_operand(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE) {
        static const struct cs_intset empty;
        if (op.id >= p->nvalue_node || p->value_node[op.id] < 0)
            return &empty;
        return listed(p, &p->nodes[cs_pts_find(p, p->value_node[op.id])]);
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
    int home = cs_pts_home(p, obj);
    if (op.kind == CS_OPND_ADDR) {
        int named = op.id < p->nalias && p->alias[op.id] >= 0 ? p->alias[op.id] : op.id;
        return named == obj || cs_pts_home(p, named) == obj;
    }
    if (op.kind != CS_OPND_VALUE || op.id >= p->nvalue_node || p->value_node[op.id] < 0 || home >= p->ninfo)
        return false;
    const struct cs_bits *members = &p->nodes[cs_pts_find(p, p->value_node[op.id])].members,
                         *locs = &p->info[home].locs;
    for (int i = cs_bits_next(locs, 0); i >= 0; i = cs_bits_next(locs, i + 1))
        if (cs_bits_has(members, i))
            return true;
    return false;
}

bool cs_pts_lost(const struct cs_pts *p, int obj)
{
    return cs_pts_home(p, obj) != obj;
}

int cs_pts_stand_in(const struct cs_pts *p)
{
    return p->lost_obj;
}

typedef void place_fn(void *arg, int obj, struct cs_pattern pat, int64_t size);

/* Of a place without end that begins with an array which is a member: the same place, told by the struct. */
static struct cs_ref whole_member(const struct cs_pts *p, const struct cs_ref *r)
{
    struct cs_operand op = r->base;
    for (int steps = 0; op.kind == CS_OPND_VALUE && p->g->values[op.id].def >= 0 && steps < 4; steps++) {
        const struct cs_stmt *s = &p->g->stmts[p->g->values[op.id].def];
        if (s->kind != CS_STMT_ASSIGN || !s->nuses || (s->op != CS_OP_COPY && s->op != CS_OP_FIELD))
            break;
        op = s->uses[0];
        if (s->op == CS_OP_FIELD)
            return s->nuses == 1 ? (struct cs_ref){op, s->load.pat, r->size} : *r;
    }
    return *r;
}

/* Locations that the operand may hold; `as_one`: of all in lost objects only the one that stands for them. */
static struct cs_intlist list_locs(struct cs_pts *p, struct cs_operand op, bool as_one)
{
    struct cs_intlist out = {0};
    const struct cs_intset *s;
    if (as_one && op.kind == CS_OPND_VALUE) {
        if (op.id < p->nvalue_node && p->value_node[op.id] >= 0)
            cs_bits_list(&p->nodes[cs_pts_find(p, p->value_node[op.id])].members, &out);
        return out;
    }
    s = cs_pts_operand(p, op);
    for (int i = 0; i < s->n; i++)
        cs_intlist_add(&out, s->a[i]);
    return out;
}

void cs_pts_objects_as_one(struct cs_pts *p, struct cs_operand op, struct cs_intset *objs)
{
    struct cs_intlist locs = list_locs(p, op, true);
    for (int i = 0; i < locs.n; i++)
        if (p->locs[locs.a[i]].obj >= 0)
            cs_intset_add(objs, cs_pts_home(p, p->locs[locs.a[i]].obj));
    cs_intlist_free(&locs);
}

/* How each_place() tells places: of accesses or of references; lost objects as one or one by one. */
struct place_way {
    bool access, as_one;
};

static void each_place(struct cs_pts *p, const struct cs_ref *r, struct place_way way, place_fn *fn, void *arg)
{
    bool access = way.access;
    struct cs_ref ref = access && r->size < 0 && cs_pat_equal(r->pat, cs_pat_at(0)) ? whole_member(p, r) : *r;
    struct cs_intlist locs = list_locs(p, ref.base, way.as_one);
    for (int i = 0; i < locs.n; i++) {
        struct cs_pattern pat;
        struct cs_loc l = p->locs[locs.a[i]];
        int64_t size = ref.size;
        if (!cs_pts_access_pattern(p, &l, ref.pat, &pat))
            continue;
        if (access)
            pat = cs_pat_normal(cs_pat_access(l.pat, ref.pat, &size), p->g->objs[l.obj].size);
        fn(arg, l.obj, pat, size);
    }
    cs_intlist_free(&locs);
}

void cs_pts_places(struct cs_pts *p, const struct cs_ref *r, place_fn *fn, void *arg)
{
    each_place(p, r, (struct place_way){false, false}, fn, arg);
}

void cs_pts_places_as_one(struct cs_pts *p, const struct cs_ref *r, place_fn *fn, void *arg)
{
    each_place(p, r, (struct place_way){false, true}, fn, arg);
}

void cs_pts_accesses(struct cs_pts *p, const struct cs_ref *r, place_fn *fn, void *arg)
{
    each_place(p, r, (struct place_way){true, false}, fn, arg);
}

void cs_pts_accesses_as_one(struct cs_pts *p, const struct cs_ref *r, place_fn *fn, void *arg)
{
    each_place(p, r, (struct place_way){true, true}, fn, arg);
}

void cs_pts_stored(struct cs_pts *p, int obj, struct cs_intset *objs)
{
    obj = cs_pts_home(p, obj);
    for (int c = 0; obj < p->ninfo && c < p->info[obj].ncells; c++) {
        const struct cs_intset *s = listed(p, &p->nodes[cs_pts_find(p, p->info[obj].cells[c].store)]);
        for (int i = 0; i < s->n; i++)
            if (p->locs[s->a[i]].obj >= 0)
                cs_intset_add(objs, p->locs[s->a[i]].obj);
    }
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
    obj = cs_pts_home(p, obj);
    return obj < p->ninfo && p->info[obj].escaped;
}

int cs_pts_widened(const struct cs_pts *p)
{
    return p->nlost;
}

bool cs_pts_constant(struct cs_pts *p, struct cs_operand op, int64_t *val)
{
    const struct cs_intset *s = cs_pts_operand(p, op);
    if (s->n != 1 || p->locs[s->a[0]].obj != CS_LOC_CONST)
        return false;
    *val = p->locs[s->a[0]].pat.off;
    return true;
}
