/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops over calls; loop_nests.h. A loop of a function is what can come back to a block that dominates it (a natural
 * loop). Where an edge goes back to a block that does not dominate, all of the function counts as deep. */
#include "slicer/loop_nests.h"

#include <stdlib.h>

#include "slicer/control/dom.h"

static bool is_recorded(const struct cs_models *ms, int s)
{
    for (int k = 0; s < ms->nstmts && k < ms->of_stmt[s].n; k++) {
        const struct cs_model *m = &ms->m[ms->of_stmt[s].a[k]];
        if (m->mpi && (m->mpi->flags & CS_MPI_EVENT))
            return true;
    }
    return false;
}

/* The function that the statement calls by its name, if it has a body; else -1. */
static int called(const struct cs_graph *g, int s)
{
    const struct cs_stmt *st = &g->stmts[s];
    if (st->kind != CS_STMT_CALL || st->callee.kind != CS_OPND_ADDR || g->objs[st->callee.id].kind != CS_OBJ_FUNC)
        return -1;
    int f = g->objs[st->callee.id].func;
    return f >= 0 && g->funcs[f].defined ? f : -1;
}

static void find_callers(struct cs_loop_nests *n)
{
    for (int s = 0; s < n->g->nstmts; s++) {
        int f = called(n->g, s);
        if (f >= 0)
            cs_intlist_add(&n->callers[f], s);
    }
}

/* A call by pointer may lead anywhere. */
static void find_talks(struct cs_loop_nests *n, const struct cs_models *ms)
{
    struct cs_intlist work = {0};
    for (int s = 0; s < n->g->nstmts; s++) {
        const struct cs_stmt *st = &n->g->stmts[s];
        bool talks = is_recorded(ms, s) || (st->kind == CS_STMT_CALL && st->callee.kind != CS_OPND_ADDR);
        if (!talks || n->talks[st->func])
            continue;
        n->talks[st->func] = true;
        cs_intlist_add(&work, st->func);
    }
    while (work.n) {
        const struct cs_intlist *calls = &n->callers[work.a[--work.n]];
        for (int i = 0; i < calls->n; i++) {
            int f = n->g->stmts[calls->a[i]].func;
            if (!n->talks[f])
                cs_intlist_add(&work, f);
            n->talks[f] = true;
        }
    }
    cs_intlist_free(&work);
}

static bool block_talks(const struct cs_loop_nests *n, const struct cs_models *ms, const struct cs_block *b)
{
    for (int i = 0; i < b->nstmts; i++) {
        const struct cs_stmt *st = &n->g->stmts[b->stmts[i]];
        int f = called(n->g, b->stmts[i]);
        if (is_recorded(ms, b->stmts[i]) || (f >= 0 && n->talks[f]) ||
            (st->kind == CS_STMT_CALL && st->callee.kind != CS_OPND_ADDR))
            return true;
    }
    return false;
}

/* Adds the blocks from which `end` is reached without going through the header. */
static void add_body(const struct cs_func *f, struct cs_intlist *preds, int header, int end, bool *in)
{
    struct cs_intlist work = {0};
    (void)f;
    in[header] = true;
    cs_intlist_add(&work, end);
    while (work.n) {
        int b = work.a[--work.n];
        if (in[b])
            continue;
        in[b] = true;
        for (int i = 0; i < preds[b].n; i++)
            cs_intlist_add(&work, preds[b].a[i]);
    }
    cs_intlist_free(&work);
}

static struct cs_intlist *predecessors(const struct cs_func *f)
{
    struct cs_intlist *preds = cs_calloc(f->nblocks + 1, sizeof *preds);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; f->blocks[b].reachable && i < f->blocks[b].nsuccs; i++)
            if (!f->blocks[b].never[i] && f->blocks[b].succs[i] >= 0)
                cs_intlist_add(&preds[f->blocks[b].succs[i]], b);
    return preds;
}

/* One loop: all that comes back to the header. */
static void enter_loop(struct cs_loop_nests *n, const struct cs_models *ms, int func, struct cs_intlist *preds,
                       const struct cs_dom *d, int header)
{
    const struct cs_func *f = &n->g->funcs[func];
    bool *in = cs_calloc(f->nblocks + 1, 1), talk = false, any = false;
    for (int i = 0; i < preds[header].n; i++)
        if (cs_dom_dominates(d, header, preds[header].a[i])) {
            add_body(f, preds, header, preds[header].a[i], in);
            any = true;
        } else if (d->num[preds[header].a[i]] >= d->num[header])
            n->depth[func] = CS_DEEP;
    for (int b = 0; any && b < f->nblocks; b++)
        talk |= in[b] && block_talks(n, ms, &f->blocks[b]);
    for (int b = 0; any && b < f->nblocks; b++) {
        n->own[func][b] += in[b];
        n->own_talk[func][b] |= in[b] && talk;
    }
    free(in);
}

static void find_loops(struct cs_loop_nests *n, const struct cs_models *ms, int func)
{
    const struct cs_func *f = &n->g->funcs[func];
    struct cs_intlist *preds = predecessors(f);
    struct cs_dom d;
    cs_dom_compute(n->g, func, &d);
    n->own[func] = cs_calloc(f->nblocks + 1, sizeof *n->own[func]);
    n->own_talk[func] = cs_calloc(f->nblocks + 1, 1);
    for (int b = 0; b < f->nblocks; b++)
        if (f->blocks[b].reachable)
            enter_loop(n, ms, func, preds, &d, b);
    cs_dom_free(&d);
    for (int b = 0; b < f->nblocks; b++)
        cs_intlist_free(&preds[b]);
    free(preds);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Goes on until nothing changes: recursion ends at CS_DEEP. */
static void find_depths(struct cs_loop_nests *n)
{
    const struct cs_graph *g = n->g;
    for (bool again = true; again;) {
        again = false;
        for (int f = 0; f < g->nfuncs; f++)
            for (int i = 0; i < n->callers[f].n; i++) {
                const struct cs_stmt *call = &g->stmts[n->callers[f].a[i]];
                int depth = smaller(cs_loop_nests_depth(n, call->func, call->block) + (call->func == f), CS_DEEP);
                bool talk = cs_loop_nests_talk(n, call->func, call->block);
                again |= depth > n->depth[f] || (talk && !n->in_talk[f]);
                n->depth[f] = depth > n->depth[f] ? depth : n->depth[f];
                n->in_talk[f] |= talk;
            }
    }
}

void cs_loop_nests_find(struct cs_loop_nests *n, const struct cs_graph *g, const struct cs_models *ms,
                        const struct cs_cdep *cdep)
{
    *n = (struct cs_loop_nests){.g = g, .cdep = cdep};
    n->callers = cs_calloc(g->nfuncs + 1, sizeof *n->callers);
    n->depth = cs_calloc(g->nfuncs + 1, sizeof *n->depth);
    n->talks = cs_calloc(g->nfuncs + 1, 1);
    n->in_talk = cs_calloc(g->nfuncs + 1, 1);
    n->own = cs_calloc(g->nfuncs + 1, sizeof *n->own);
    n->own_talk = cs_calloc(g->nfuncs + 1, sizeof *n->own_talk);
    find_callers(n);
    find_talks(n, ms);
    for (int f = 0; f < g->nfuncs; f++) {
        if (!g->funcs[f].defined)
            continue;
        find_loops(n, ms, f);
        if (!n->callers[f].n && !g->funcs[f].is_entry)
            n->depth[f] = CS_DEEP;
    }
    find_depths(n);
}

void cs_loop_nests_free(struct cs_loop_nests *n)
{
    for (int f = 0; f < n->g->nfuncs; f++) {
        cs_intlist_free(&n->callers[f]);
        free(n->own[f]);
        free(n->own_talk[f]);
    }
    free(n->callers);
    free(n->depth);
    free(n->talks);
    free(n->in_talk);
    free(n->own);
    free(n->own_talk);
}

int cs_loop_nests_depth(const struct cs_loop_nests *n, int func, int block)
{
    return n->depth[func] + n->own[func][block];
}

bool cs_loop_nests_talk(const struct cs_loop_nests *n, int func, int block)
{
    return n->in_talk[func] || n->own_talk[func][block];
}

/* Adds a block, and puts what decides about it on the list. */
static void add_deciding(const struct cs_loop_nests *n, bool **around, int func, int block)
{
    const struct cs_cdep *cd = &n->cdep[func];
    struct cs_intlist work = {0};
    cs_intlist_add(&work, block);
    while (work.n) {
        const struct cs_intlist *on = &cd->on[work.a[--work.n]];
        for (int i = 0; i < on->n; i++) {
            if (!around[func][on->a[i]])
                cs_intlist_add(&work, on->a[i]);
            around[func][on->a[i]] = true;
        }
    }
    cs_intlist_free(&work);
}

bool **cs_loop_nests_around(const struct cs_loop_nests *n, int func, int block)
{
    bool **around = cs_calloc(n->g->nfuncs + 1, sizeof *around);
    struct cs_intlist work = {0};
    around[func] = cs_calloc(n->g->funcs[func].nblocks + 1, 1);
    add_deciding(n, around, func, block);
    cs_intlist_add(&work, func);
    while (work.n) {
        const struct cs_intlist *calls = &n->callers[work.a[--work.n]];
        for (int i = 0; i < calls->n; i++) {
            const struct cs_stmt *call = &n->g->stmts[calls->a[i]];
            if (!around[call->func]) {
                around[call->func] = cs_calloc(n->g->funcs[call->func].nblocks + 1, 1);
                cs_intlist_add(&work, call->func);
            }
            add_deciding(n, around, call->func, call->block);
        }
    }
    cs_intlist_free(&work);
    return around;
}

void cs_loop_nests_around_free(const struct cs_loop_nests *n, bool **around)
{
    for (int f = 0; around && f < n->g->nfuncs; f++)
        free(around[f]);
    free(around);
}
