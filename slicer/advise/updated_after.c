/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looks for stores behind a store, by the same pointer, of what is computed from the element; updated_after.h. */
#include "slicer/advise/updated_after.h"

#include <stdlib.h>

#include "slicer/advise/rewritten.h"
#include "slicer/graph/storage.h"

/* Limits: operands that are followed back from a store; stores of one function that are looked at. */
enum { DEPTH = 12, VALUES = 200, STORES = 300 };

void cs_updated_after_start(struct cs_updated_after *u, const struct cs_graph *g, struct cs_elements *elements)
{
    *u = (struct cs_updated_after){.g = g, .elements = elements};
    u->dom = cs_calloc(g->nfuncs + 1, sizeof *u->dom);
    u->cdep = cs_calloc(g->nfuncs + 1, sizeof *u->cdep);
    u->known = cs_calloc(g->nfuncs + 1, sizeof *u->known);
    u->alike = cs_pointers_alike(g);
    u->answered = cs_calloc(g->nstmts + 1, sizeof *u->answered);
    u->by = cs_calloc(g->nstmts + 1, sizeof *u->by);
}

void cs_updated_after_free(struct cs_updated_after *u)
{
    for (int f = 0; u->known && f < u->g->nfuncs; f++)
        if (u->known[f]) {
            cs_dom_free(&u->dom[f]);
            cs_cdep_free(&u->cdep[f]);
        }
    free(u->dom);
    free(u->cdep);
    free(u->known);
    for (int i = 0; u->by && i < u->g->nstmts; i++)
        cs_intlist_free(&u->by[i]);
    free(u->by);
    free(u->answered);
    free(u->alike);
}

/* The pointer by which it goes, -1: it is none. */
static int origin_of(const struct cs_updated_after *u, const struct cs_ref *r)
{
    return r->base.kind == CS_OPND_VALUE ? u->alike[cs_pointer_origin(u->g, r->base.id)] : -1;
}

/* Is the value computed from what the store's pointer means, where `first` may have stored it? */
static bool made_of(const struct cs_updated_after *u, struct cs_operand op, int origin, int first, int depth, int *left)
{
    int d = op.kind == CS_OPND_VALUE && depth > 0 && --*left > 0 ? u->g->values[op.id].def : -1;
    const struct cs_stmt *s = d < 0 ? NULL : &u->g->stmts[d];
    if (s && s->kind == CS_STMT_LOAD)
        return origin_of(u, &s->load) == origin && cs_elements_meet(u->elements, first, d);
    bool is = false;
    for (int i = 0; s && s->kind == CS_STMT_ASSIGN && i < s->nuses && !is; i++)
        is = made_of(u, s->uses[i], origin, first, depth - 1, left);
    return is;
}

/* The blocks whose branches decide whether the block runs, and whether those run, and so on. */
static void conditions(const struct cs_cdep *d, int block, struct cs_intset *all)
{
    for (int i = 0; i < d->on[block].n; i++)
        if (cs_intset_add(all, d->on[block].a[i]))
            conditions(d, d->on[block].a[i], all);
}

static bool is_loop(const struct cs_cdep *d, int block)
{
    for (int i = 0; i < d->on[block].n; i++)
        if (d->on[block].a[i] == block)
            return true;
    return false;
}

/* Is the element told by what is in another array, or (depth) by more than is followed? */
static bool is_scattered(const struct cs_graph *g, struct cs_operand op, int depth)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    const struct cs_stmt *s = d < 0 ? NULL : &g->stmts[d];
    if (!s || s->kind == CS_STMT_PHI)
        return false;
    if (s->kind == CS_STMT_LOAD) {
        int by = s->load.base.kind == CS_OPND_VALUE ? g->values[s->load.base.id].def : -1;
        return s->nidx > 0 || s->load.pat.stride || (by >= 0 && g->stmts[by].op == CS_OP_PTRADD);
    }
    bool is = depth == 0;
    for (int i = s->op == CS_OP_PTRADD ? 1 : 0; i < s->nuses && !is; i++)
        is = is_scattered(g, s->uses[i], depth - 1);
    return is;
}

/* Adds the values, of which each turn of a loop has another one, by which the element is told. */
static void counters(const struct cs_graph *g, struct cs_operand op, int depth, struct cs_intset *all)
{
    int d = op.kind == CS_OPND_VALUE && depth > 0 ? g->values[op.id].def : -1;
    const struct cs_stmt *s = d < 0 ? NULL : &g->stmts[d];
    if (s && s->kind == CS_STMT_PHI)
        cs_intset_add(all, d);
    for (int i = 0; s && s->kind == CS_STMT_ASSIGN && i < s->nuses; i++)
        counters(g, s->uses[i], depth - 1, all);
}

static struct cs_intset counters_of(const struct cs_graph *g, const struct cs_stmt *s)
{
    struct cs_intset all = {0};
    counters(g, s->store.base, DEPTH, &all);
    for (int i = 0; i < s->nidx; i++)
        counters(g, cs_opnd_value(s->idx[i]), DEPTH, &all);
    return all;
}

/* Is it the counter of a loop with a number of turns that is known, as one over components? */
static bool is_short(const struct cs_updated_after *u, const struct cs_stmt *phi, const struct cs_intset *loops)
{
    const struct cs_graph *g = u->g;
    for (int i = 0; i < loops->n; i++) {
        int b = cs_block_branch(g, phi->func, loops->a[i]);
        const struct cs_stmt *s = b < 0 ? NULL : &g->stmts[b];
        if (!s || s->kind != CS_STMT_COND || s->nuses != 2 || s->uses[1].kind != CS_OPND_CONST ||
            s->uses[0].kind != CS_OPND_VALUE)
            continue;
        int d = g->values[s->uses[0].id].def;
        const struct cs_stmt *next = d < 0 ? NULL : &g->stmts[d];
        if (s->uses[0].id == phi->def || (next && next->op == CS_OP_ADD && next->nuses &&
                                          next->uses[0].kind == CS_OPND_VALUE && next->uses[0].id == phi->def))
            return true;
    }
    return false;
}

/* The counters by which an element is told: of loops round both statements, and how many others. */
struct told {
    struct cs_intset both;
    int own;
};

static struct told told_by(const struct cs_updated_after *u, const struct cs_stmt *s, const struct cs_intset *shared)
{
    struct cs_intset all = counters_of(u->g, s);
    struct told t = {0};
    for (int i = 0; i < all.n; i++) {
        struct cs_intset loops = {0};
        conditions(&u->cdep[s->func], u->g->stmts[all.a[i]].block, &loops);
        bool both = true;
        for (int k = 0; k < loops.n && both; k++)
            both = cs_intset_has(shared, loops.a[k]);
        if (both)
            cs_intset_add(&t.both, all.a[i]);
        else
            t.own += !is_short(u, &u->g->stmts[all.a[i]], &loops);
        cs_intset_free(&loops);
    }
    cs_intset_free(&all);
    return t;
}

/* Does the one mean as many elements as the other, of the same rows? */
static bool means_as_many(const struct cs_updated_after *u, const struct cs_stmt *one, const struct cs_stmt *other,
                          const struct cs_intset *shared)
{
    struct told a = told_by(u, one, shared), b = told_by(u, other, shared);
    bool as_many = a.own >= b.own;
    for (int i = 0; i < b.both.n && as_many; i++)
        as_many = cs_intset_has(&a.both, b.both.a[i]);
    cs_intset_free(&a.both);
    cs_intset_free(&b.both);
    return as_many;
}

/* Does the later store run whenever the first one has, but for loops that may have no turn: in loops of its own, behind
 * one of the first, for the same turns of those that both are in? */
static bool always_follows(const struct cs_updated_after *u, const struct cs_stmt *first, const struct cs_stmt *later)
{
    const struct cs_cdep *d = &u->cdep[first->func];
    const struct cs_dom *dom = &u->dom[first->func];
    struct cs_intset own = {0}, its = {0}, shared = {0};
    conditions(d, first->block, &own);
    conditions(d, later->block, &its);
    bool follows = true, left = false, inner = false;
    for (int i = 0; i < its.n && follows; i++) {
        bool both = cs_intset_has(&own, its.a[i]);
        follows = both || is_loop(d, its.a[i]);
        inner |= !both;
        if (both)
            cs_intset_add(&shared, its.a[i]);
    }
    for (int i = 0; i < own.n && follows && !left; i++)
        left = is_loop(d, own.a[i]) && !cs_intset_has(&its, own.a[i]) && cs_dom_dominates(dom, own.a[i], later->block);
    bool same = follows && left && inner && means_as_many(u, later, first, &shared);
    cs_intset_free(&own);
    cs_intset_free(&its);
    cs_intset_free(&shared);
    return same;
}

static void know(struct cs_updated_after *u, int func)
{
    if (!u->known[func]) {
        cs_dom_compute(u->g, func, &u->dom[func]);
        cs_cdep_compute(u->g, func, &u->cdep[func]);
    }
    u->known[func] = true;
}

/* Notes the stores that update so what the statement stores. */
static void find(struct cs_updated_after *u, int stmt, struct cs_intlist *by)
{
    const struct cs_stmt *first = &u->g->stmts[stmt];
    const struct cs_func *f = &u->g->funcs[first->func];
    int origin = origin_of(u, &first->store), looked = 0;
    if (first->kind != CS_STMT_STORE || origin < 0)
        return;
    know(u, first->func);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nstmts; i++) {
            int s = f->blocks[b].stmts[i], left = VALUES;
            const struct cs_stmt *later = &u->g->stmts[s];
            if (s == stmt || later->kind != CS_STMT_STORE || !later->nuses || origin_of(u, &later->store) != origin ||
                ++looked > STORES)
                continue;
            if (!is_scattered(u->g, later->store.base, DEPTH) &&
                made_of(u, later->uses[0], origin, stmt, DEPTH, &left) && always_follows(u, first, later))
                cs_intlist_add(by, s);
        }
}

/* Has the update left its loops when the reader, in the same function, runs? */
static bool is_before(const struct cs_updated_after *u, const struct cs_stmt *update, const struct cs_stmt *reader)
{
    const struct cs_cdep *d = &u->cdep[update->func];
    struct cs_intset own = {0}, its = {0};
    conditions(d, update->block, &own);
    conditions(d, reader->block, &its);
    bool before = false;
    for (int i = 0; i < own.n && !before; i++)
        before = is_loop(d, own.a[i]) && !cs_intset_has(&its, own.a[i]) &&
                 cs_dom_dominates(&u->dom[update->func], own.a[i], reader->block);
    cs_intset_free(&own);
    cs_intset_free(&its);
    return before;
}

bool cs_is_updated_after(struct cs_updated_after *u, int stmt, int reader)
{
    if (!u->answered[stmt])
        find(u, stmt, &u->by[stmt]);
    u->answered[stmt] = true;
    const struct cs_stmt *s = &u->g->stmts[stmt], *r = reader < 0 ? NULL : &u->g->stmts[reader];
    if (!r || r->func != s->func)
        return u->by[stmt].n > 0;
    bool is = false;
    for (int i = 0; i < u->by[stmt].n && !is; i++)
        is = u->by[stmt].a[i] != reader && is_before(u, &u->g->stmts[u->by[stmt].a[i]], r);
    return is;
}
