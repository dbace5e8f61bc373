/* SPDX-License-Identifier: GPL-3.0-or-later
 * Locations, the nodes that hold sets of them, and the edges along which they flow.
 * Sets are kept small: many constants become "any integer", many offsets of one object a stride.
 * An edge or hook that is new sees at once what is there already. */
#include "pointsto_parts.h"

#include <stdlib.h>
#include <string.h>

uint32_t cs_pts_hash_pattern(uint32_t h, const struct cs_pattern *p)
{
    return cs_hash(cs_hash(cs_hash(cs_hash(h, p->off), p->stride), p->lo), p->hi);
}

struct loc_query { const struct cs_loc *locs, *key; };

static bool same_loc(const void *what, int i, int unused)
{
    const struct loc_query *q = what;
    (void)unused;
    return q->locs[i].obj == q->key->obj && cs_pat_equal(q->locs[i].pat, q->key->pat);
}

int cs_pts_intern_loc(struct cs_pts *p, int obj, struct cs_pattern pat)
{
    struct cs_loc key = { 0 };
    if (obj >= 0 && obj < p->nalias && p->alias[obj] >= 0) { obj = p->alias[obj]; pat = cs_pat_any(); }
    key.obj = obj;
    if (obj >= 0) {
        key.pat = cs_pat_normal(pat, p->g->objs[obj].size);
        if (p->info && obj < p->ninfo && p->info[obj].collapsed) key.pat = cs_pat_normal(cs_pat_any(), p->g->objs[obj].size);
    } else if (obj == CS_LOC_CONST) {
        key.pat.off = pat.off;
    }
    uint32_t h = cs_pts_hash_pattern(cs_hash(0, key.obj), &key.pat);
    int found = cs_pairset_find(&p->loc_set, h, same_loc, &(struct loc_query){ p->locs, &key });
    if (found >= 0) return found;
    CS_GROW(p->locs, p->nlocs, p->alocs);
    p->locs[p->nlocs] = key;
    cs_pairset_add(&p->loc_set, h, p->nlocs, 0);
    cs_intlist_add(&p->next_loc, obj >= 0 ? cs_pts_obj_info(p, obj)->last_loc - 1 : -1);
    if (obj >= 0) cs_pts_obj_info(p, obj)->last_loc = p->nlocs + 1;
    return p->nlocs++;
}

int cs_pts_new_node(struct cs_pts *p)
{
    CS_GROW(p->nodes, p->nnodes, p->anodes);
    memset(&p->nodes[p->nnodes], 0, sizeof *p->nodes);
    return p->nnodes++;
}

int cs_pts_value_node(struct cs_pts *p, int v)
{
    if (v >= p->nvalue_node) {
        int n = p->g->nvalues + 256;
        p->value_node = cs_realloc(p->value_node, n * sizeof *p->value_node);
        for (int i = p->nvalue_node; i < n; i++) p->value_node[i] = -1;
        p->nvalue_node = n;
    }
    if (p->value_node[v] < 0) p->value_node[v] = cs_pts_new_node(p);
    return p->value_node[v];
}

struct objinfo *cs_pts_obj_info(struct cs_pts *p, int obj)
{
    if (obj >= p->ninfo) {
        int n = p->g->nobjs + 64;
        p->info = cs_realloc(p->info, n * sizeof *p->info);
        memset(p->info + p->ninfo, 0, (n - p->ninfo) * sizeof *p->info);
        p->ninfo = n;
    }
    return &p->info[obj];
}

static void enqueue(struct cs_pts *p, int n)
{
    if (p->nodes[n].queued) return;
    p->nodes[n].queued = true;
    cs_intlist_add(&p->work, n);
}

static void add_member(struct cs_pts *p, int n, int loc)
{
    struct node *nd = &p->nodes[n];
    if (!cs_bits_add(&nd->members, loc)) return;
    cs_intset_add(&nd->set, loc);
    cs_bits_add(&nd->offered, loc);
    cs_bits_add(&nd->pending, loc);
    enqueue(p, n);
}

static void add_constant(struct cs_pts *p, int n, int loc)
{
    struct node *nd = &p->nodes[n];
    if (cs_bits_has(&nd->members, LOC_INT) && p->locs[loc].pat.off != 0) return;
    if (nd->nconsts >= MAX_CONSTS) { cs_pts_add_loc(p, n, LOC_INT); return; }
    nd->nconsts++;
    add_member(p, n, loc);
}

/* Of locations of one object, so many are kept as they are; then one that is wider than all of them. */
static void add_place(struct cs_pts *p, int n, int loc)
{
    const struct node *nd = &p->nodes[n];
    struct cs_loc l = p->locs[loc];
    struct cs_pattern join = l.pat;
    int same = 0;
    int64_t apart = 0;
    for (int i = p->info[l.obj].last_loc - 1; i >= 0; i = p->next_loc.a[i]) {
        const struct cs_pattern *o = &p->locs[i].pat;
        if (!cs_bits_has(&nd->members, i)) continue;
        if (cs_pat_covers(*o, l.pat)) return;
        same++;
        join = cs_pat_spread(join, o->off - l.pat.off);
        join = cs_pat_spread(join, o->stride);
        if (o->lo < join.lo) join.lo = o->lo;
        if (o->hi > join.hi) join.hi = o->hi;
        apart |= o->off - l.pat.off;
    }
    if (same >= MAX_OFFSETS) loc = cs_pts_intern_loc(p, l.obj, apart ? join : cs_pat_any());
    add_member(p, n, loc);
}

void cs_pts_add_loc(struct cs_pts *p, int n, int loc)
{
    if (loc < 0 || !cs_bits_add(&p->nodes[n].offered, loc)) return;
    int obj = p->locs[loc].obj;
    if (obj == CS_LOC_CONST) add_constant(p, n, loc);
    else if (obj >= 0) add_place(p, n, loc);
    else add_member(p, n, loc);
}

void cs_pts_move(struct cs_pts *p, const struct cs_bits *what, struct edge e)
{
    static const struct cs_bits none;
    struct cs_intlist locs = { 0 };
    cs_bits_without(what, e.kind == EDGE_COPY ? &p->nodes[e.to].offered : &none, &locs);
    int any = locs.n && locs.a[0] == LOC_INT;    /* last: constants that came before it stay beside it */
    for (int i = any; i < locs.n; i++) cs_pts_add_loc(p, e.to, cs_pts_move_loc(p, locs.a[i], e.kind, e.amount));
    if (any) cs_pts_add_loc(p, e.to, cs_pts_move_loc(p, LOC_INT, e.kind, e.amount));
    cs_intlist_free(&locs);
}

int cs_pts_move_loc(struct cs_pts *p, int loc, enum edge_kind kind, int64_t amount)
{
    struct cs_loc l = p->locs[loc];
    switch (kind) {
    case EDGE_COPY: return loc;
    case EDGE_OUTSIDE: if (l.obj >= 0) return cs_pts_intern_loc(p, l.obj, cs_pat_any()); /* fall through */
    case EDGE_NO_CONST: return l.obj == CS_LOC_CONST && l.pat.off != 0 ? LOC_INT : loc;
    case EDGE_SHIFT:
        if (l.obj == CS_LOC_CONST) {
            int64_t sum;
            if (__builtin_add_overflow(l.pat.off, amount, &sum)) return LOC_INT;
            return cs_pts_intern_loc(p, CS_LOC_CONST, cs_pat_at(sum));
        }
        return l.obj < 0 ? loc : cs_pts_intern_loc(p, l.obj, cs_pat_shift(l.pat, amount));
    case EDGE_SPREAD:
        return l.obj < 0 ? LOC_INT : cs_pts_intern_loc(p, l.obj, cs_pat_spread(l.pat, amount));
    case EDGE_CONTEXT: return cs_pts_move_context(p, loc, amount);
    case EDGE_FIELD:
        if (l.obj == CS_LOC_CONST) return LOC_INT;
        return l.obj < 0 ? loc : cs_pts_intern_loc(p, l.obj, cs_pat_compose(l.pat, p->pats[amount]));
    }
    return loc;
}

struct edge_query { const struct cs_pts *p; int from; struct edge e; };

static bool same_edge(const void *what, int from, int i)
{
    const struct edge_query *q = what;
    const struct edge *e = &q->p->nodes[from].edges[i];
    return from == q->from && e->to == q->e.to && e->kind == q->e.kind && e->amount == q->e.amount;
}

void cs_pts_add_edge(struct cs_pts *p, int from, int to, enum edge_kind kind, int64_t amount)
{
    struct node *nd = &p->nodes[from];
    struct edge e = { to, kind, amount };
    if (from == to && kind == EDGE_COPY) return;
    uint32_t h = cs_hash(cs_hash(cs_hash(0, from), to), (int64_t)kind ^ amount * 8);
    if (cs_pairset_has(&p->edge_set, h, same_edge, &(struct edge_query){ p, from, e })) return;
    cs_pairset_add(&p->edge_set, h, from, nd->nedges);
    CS_GROW(nd->edges, nd->nedges, nd->aedges);
    nd->edges[nd->nedges++] = e;
    if (from != to) cs_pts_move(p, &p->nodes[from].members, e);
    for (int i = 0; i < p->nodes[from].set.n && from == to; i++) {
        int before = p->nodes[from].set.n;
        cs_pts_add_loc(p, to, cs_pts_move_loc(p, p->nodes[from].set.a[i], kind, amount));
        if (p->nodes[from].set.n != before) i = -1;   /* the set has changed under us */
    }
}

void cs_pts_add_hook(struct cs_pts *p, int n, enum hook_kind kind, int index)
{
    struct node *nd = &p->nodes[n];
    CS_GROW(nd->hooks, nd->nhooks, nd->ahooks);
    nd->hooks[nd->nhooks++] = (struct hook){ kind, index };
    int count = nd->set.n;
    int *copy = cs_calloc(count ? count : 1, sizeof *copy);
    if (count) memcpy(copy, nd->set.a, count * sizeof *copy);
    for (int i = 0; i < count; i++) cs_pts_run_hook(p, (struct hook){ kind, index }, copy[i]);
    free(copy);
}

int cs_pts_operand_node(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE) return cs_pts_value_node(p, op.id);
    int n = cs_pts_new_node(p);
    switch (op.kind) {
    case CS_OPND_CONST: cs_pts_add_loc(p, n, cs_pts_intern_loc(p, CS_LOC_CONST, op.pat)); break;
    case CS_OPND_ADDR: cs_pts_add_loc(p, n, cs_pts_intern_loc(p, op.id, op.pat)); break;
    default: cs_pts_add_loc(p, n, LOC_INT);
    }
    return n;
}

void cs_pts_flow(struct cs_pts *p, struct cs_operand from, int to, enum edge_kind kind, int64_t amount)
{
    if (from.kind == CS_OPND_VALUE) { cs_pts_add_edge(p, cs_pts_value_node(p, from.id), to, kind, amount); return; }
    int loc = LOC_INT;
    if (from.kind == CS_OPND_CONST) loc = cs_pts_intern_loc(p, CS_LOC_CONST, from.pat);
    if (from.kind == CS_OPND_ADDR) loc = cs_pts_intern_loc(p, from.id, from.pat);
    cs_pts_add_loc(p, to, cs_pts_move_loc(p, loc, kind, amount));
}
