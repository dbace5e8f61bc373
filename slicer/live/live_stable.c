/* SPDX-License-Identifier: GPL-3.0-or-later
 * Does memory keep its contents from one point of the slice to another? Only what the slice does counts: statements
 * that are not kept, and messages that are not transmitted, change nothing. In doubt the answer is no; so it is if more
 * than MAX_WRITERS writers would have to be looked at. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PLACES 32
#define MAX_WRITERS 4000 /* that are looked at for one question */
#define MAX_BLOCKS 2000  /* that one walk back passes */

/* Where the load of the question may read. */
struct place {
    int obj;
    struct cs_pattern pat;
    int64_t size;
};

/* Rows of `reach` have a bit for each function. */
struct cs_stable {
    struct cs_live *l;
    uint64_t **reach;     /* of each function: itself and all that it may call, a bit each; made on first use */
    int words;            /* in a row of `reach` */
    signed char *unknown; /* of each function: does one of these call an opaque function? -1: not asked yet */
    /* the current question */
    struct place p[MAX_PLACES];
    int n;
    bool no, escaped;          /* cannot be answered; opaque functions may change a place */
    struct cs_intlist killers; /* functions that change one of the places */
};

struct cs_stable *cs_stable_new(struct cs_live *l)
{
    struct cs_stable *st = cs_calloc(1, sizeof *st);
    st->l = l;
    st->words = l->g->nfuncs / 64 + 1;
    st->reach = cs_calloc(l->g->nfuncs + 1, sizeof *st->reach);
    st->unknown = cs_calloc(l->g->nfuncs + 1, 1);
    memset(st->unknown, -1, l->g->nfuncs + 1);
    return st;
}

void cs_stable_free(struct cs_stable *st)
{
    for (int f = 0; f < st->l->g->nfuncs; f++)
        free(st->reach[f]);
    free(st->reach);
    free(st->unknown);
    cs_intlist_free(&st->killers);
    free(st);
}

/* ---- who calls whom ---- */

static const uint64_t *reach_of(struct cs_stable *st, int func)
{
    const struct cs_graph *g = st->l->g;
    if (st->reach[func])
        return st->reach[func];
    uint64_t *row = st->reach[func] = cs_calloc(st->words, sizeof *row);
    struct cs_intlist work = {0};
    cs_intlist_add(&work, func);
    row[func / 64] |= UINT64_C(1) << func % 64;
    while (work.n) {
        const struct cs_func *f = &g->funcs[work.a[--work.n]];
        for (int b = 0; b < f->nblocks; b++)
            for (int i = 0; f->blocks[b].reachable && i < f->blocks[b].nstmts; i++) {
                const struct cs_intset *c = cs_pts_callees(st->l->pts, f->blocks[b].stmts[i]);
                for (int k = 0; g->stmts[f->blocks[b].stmts[i]].kind == CS_STMT_CALL && k < c->n; k++) {
                    if (row[c->a[k] / 64] >> c->a[k] % 64 & 1)
                        continue;
                    row[c->a[k] / 64] |= UINT64_C(1) << c->a[k] % 64;
                    cs_intlist_add(&work, c->a[k]);
                }
            }
    }
    cs_intlist_free(&work);
    return row;
}

static bool reaches(struct cs_stable *st, int func, int other)
{
    return reach_of(st, func)[other / 64] >> other % 64 & 1;
}

static bool unknown_call(struct cs_live *l, int s)
{
    for (int k = 0; s < l->ms->nstmts && k < l->ms->of_stmt[s].n; k++)
        if (l->ms->m[l->ms->of_stmt[s].a[k]].opaque)
            return true;
    return false;
}

static bool calls_unknown(struct cs_stable *st, int func)
{
    if (st->unknown[func] >= 0)
        return st->unknown[func];
    st->unknown[func] = 0;
    for (int i = 0; i < st->l->ms->n; i++)
        if (st->l->ms->m[i].opaque && reaches(st, func, st->l->g->stmts[st->l->ms->m[i].stmt].func))
            st->unknown[func] = 1;
    return st->unknown[func];
}

/* ---- what changes a place ---- */

/* Does the slice make this write? A message that is not transmitted writes no buffer; a status is always filled. */
static bool done(struct cs_live *l, const struct writer *w)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    if (s->source < 0)
        return true;
    if (!s->keep)
        return false;
    if (w->kind != W_MODEL)
        return true;
    return cs_writer_write(l, w)->level != CS_LEVEL_CONTENT || s->mark == CS_MARK_CONTENT;
}

static bool changes(struct cs_live *l, const struct writer *w, const struct place *p)
{
    return cs_pat_overlap(w->pat, w->size, p->pat, p->size) && done(l, w);
}

static void add_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct cs_stable *st = arg;
    const struct cs_obj *o = &st->l->g->objs[obj];
    bool memory = o->kind == CS_OBJ_GLOBAL || o->kind == CS_OBJ_LOCAL || o->kind == CS_OBJ_HEAP;
    bool lost = obj == st->l->all || cs_pts_lost(st->l->pts, obj);
    if (st->l->in_window && st->l->in_window[obj])
        st->no = true;
    if (st->n == MAX_PLACES || !memory || o->external || size < 0 || lost) {
        st->no = true;
        return;
    }
    st->p[st->n++] = (struct place){obj, pat, size};
    st->escaped |= cs_pts_escaped(st->l->pts, obj) && !o->readonly;
}

static void add_killer(struct cs_stable *st, int func)
{
    for (int i = 0; i < st->killers.n; i++)
        if (st->killers.a[i] == func)
            return;
    cs_intlist_add(&st->killers, func);
}

/* Notes which functions change what the load reads. False: it may change at any time. */
static bool ask(struct cs_stable *st, int load)
{
    struct cs_live *l = st->l;
    int budget = MAX_WRITERS;
    st->n = st->killers.n = 0;
    st->no = st->escaped = false;
    assert(l->g->stmts[load].has_load);
    cs_pts_places_as_one(l->pts, &l->g->stmts[load].load, add_place, st);
    for (int i = 0; i < st->n && !st->no; i++) {
        const struct writers *ws = &l->writers[st->p[i].obj];
        assert(st->n <= MAX_PLACES);
        if ((budget -= ws->n) < 0)
            return false;
        for (int k = 0; k < ws->n; k++) {
            if (!changes(l, &ws->w[k], &st->p[i]))
                continue;
            int func = l->g->stmts[ws->w[k].stmt].func;
            if (cs_writes_deferred(l, &ws->w[k]) || l->fi[func].async)
                return false;
            add_killer(st, func);
        }
    }
    return st->n && !st->no;
}

/* Does a run of the function, with all that it calls, change one of the places? */
static bool run_changes(struct cs_stable *st, int func)
{
    if (st->escaped && calls_unknown(st, func))
        return true;
    for (int i = 0; i < st->killers.n; i++)
        if (reaches(st, func, st->killers.a[i]))
            return true;
    return false;
}

bool cs_stable_in_function(struct cs_stable *st, int load)
{
    int func = st->l->g->stmts[load].func;
    if (!ask(st, load))
        return false;
    for (int i = 0; i < st->n; i++) {
        const struct cs_obj *o = &st->l->g->objs[st->p[i].obj];
        if (o->kind == CS_OBJ_LOCAL && o->func == func)
            return false; /* it begins to exist in the function */
    }
    return !run_changes(st, func);
}

/* ---- the way back ---- */

static bool call_changes(struct cs_stable *st, int s)
{
    const struct cs_intset *c = cs_pts_callees(st->l->pts, s);
    if (st->escaped && unknown_call(st->l, s))
        return true;
    for (int i = 0; i < c->n; i++)
        if (st->l->g->funcs[c->a[i]].defined && run_changes(st, c->a[i]))
            return true;
    return false;
}

static bool stmt_changes(struct cs_stable *st, int s)
{
    struct cs_live *l = st->l;
    const struct cs_stmt *stmt = &l->g->stmts[s];
    if (stmt->kind == CS_STMT_ASSIGN || stmt->kind == CS_STMT_PHI || stmt->kind == CS_STMT_LOAD ||
        stmt->kind == CS_STMT_COND)
        return false;
    if (stmt->kind == CS_STMT_CALL && stmt->keep && call_changes(st, s))
        return true;
    for (int i = 0; i < st->n; i++) {
        const struct writers *ws = &l->writers[st->p[i].obj];
        for (int k = cs_first_writer(ws, s); k < ws->n && ws->w[k].stmt == s; k++)
            if (changes(l, &ws->w[k], &st->p[i]))
                return true;
    }
    return false;
}

/* A walk back inside one function, to statement `until`; it may pass `left` more blocks. */
struct back {
    struct cs_stable *st;
    const struct cs_block *blocks;
    struct cs_intlist *preds;
    bool *seen;
    struct cs_intlist work;
    int until, left;
};

/* Walks back over the first `end` statements of a block, at most to b->until. False if one changes a place. */
static bool block_back(struct back *b, int block, int end)
{
    const struct cs_block *bl = &b->blocks[block];
    assert(end >= 0 && end <= bl->nstmts);
    for (int i = end - 1; i >= 0; i--) {
        if (bl->stmts[i] == b->until)
            return true;
        if (stmt_changes(b->st, bl->stmts[i]))
            return false;
    }
    for (int i = 0; i < b->preds[block].n; i++) {
        int p = b->preds[block].a[i];
        if (b->seen[p])
            continue;
        b->seen[p] = true;
        cs_intlist_add(&b->work, p);
    }
    return true;
}

bool cs_stable_since(struct cs_stable *st, int load, int before)
{
    struct cs_live *l = st->l;
    int func = l->g->stmts[load].func;
    if (!ask(st, load))
        return false;
    const struct cs_func *f = &l->g->funcs[func];
    struct back b = {
        .st = st, .blocks = f->blocks, .preds = cs_flow_preds(l, func), .until = before, .left = MAX_BLOCKS};
    b.seen = cs_calloc(f->nblocks + 1, sizeof *b.seen);
    bool same = block_back(&b, l->g->stmts[load].block, l->pos[load]);
    while (same && b.work.n) {
        int block = b.work.a[--b.work.n];
        same = b.left-- > 0 && block_back(&b, block, f->blocks[block].nstmts);
    }
    free(b.seen);
    cs_intlist_free(&b.work);
    return same;
}
