/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chooses the calls that give memory back; give_back.h. Communication never needs one, but a slice that allocates in a
 * loop and frees nothing grows without end. What such a call needs of its own (the pointer, where it stands) must be
 * little beside what is kept already. */
#include "slicer/give_back.h"

#include <stdlib.h>

#include "slicer/graph/storage.h"
#include "slicer/reach.h"

/* A call may bring back so many statements, or one of so many of the program's, whatever is more; all together so many
 * times that. */
enum { COST_FLOOR = 24, COST_SHARE = 100, COST_ALL = 4 };

/* ---- what runs more than once ---- */

/* Can control come from the block back to it? */
static bool in_cycle(const struct cs_func *f, int block)
{
    bool *seen = cs_calloc(f->nblocks + 1, 1), found = false;
    struct cs_intlist work = {0};
    cs_intlist_add(&work, block);
    while (work.n && !found) {
        const struct cs_block *b = &f->blocks[work.a[--work.n]];
        for (int i = 0; i < b->nsuccs; i++) {
            int to = b->succs[i];
            if (to < 0 || b->never[i])
                continue;
            found |= to == block;
            if (!seen[to])
                cs_intlist_add(&work, to);
            seen[to] = true;
        }
    }
    cs_intlist_free(&work);
    free(seen);
    return found;
}

/* By function: may it run more than once? It is called from a loop, from two places, by one that runs more than once,
 * or from outside; so is each of a recursion, which somebody else calls, too. */
static bool *repeated_functions(const struct cs_graph *g, struct cs_pts *pts)
{
    bool *many = cs_calloc(g->nfuncs + 1, 1), *called = cs_calloc(g->nfuncs + 1, 1), more = true;
    for (int f = 0; f < g->nfuncs; f++)
        many[f] = cs_pts_escaped(pts, g->funcs[f].obj);
    for (int s = 0; s < g->nstmts; s++) {
        const struct cs_stmt *st = &g->stmts[s];
        const struct cs_intset *c =
            st->kind == CS_STMT_CALL && cs_pts_func_reached(pts, st->func) ? cs_pts_callees(pts, s) : NULL;
        bool loops = c && c->n && in_cycle(&g->funcs[st->func], st->block);
        for (int i = 0; c && i < c->n; i++) {
            many[c->a[i]] |= loops || called[c->a[i]];
            called[c->a[i]] = true;
        }
    }
    while (more) {
        more = false;
        for (int s = 0; s < g->nstmts; s++) {
            const struct cs_stmt *st = &g->stmts[s];
            if (st->kind != CS_STMT_CALL || !many[st->func] || !cs_pts_func_reached(pts, st->func))
                continue;
            const struct cs_intset *c = cs_pts_callees(pts, s);
            for (int i = 0; i < c->n; i++) {
                more |= !many[c->a[i]];
                many[c->a[i]] = true;
            }
        }
    }
    free(called);
    return many;
}

/* May the statement run more than once? `many` is of repeated_functions(). */
static bool runs_again(const struct cs_graph *g, const bool *many, const struct cs_stmt *st)
{
    return many[st->func] || in_cycle(&g->funcs[st->func], st->block);
}

/* By object: memory that a kept statement takes, maybe more than once. NULL if there is none. */
static bool *repeated_memory(const struct cs_graph *g, const bool *many)
{
    bool *memory = cs_calloc(g->nobjs + 1, 1), any = false;
    for (int o = 0; o < g->nobjs; o++) {
        const struct cs_obj *obj = &g->objs[o];
        if (obj->kind != CS_OBJ_HEAP || obj->stmt < 0 || !g->stmts[obj->stmt].keep)
            continue;
        memory[o] = runs_again(g, many, &g->stmts[obj->stmt]);
        any |= memory[o];
    }
    if (any)
        return memory;
    free(memory);
    return NULL;
}

/* ---- what gives it back ---- */

/* The argument that the call gives back if it does nothing else, or -1. */
static int gives_back(const struct cs_graph *g, const struct cs_models *ms, int s)
{
    const struct cs_stmt *st = &g->stmts[s];
    if (st->kind != CS_STMT_CALL || st->callee.kind != CS_OPND_ADDR || s >= ms->nstmts || ms->of_stmt[s].n != 1)
        return -1;
    const struct cs_effect *fx = ms->m[ms->of_stmt[s].a[0]].fx;
    if (!fx || fx->nops != 1 || fx->ops[0].kind != CS_EFFECT_FREE || fx->refuse || fx->ops[0].arg >= st->nuses)
        return -1;
    return fx->ops[0].arg;
}

/* May the operand be an address in such memory? */
static bool gives_any(const struct cs_graph *g, struct cs_pts *pts, const bool *memory, struct cs_operand op)
{
    const struct cs_intset *at = cs_pts_operand(pts, op);
    for (int i = 0; i < at->n; i++)
        if (cs_pts_loc(pts, at->a[i])->obj >= 0 && memory[cs_pts_loc(pts, at->a[i])->obj])
            return true;
    for (int o = 0; cs_pts_lost_its_way(pts, op) && o < g->nobjs; o++)
        if (memory[o] && cs_pts_lost(pts, o))
            return true;
    return false;
}

/* Leaves out calls that run once: without one of them, one block more stays than in the original. */
bool *cs_give_back_find(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts)
{
    bool *many = repeated_functions(g, pts), *memory = repeated_memory(g, many), *calls = NULL;
    for (int s = 0; memory && s < g->nstmts; s++) {
        const struct cs_stmt *st = &g->stmts[s];
        int arg = gives_back(g, ms, s);
        if (arg < 0 || st->keep || !cs_pts_func_reached(pts, st->func) ||
            !g->funcs[st->func].blocks[st->block].reachable || !runs_again(g, many, st))
            continue;
        if (!gives_any(g, pts, memory, st->uses[arg]))
            continue;
        if (!calls)
            calls = cs_calloc(g->nstmts + 1, sizeof *calls);
        calls[s] = true;
    }
    free(memory);
    free(many);
    return calls;
}

/* ---- what it would bring back ---- */

bool cs_give_back_choose(const struct cs_graph *g, const struct cs_needs *needs, bool *calls)
{
    struct cs_reach r;
    int share = g->nstmts / COST_SHARE, limit = share > COST_FLOOR ? share : COST_FLOOR, left = COST_ALL * limit;
    bool any = false;
    cs_reach_init(&r, g, needs);
    cs_reach_roots(&r, calls);
    for (int s = 0; s < g->nstmts; s++) {
        if (!calls[s])
            continue;
        r.limit = left < limit ? left : limit;
        int cost = cs_reach_search(&r, cs_need_stmt(needs, s));
        calls[s] = cost >= 0;
        any |= calls[s];
        left -= cost > 0 ? cost : 0;
    }
    cs_reach_free(&r);
    return any;
}
