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

/* The members, sorted: made when they are asked for, as most are not. */
static const struct cs_intset *listed(struct node *nd)
{
    struct cs_intlist all = {0};
    if (nd->listed == nd->nmembers)
        return &nd->set;
    assert(!nd->set.a); /* the sets of a solution grow no more */
    cs_bits_list(&nd->members, &all);
    nd->listed = nd->nmembers;
    nd->set = (struct cs_intset){all.n, all.cap, all.a};
    return &nd->set;
}

/* The node of a value that has one, else -1. */
static int node_of(const struct cs_pts *p, struct cs_operand op)
{
    bool has = op.kind == CS_OPND_VALUE && op.id < p->nvalue_node && p->value_node[op.id] >= 0;
    return has ? cs_pts_find((struct cs_pts *)p, p->value_node[op.id]) : -1;
}

const struct cs_intset *cs_pts_operand(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE) {
        static const struct cs_intset empty;
        int n = node_of(p, op);
        return n < 0 ? &empty : listed(&p->nodes[n]);
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

bool cs_pts_is_stand_in(const struct cs_pts *p, int obj)
{
    for (int k = 0; p->closed && k < STANDS; k++)
        if (obj == p->stand[k].obj)
            return true;
    return obj >= 0 && obj == p->lost_obj;
}

bool cs_pts_lost_its_way(const struct cs_pts *p, struct cs_operand op)
{
    int n = node_of(p, op);
    for (int loc = LOC_LOST; n >= 0 && loc < LOC_ZERO; loc++)
        if (cs_bits_has(&p->nodes[n].members, loc))
            return true;
    return false;
}

/* Does the node hold the location, or one that stands for it, or for which it stands? */
static bool holds(const struct cs_pts *p, int n, int loc)
{
    int k = cs_pts_stands(p, loc);
    if (cs_bits_has(&p->nodes[n].members, loc) || cs_pts_is_stood_for(p, n, loc))
        return true;
    return k >= 0 && cs_bits_meet(&p->nodes[n].members, &p->nodes[p->stand[k].node].members);
}

bool cs_pts_may_point_to(struct cs_pts *p, struct cs_operand op, int obj)
{
    int home = cs_pts_home(p, obj), n = node_of(p, op);
    if (op.kind == CS_OPND_ADDR) {
        int named = op.id < p->nalias && p->alias[op.id] >= 0 ? p->alias[op.id] : op.id;
        return named == obj || cs_pts_home(p, named) == obj || cs_pts_is_stand_in(p, obj);
    }
    if (n < 0 || home >= p->ninfo)
        return false;
    const struct cs_bits *locs = &p->info[home].locs;
    if (!p->closed) /* none stands for others */
        return cs_bits_meet(locs, &p->nodes[n].members);
    for (int i = cs_bits_next(locs, 0); i >= 0; i = cs_bits_next(locs, i + 1))
        if (holds(p, n, i))
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

/* Adds any place in each lost object. */
static void list_lost(struct cs_pts *p, struct cs_intlist *out)
{
    for (int o = 0; o < p->ninfo; o++)
        if (p->info[o].lost)
            cs_intlist_add(out, cs_pts_intern_loc(p, o, cs_pat_any()));
}

/* Locations in memory that the operand may hold; `as_one`: of all in lost objects only the one that stands for them. */
static struct cs_intlist list_locs(struct cs_pts *p, struct cs_operand op, bool as_one)
{
    struct cs_intlist out = {0};
    const struct cs_intset *s = cs_pts_operand(p, op);
    for (int i = 0; i < s->n; i++) {
        int k = cs_pts_stands(p, s->a[i]);
        if (k == STAND_OTHERS)
            cs_bits_list(&p->nodes[p->stand[k].node].members, &out);
        else if (k < 0 && (as_one || s->a[i] != p->lost_loc))
            cs_intlist_add(&out, s->a[i]);
    }
    if (!as_one && p->lost_loc >= 0 && cs_intset_has(s, p->lost_loc))
        list_lost(p, &out);
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
    struct cs_intlist all = {0};
    for (int c = 0; obj < p->ninfo && c < p->info[obj].ncells; c++)
        cs_pts_list_all(p, cs_pts_find(p, p->info[obj].cells[c].store), &all);
    for (int i = 0, last = -1; i < all.n; i++) {
        int o = p->locs[all.a[i]].obj;
        if (o >= 0 && o != last) /* places of one object lie close together */
            cs_intset_add(objs, o);
        last = o;
    }
    cs_intlist_free(&all);
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

bool cs_pts_closed(const struct cs_pts *p)
{
    return p->closed;
}

bool cs_pts_constant(struct cs_pts *p, struct cs_operand op, int64_t *val)
{
    const struct cs_intset *s = cs_pts_operand(p, op);
    if (s->n != 1 || p->locs[s->a[0]].obj != CS_LOC_CONST)
        return false;
    *val = p->locs[s->a[0]].pat.off;
    return true;
}
