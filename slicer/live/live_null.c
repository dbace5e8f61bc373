/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds loads that always give null where gfortran tests them: each ALLOCATE asks whether the array is allocated
 * already, and mostly it is not. Every path back from the load, as in live_order.c, must come to a null stored in just
 * that place, or to the program's start with a place that is null then, and pass no write of an address. */
#include "slicer/live/live_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 4000000 /* statements that all ways back of a program pass */

/* Where a load reads; n: number of places that it may mean, of which the last is given. */
struct place {
    int obj, n;
    struct cs_pattern pat;
    int64_t size;
};

/* The search, for one load after another. Arrays are by function; between questions they are false and the lists empty.
 */
struct null_search {
    struct cs_live *l;
    struct place p;
    long left; /* steps that all questions together may still take */
    /* the current question */
    bool *left_start;                     /* functions whose beginning was reached: their callers are in the past */
    bool *inside;                         /* functions that a call in the past ran as a whole */
    struct cs_intlist entered, run, work; /* the functions of both; calls to walk back from */
};

static void add_place(void *arg, int obj, struct cs_pattern pat, int64_t size)
{
    struct place *p = arg;
    *p = (struct place){obj, p->n + 1, pat, size};
}

/* ---- what may be asked ---- */

static bool is_zero(struct cs_operand op)
{
    return op.kind == CS_OPND_CONST && op.pat.off == 0;
}

/* Is the place null when the program starts? */
static bool starts_null(const struct cs_obj *o, const struct place *p)
{
    bool zero = o->zeroed;
    for (int i = 0; i < o->ninits; i++) {
        const struct cs_init *in = &o->inits[i];
        if (in->off + in->size <= p->pat.off || p->pat.off + p->size <= in->off)
            continue;
        if (!is_zero(in->val))
            return false;
        zero |= in->off <= p->pat.off && p->pat.off + p->size <= in->off + in->size;
    }
    return zero;
}

/* Is it one place of known size in a variable that only code of the graph changes? */
static bool is_plain(struct cs_live *l, const struct place *p)
{
    if (p->n != 1 || p->obj < 0 || p->pat.stride || p->size < 0 || cs_pts_lost(l->pts, p->obj))
        return false;
    const struct cs_obj *o = &l->g->objs[p->obj];
    if (o->kind == CS_OBJ_LOCAL)
        return o->func >= 0 && !l->fi[o->func].recursive && !l->fi[o->func].async && !l->fi[o->func].team;
    return o->kind == CS_OBJ_GLOBAL && !o->external && !o->common && !cs_pts_escaped(l->pts, p->obj);
}

static bool overlaps(const struct place *p, const struct writer *w)
{
    return cs_pat_overlap(w->pat, w->size, p->pat, p->size);
}

static bool stores_null(struct cs_live *l, const struct writer *w)
{
    const struct cs_stmt *s = &l->g->stmts[w->stmt];
    return w->kind == W_STORE && s->kind == CS_STMT_STORE && s->nuses && is_zero(s->uses[0]);
}

/* Do all statements that may store an address there do so when they run, in functions whose calls the graph shows? */
static bool is_followed(struct cs_live *l, const struct place *p)
{
    const struct writers *ws = &l->writers[p->obj];
    for (int i = 0; i < ws->n; i++) {
        const struct writer *w = &ws->w[i];
        if (!overlaps(p, w) || stores_null(l, w))
            continue;
        if (cs_writes_deferred(l, w) || l->fi[l->g->stmts[w->stmt].func].async)
            return false;
    }
    return true;
}

/* ---- the way back ---- */

/* What a walk back has come to. */
enum seen { NOTHING, A_NULL, AN_ADDRESS };

/* What the statement leaves in the place; NOTHING if it does not write there. */
static enum seen look(struct null_search *q, int s)
{
    struct cs_live *l = q->l;
    const struct writers *ws = &l->writers[q->p.obj];
    enum seen seen = NOTHING;
    for (int k = cs_first_writer(ws, s); k < ws->n && ws->w[k].stmt == s; k++) {
        const struct writer *w = &ws->w[k];
        if (!overlaps(&q->p, w))
            continue;
        if (!stores_null(l, w))
            return AN_ADDRESS;
        if (cs_flow_replaces(l, w, q->p.pat, q->p.size))
            seen = A_NULL;
    }
    return seen;
}

/* Notes the callees as run as a whole. */
static void run_inside(struct null_search *q, int call)
{
    const struct cs_intset *c = cs_pts_callees(q->l->pts, call);
    for (int i = 0; i < c->n; i++) {
        if (q->inside[c->a[i]])
            continue;
        q->inside[c->a[i]] = true;
        cs_intlist_add(&q->run, c->a[i]);
    }
}

/* May a function that ran as a whole, or one that it called, have stored an address there? */
static bool runs_write(struct null_search *q)
{
    struct cs_live *l = q->l;
    for (int at = 0; at < q->run.n; at++) {
        const struct cs_func *f = &l->g->funcs[q->run.a[at]];
        for (int b = 0; b < f->nblocks; b++)
            for (int i = 0; f->blocks[b].reachable && i < f->blocks[b].nstmts; i++)
                if (l->g->stmts[f->blocks[b].stmts[i]].kind == CS_STMT_CALL)
                    run_inside(q, f->blocks[b].stmts[i]);
    }
    const struct writers *ws = &l->writers[q->p.obj];
    for (int i = 0; i < ws->n; i++)
        if (q->inside[l->g->stmts[ws->w[i].stmt].func] && overlaps(&q->p, &ws->w[i]) && !stores_null(l, &ws->w[i]))
            return true;
    return false;
}

/* Goes on from the beginning of a function: its calls are left to be walked back from. False if the place may hold an
 * address there. */
static bool leave(struct null_search *q, int func)
{
    struct cs_live *l = q->l;
    const struct cs_obj *o = &l->g->objs[q->p.obj];
    if (q->left_start[func])
        return true;
    q->left_start[func] = true;
    cs_intlist_add(&q->entered, func);
    if (l->fi[func].async || l->fi[func].team || (o->kind == CS_OBJ_LOCAL && o->func == func))
        return false;
    if (l->g->funcs[func].is_entry && !starts_null(o, &q->p))
        return false;
    for (int i = 0; i < l->fi[func].calls.n; i++) {
        int s = l->fi[func].calls.a[i];
        if (l->pos[s] < 0 || !cs_live_plain_call(l, s))
            return false;
        cs_intlist_add(&q->work, s);
    }
    return true;
}

/* What the first `end` statements of a block leave in the place: the last one that writes there decides. */
static enum seen block_back(struct null_search *q, const struct cs_block *b, int end)
{
    for (int i = end - 1; i >= 0; i--) {
        enum seen seen = q->left-- > 0 ? look(q, b->stmts[i]) : AN_ADDRESS;
        if (seen != NOTHING)
            return seen;
        if (q->l->g->stmts[b->stmts[i]].kind == CS_STMT_CALL)
            run_inside(q, b->stmts[i]);
    }
    return NOTHING;
}

/* Walks back from a statement to the beginning of its function. False if the place may hold an address. */
static bool function_back(struct null_search *q, int from)
{
    struct cs_live *l = q->l;
    int func = l->g->stmts[from].func, block = l->g->stmts[from].block, end = l->pos[from];
    const struct cs_func *f = &l->g->funcs[func];
    const struct cs_intlist *preds = cs_flow_preds(l, func);
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen), null = !f->keep_all;
    struct cs_intlist work = {0};
    while (null) {
        enum seen what = block_back(q, &f->blocks[block], end);
        null = what != AN_ADDRESS && (what == A_NULL || block || leave(q, func));
        for (int i = 0; null && what == NOTHING && i < preds[block].n; i++) {
            if (seen[preds[block].a[i]])
                continue;
            seen[preds[block].a[i]] = true;
            cs_intlist_add(&work, preds[block].a[i]);
        }
        if (!work.n)
            break;
        block = work.a[--work.n];
        end = f->blocks[block].nstmts;
    }
    free(seen);
    cs_intlist_free(&work);
    return null;
}

/* Does this load always give null? */
static bool is_null(struct null_search *q, int load)
{
    bool null;
    assert(!q->entered.n && !q->run.n && !q->work.n);
    q->p = (struct place){.obj = -1};
    cs_pts_places(q->l->pts, &q->l->g->stmts[load].load, add_place, &q->p);
    if (q->l->pos[load] < 0 || !is_plain(q->l, &q->p) || !is_followed(q->l, &q->p))
        return false;
    null = function_back(q, load);
    while (null && q->work.n)
        null = function_back(q, q->work.a[--q->work.n]);
    null = null && !runs_write(q);
    for (int i = 0; i < q->entered.n; i++)
        q->left_start[q->entered.a[i]] = false;
    for (int i = 0; i < q->run.n; i++)
        q->inside[q->run.a[i]] = false;
    q->entered.n = q->run.n = q->work.n = 0;
    return null;
}

/* ---- loads that are tested ---- */

/* By points-to: may the operand be null, and something else as well? */
static bool may_be_null(struct cs_pts *pts, struct cs_operand op)
{
    const struct cs_intset *s = cs_pts_operand(pts, op);
    bool null = false;
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *l = cs_pts_loc(pts, s->a[i]);
        null |= l->obj == CS_LOC_CONST && l->pat.off == 0;
    }
    return null && s->n > 1;
}

/* The load whose value this Fortran statement compares with null, if points-to cannot tell the result; else -1. */
static int asked_load(const struct cs_graph *g, struct cs_pts *pts, const struct cs_stmt *s)
{
    bool compares = (s->kind == CS_STMT_COND || s->kind == CS_STMT_ASSIGN) &&
                    (s->op == CS_OP_EQ || s->op == CS_OP_NE) && s->nuses == 2;
    if (!compares || !g->funcs[s->func].fortran || !is_zero(s->uses[1]) || s->uses[0].kind != CS_OPND_VALUE)
        return -1;
    int def = g->values[s->uses[0].id].def;
    bool load = def >= 0 && g->stmts[def].kind == CS_STMT_LOAD && g->stmts[def].source >= 0;
    return load && may_be_null(pts, s->uses[0]) ? def : -1;
}

static struct cs_intset asked_loads(const struct cs_graph *g, struct cs_pts *pts)
{
    struct cs_intset loads = {0};
    for (int s = 0; s < g->nstmts; s++) {
        const struct cs_stmt *st = &g->stmts[s];
        if (st->source < 0 || !cs_pts_func_reached(pts, st->func) || !g->funcs[st->func].blocks[st->block].reachable)
            continue;
        int load = asked_load(g, pts, st);
        if (load >= 0)
            cs_intset_add(&loads, load);
    }
    return loads;
}

struct cs_intset cs_live_nulls(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts)
{
    struct cs_intset loads = asked_loads(g, pts), nulls = {0};
    if (loads.n) {
        struct null_search q = {.l = cs_live_new(g, ms, pts, NULL, NULL), .left = MAX_STEPS};
        q.left_start = cs_calloc(g->nfuncs + 1, sizeof *q.left_start);
        q.inside = cs_calloc(g->nfuncs + 1, sizeof *q.inside);
        for (int i = 0; i < loads.n; i++)
            if (is_null(&q, loads.a[i]))
                cs_intset_add(&nulls, loads.a[i]);
        free(q.left_start);
        free(q.inside);
        cs_intlist_free(&q.entered);
        cs_intlist_free(&q.run);
        cs_intlist_free(&q.work);
        cs_live_free(q.l);
    }
    cs_intset_free(&loads);
    return nulls;
}
