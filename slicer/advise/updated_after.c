/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looks for stores behind a store, by the same pointer, of what is computed from the element; updated_after.h. */
#include "slicer/advise/updated_after.h"

#include <stdlib.h>

#include "slicer/advise/rewritten.h"
#include "slicer/graph/storage.h"

/* Limits: operands that are followed back from a store; stores of one function that are looked at. */
enum { DEPTH = 12, VALUES = 200, STORES = 300 };
enum { NOT_ASKED, NO, YES };

void cs_updated_after_start(struct cs_updated_after *u, const struct cs_graph *g, struct cs_elements *elements)
{
    *u = (struct cs_updated_after){.g = g, .elements = elements};
    u->dom = cs_calloc(g->nfuncs + 1, sizeof *u->dom);
    u->cdep = cs_calloc(g->nfuncs + 1, sizeof *u->cdep);
    u->known = cs_calloc(g->nfuncs + 1, sizeof *u->known);
    u->answers = cs_calloc(g->nstmts + 1, sizeof *u->answers);
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
    free(u->answers);
}

static int origin_of(const struct cs_graph *g, const struct cs_ref *r)
{
    return r->base.kind == CS_OPND_VALUE ? cs_pointer_origin(g, r->base.id) : -1;
}

/* Is the value computed from what the store's pointer means, where `first` may have stored it? */
static bool made_of(const struct cs_updated_after *u, struct cs_operand op, int origin, int first, int depth, int *left)
{
    int d = op.kind == CS_OPND_VALUE && depth > 0 && --*left > 0 ? u->g->values[op.id].def : -1;
    const struct cs_stmt *s = d < 0 ? NULL : &u->g->stmts[d];
    if (s && s->kind == CS_STMT_LOAD)
        return origin_of(u->g, &s->load) == origin && cs_elements_meet(u->elements, first, d);
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

/* Does the later store run whenever the first one has, but for loops that may have no turn: in loops of its own, behind
 * one of the first? */
static bool always_follows(const struct cs_updated_after *u, const struct cs_stmt *first, const struct cs_stmt *later)
{
    const struct cs_cdep *d = &u->cdep[first->func];
    const struct cs_dom *dom = &u->dom[first->func];
    struct cs_intset own = {0}, its = {0};
    conditions(d, first->block, &own);
    conditions(d, later->block, &its);
    bool follows = true, left = false;
    for (int i = 0; i < its.n && follows; i++)
        follows = cs_intset_has(&own, its.a[i]) != is_loop(d, its.a[i]);
    for (int i = 0; i < own.n && follows && !left; i++)
        left = is_loop(d, own.a[i]) && !cs_intset_has(&its, own.a[i]) && cs_dom_dominates(dom, own.a[i], later->block);
    cs_intset_free(&own);
    cs_intset_free(&its);
    return follows && left;
}

static bool find(struct cs_updated_after *u, int stmt)
{
    const struct cs_stmt *first = &u->g->stmts[stmt];
    const struct cs_func *f = &u->g->funcs[first->func];
    int origin = origin_of(u->g, &first->store), looked = 0;
    if (first->kind != CS_STMT_STORE || origin < 0)
        return false;
    if (!u->known[first->func]) {
        cs_dom_compute(u->g, first->func, &u->dom[first->func]);
        cs_cdep_compute(u->g, first->func, &u->cdep[first->func]);
        u->known[first->func] = true;
    }
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nstmts; i++) {
            int s = f->blocks[b].stmts[i], left = VALUES;
            const struct cs_stmt *later = &u->g->stmts[s];
            if (s == stmt || later->kind != CS_STMT_STORE || !later->nuses ||
                origin_of(u->g, &later->store) != origin || ++looked > STORES)
                continue;
            if (!is_scattered(u->g, later->store.base, DEPTH) &&
                made_of(u, later->uses[0], origin, stmt, DEPTH, &left) && always_follows(u, first, later))
                return true;
        }
    return false;
}

bool cs_is_updated_after(struct cs_updated_after *u, int stmt)
{
    if (u->answers[stmt] == NOT_ASKED)
        u->answers[stmt] = find(u, stmt) ? YES : NO;
    return u->answers[stmt] == YES;
}
