/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes, and the edges along which locations flow.
 * An edge or hook that is new sees at once what is there already. */
#include "slicer/pointsto/pointsto_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int cs_pts_new_node(struct cs_pts *p)
{
    CS_GROW(p->nodes, p->nnodes, p->anodes);
    p->nodes[p->nnodes] = (struct node){.up = p->nnodes};
    return p->nnodes++;
}

int cs_pts_value_node(struct cs_pts *p, int v)
{
    assert(v >= 0 && v < p->g->nvalues);
    if (v >= p->nvalue_node) {
        int n = p->g->nvalues + 256;
        p->value_node = cs_realloc(p->value_node, n * sizeof *p->value_node);
        for (int i = p->nvalue_node; i < n; i++)
            p->value_node[i] = -1;
        p->nvalue_node = n;
    }
    if (p->value_node[v] < 0)
        p->value_node[v] = cs_pts_new_node(p);
    int whole = cs_pts_find(p, p->value_node[v]);
    return p->in && p->g->values[v].func == p->instances[p->in].func ? cs_pts_instance_node(p, v, whole) : whole;
}

struct objinfo *cs_pts_obj_info(struct cs_pts *p, int obj)
{
    assert(obj >= 0 && obj < p->g->nobjs);
    if (obj >= p->ninfo) {
        int n = p->g->nobjs + 64;
        p->info = cs_realloc(p->info, n * sizeof *p->info);
        memset(p->info + p->ninfo, 0, (n - p->ninfo) * sizeof *p->info);
        p->ninfo = n;
    }
    return &p->info[obj];
}

void cs_pts_move(struct cs_pts *p, const struct cs_bits *what, struct edge e)
{
    if (e.kind == EDGE_COPY || e.kind == EDGE_NO_CONST) {
        cs_pts_add_locs(p, e.to, what, e.kind == EDGE_COPY);
        return;
    }
    struct cs_intlist locs = {0}; /* moving may make nodes, and then `what` has gone */
    cs_bits_list(what, &locs);
    int any = locs.n && locs.a[0] == LOC_INT; /* last: constants that came before it stay beside it */
    for (int i = any; i < locs.n; i++)
        cs_pts_add_loc(p, e.to, cs_pts_move_loc(p, locs.a[i], e.kind, e.amount));
    if (any)
        cs_pts_add_loc(p, e.to, cs_pts_move_loc(p, LOC_INT, e.kind, e.amount));
    cs_intlist_free(&locs);
}

int cs_pts_move_loc(struct cs_pts *p, int loc, enum edge_kind kind, int64_t amount)
{
    assert(loc >= 0 && loc < p->nlocs);
    struct cs_loc l = p->locs[loc];
    switch (kind) {
    case EDGE_COPY: return loc;
    case EDGE_OUTSIDE:
        if (l.obj >= 0)
            return cs_pts_intern_loc(p, l.obj, cs_pat_any()); /* fall through */
    case EDGE_NO_CONST: return l.obj == CS_LOC_CONST && l.pat.off != 0 ? LOC_INT : loc;
    case EDGE_SHIFT:
        if (l.obj == CS_LOC_CONST) {
            int64_t sum;
            if (__builtin_add_overflow(l.pat.off, amount, &sum))
                return LOC_INT;
            return cs_pts_intern_loc(p, CS_LOC_CONST, cs_pat_at(sum));
        }
        return l.obj < 0 ? loc : cs_pts_intern_loc(p, l.obj, cs_pat_shift(l.pat, amount));
    case EDGE_SPREAD: return l.obj < 0 ? LOC_INT : cs_pts_intern_loc(p, l.obj, cs_pat_spread(l.pat, amount));
    case EDGE_CONTEXT: return cs_pts_move_context(p, loc, amount);
    case EDGE_FIELD:
        if (l.obj == CS_LOC_CONST)
            return LOC_INT;
        return l.obj < 0 ? loc : cs_pts_intern_loc(p, l.obj, cs_pat_compose(l.pat, p->pats[amount]));
    }
    return loc;
}

/* This edge of node `from` is looked for. */
struct edge_query {
    const struct cs_pts *p;
    int from;
    struct edge e;
};

static bool same_edge(const void *what, int from, int i)
{
    const struct edge_query *q = what;
    const struct edge *e = &q->p->nodes[from].edges[i];
    return from == q->from && e->to == q->e.to && e->kind == q->e.kind && e->amount == q->e.amount;
}

static uint32_t edge_hash(int from, struct edge e)
{
    return cs_hash(cs_hash(cs_hash(0, from), e.to), (int64_t)e.kind ^ e.amount * 8);
}

void cs_pts_add_edge(struct cs_pts *p, int from, int to, enum edge_kind kind, int64_t amount)
{
    assert(from >= 0 && from < p->nnodes && to >= 0 && to < p->nnodes);
    from = cs_pts_find(p, from);
    to = cs_pts_find(p, to);
    struct node *nd = &p->nodes[from];
    struct edge e = {to, kind, amount};
    if (from == to && kind == EDGE_COPY)
        return;
    uint32_t h = edge_hash(from, e);
    if (cs_pairset_has(&p->edge_set, h, same_edge, &(struct edge_query){p, from, e}))
        return;
    cs_pairset_add(&p->edge_set, h, from, nd->nedges);
    CS_GROW(nd->edges, nd->nedges, nd->aedges);
    nd->edges[nd->nedges++] = e;
    if (from != to) {
        cs_pts_move(p, &p->nodes[from].members, e);
        return;
    }
    for (int i = cs_bits_next(&p->nodes[from].members, 0), before; i >= 0;) {
        before = p->nodes[from].nmembers;
        cs_pts_add_loc(p, to, cs_pts_move_loc(p, i, kind, amount));
        i = cs_bits_next(&p->nodes[from].members,
                         p->nodes[from].nmembers == before ? i + 1 : 0); /* the set has changed under us */
    }
}

void cs_pts_tidy_edges(struct cs_pts *p)
{
    cs_pairset_free(&p->edge_set);
    for (int n = 0; n < p->nnodes; n++) {
        struct node *nd = &p->nodes[n];
        int left = 0;
        for (int i = 0; i < nd->nedges; i++) {
            struct edge e = nd->edges[i];
            e.to = cs_pts_find(p, e.to);
            uint32_t h = edge_hash(n, e);
            if ((e.to == n && e.kind == EDGE_COPY) ||
                cs_pairset_has(&p->edge_set, h, same_edge, &(struct edge_query){p, n, e}))
                continue;
            cs_pairset_add(&p->edge_set, h, n, left);
            nd->edges[left++] = e;
        }
        nd->nedges = left;
    }
}

void cs_pts_add_hook(struct cs_pts *p, int n, enum hook_kind kind, int index)
{
    assert(n >= 0 && n < p->nnodes);
    struct node *nd = &p->nodes[n = cs_pts_find(p, n)];
    CS_GROW(nd->hooks, nd->nhooks, nd->ahooks);
    nd->hooks[nd->nhooks++] = (struct hook){kind, index, p->in, false};
    struct cs_intlist there = {0};
    cs_bits_list(&nd->members, &there);
    for (int i = 0; i < there.n; i++)
        cs_pts_run_hook(p, (struct hook){kind, index, p->in, false}, there.a[i]);
    cs_intlist_free(&there);
}

int cs_pts_operand_node(struct cs_pts *p, struct cs_operand op)
{
    if (op.kind == CS_OPND_VALUE)
        return cs_pts_value_node(p, op.id);
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
    if (from.kind == CS_OPND_VALUE) {
        cs_pts_add_edge(p, cs_pts_value_node(p, from.id), to, kind, amount);
        return;
    }
    int loc = LOC_INT;
    if (from.kind == CS_OPND_CONST)
        loc = cs_pts_intern_loc(p, CS_LOC_CONST, from.pat);
    if (from.kind == CS_OPND_ADDR)
        loc = cs_pts_intern_loc(p, from.id, from.pat);
    cs_pts_add_loc(p, to, cs_pts_move_loc(p, loc, kind, amount));
}
