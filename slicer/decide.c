/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cuts edges that constant conditions never take. Without them a pointer may come from fewer places, so points-to is
 * solved again, up to MAX_ROUNDS times, which may find more constants. */
#include "slicer/decide.h"

#include <assert.h>
#include <stdlib.h>

#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"
#include "slicer/live/live.h"

#define MAX_ROUNDS 6 /* solutions of points-to after the first */

/* What is known of values so far: known_val[v] where known[v], of nknown values. */
struct deciding {
    struct cs_graph *g;
    struct cs_models *ms;
    struct cs_pts *pts;
    bool *known;
    int64_t *known_val;
    int nknown;
    struct cs_pts_budget *budget;
    struct cs_learnt now; /* what has been found */
};

/* Is it a place in memory that exists for sure? Its address is not null. */
static bool solid(const struct cs_graph *g, const struct cs_loc *l)
{
    if (l->obj < 0)
        return false;
    const struct cs_obj *o = &g->objs[l->obj];
    return (o->kind == CS_OBJ_HEAP || o->kind == CS_OBJ_LOCAL || (o->kind == CS_OBJ_GLOBAL && !o->external)) &&
           l->pat.stride == 0 && l->pat.off >= 0;
}

/* Is the operand constant, by points-to or by what was found since that was solved? */
static bool constant(struct deciding *d, struct cs_operand op, int64_t *val)
{
    bool found = op.kind == CS_OPND_VALUE && op.id < d->nknown && d->known[op.id];
    if (found)
        *val = d->known_val[op.id];
    return found || cs_pts_constant(d->pts, op, val);
}

/* The result of a comparison: 1 true, 0 false, -1 not known. */
static int decide(struct deciding *d, enum cs_op op, struct cs_operand a, struct cs_operand b)
{
    int64_t va, vb;
    int result = -1;
    if (!cs_op_compares(op) || !constant(d, b, &vb))
        return -1;
    if (constant(d, a, &va))
        return cs_op_holds(op, va, vb);
    const struct cs_intset *s = cs_pts_operand(d->pts, a);
    if (s->n == 0)
        return -1;
    for (int i = 0; i < s->n; i++) {
        const struct cs_loc *l = cs_pts_loc(d->pts, s->a[i]);
        int r;
        if (l->obj == CS_LOC_CONST)
            r = cs_op_holds(op, l->pat.off, vb);
        else if (vb == 0 && (op == CS_OP_EQ || op == CS_OP_NE) && solid(d->g, l))
            r = op == CS_OP_NE;
        else
            return -1;
        if (result >= 0 && result != r)
            return -1;
        result = r;
    }
    return result;
}

static void note(struct deciding *d, int func, int at, int64_t number)
{
    CS_GROW(d->now.fact, d->now.n, d->now.cap);
    d->now.fact[d->now.n++] = (struct cs_learnt_fact){func, at, number};
}

/* Notes that a value is constant. False if that was known. */
static bool know(struct deciding *d, int v, int64_t val)
{
    assert(v >= 0);
    if (v >= d->nknown || d->known[v])
        return false;
    d->known[v] = true;
    d->known_val[v] = val;
    note(d, -1, v, val);
    return true;
}

/* The result of a logical AND or OR, for which one operand may be enough; -1: not known. */
static int decide_truth(struct deciding *d, const struct cs_stmt *s)
{
    assert(s->op == CS_OP_AND || s->op == CS_OP_OR);
    int64_t val;
    int enough = s->op == CS_OP_OR, known = 0;
    for (int i = 0; i < s->nuses; i++) {
        if (!constant(d, s->uses[i], &val))
            continue;
        if ((val != 0) == enough)
            return enough;
        known++;
    }
    return known == s->nuses ? !enough : -1;
}

static bool decide_assign(struct deciding *d, const struct cs_stmt *s)
{
    int64_t a, b;
    if (s->def < 0 || s->def >= d->nknown || d->known[s->def])
        return false;
    if (cs_op_compares(s->op)) {
        int r = decide(d, s->op, s->uses[0], s->uses[1]);
        return r >= 0 && know(d, s->def, r);
    }
    if (s->op == CS_OP_AND || s->op == CS_OP_OR) {
        int r = decide_truth(d, s);
        return r >= 0 && know(d, s->def, r);
    }
    if (s->nuses != 2 || !constant(d, s->uses[0], &a) || !constant(d, s->uses[1], &b))
        return false;
    if (a > INT32_MAX || a < INT32_MIN || b > INT32_MAX || b < INT32_MIN)
        return false;
    int64_t r = s->op == CS_OP_ADD ? a + b : s->op == CS_OP_SUB ? a - b : a * b;
    if ((s->op != CS_OP_ADD && s->op != CS_OP_SUB && s->op != CS_OP_MUL) || r > INT32_MAX || r < INT32_MIN)
        return false;
    return (!s->bits || cs_fits(r, s->bits)) && know(d, s->def, r); /* a result that does not fit wraps around */
}

/* Notes that edge `dead` of the block is never taken. False if one of its edges is not, as far as is known. */
static bool cut_edge(struct deciding *d, int func, int block, int dead)
{
    struct cs_block *b = &d->g->funcs[func].blocks[block];
    assert(b->nsuccs == 2);
    if (b->never[dead] || b->never[!dead])
        return false;
    b->never[dead] = true;
    note(d, func, block, dead);
    return true;
}

static bool decide_branch(struct deciding *d, const struct cs_stmt *s)
{
    struct cs_block *b = &d->g->funcs[s->func].blocks[s->block];
    if (s->kind == CS_STMT_COND && b->nsuccs == 2) {
        int r = decide(d, s->op, s->uses[0], s->uses[1]);
        return r >= 0 && cut_edge(d, s->func, s->block, r ? 1 : 0);
    }
    return false;
}

static bool decide_once(struct deciding *d)
{
    bool changed = false;
    struct cs_graph *g = d->g;
    for (int f = 0; f < g->nfuncs; f++) {
        if (!cs_pts_func_reached(d->pts, f))
            continue;
        for (int b = 0; b < g->funcs[f].nblocks; b++) {
            if (!g->funcs[f].blocks[b].reachable)
                continue;
            for (int i = 0; i < g->funcs[f].blocks[b].nstmts; i++) {
                const struct cs_stmt *s = &g->stmts[g->funcs[f].blocks[b].stmts[i]];
                if (s->kind == CS_STMT_ASSIGN)
                    changed |= decide_assign(d, s);
                if (s->kind == CS_STMT_COND)
                    changed |= decide_branch(d, s);
            }
        }
    }
    return changed;
}

static bool decide_all(struct deciding *d)
{
    bool changed = false;
    while (decide_once(d))
        changed = true;
    return changed;
}

/* Learns of loads that give null each time, although the place also holds addresses at other times. */
static bool find_nulls(struct deciding *d)
{
    struct cs_intset nulls = cs_live_nulls(d->g, d->ms, d->pts);
    bool any = false;
    for (int i = 0; i < nulls.n; i++)
        any |= know(d, d->g->stmts[nulls.a[i]].def, 0);
    cs_intset_free(&nulls);
    return any;
}

/* Where the budget ends a later solution, the one before it stays: it knows of fewer constants. So does one in which
 * nearly all is taken as one: another one would hardly know more. */
static void solve(struct deciding *d)
{
    for (int round = 0;; round++) {
        struct cs_pts *before = d->pts,
                      *now = cs_pts_solve(d->g, d->ms, d->known, d->known_val, d->nknown, before, d->budget);
        if (!now)
            return;
        cs_pts_free(before);
        d->pts = now;
        if (round == MAX_ROUNDS || !decide_all(d))
            return;
        for (int f = 0; f < d->g->nfuncs; f++)
            cs_cfg_reach(d->g, f);
        if (cs_pts_closed(now))
            return;
    }
}

/* Takes what is known from the start. */
static void take_learnt(struct deciding *d, const struct cs_learnt *l)
{
    for (int i = 0; i < l->n; i++) {
        const struct cs_learnt_fact *f = &l->fact[i];
        if (f->func < 0)
            know(d, f->at, f->number);
        else
            cut_edge(d, f->func, f->at, (int)f->number);
    }
    for (int f = 0; f < d->g->nfuncs && l->n; f++)
        cs_cfg_reach(d->g, f);
    d->budget->instances = l->instances;
    d->budget->lost = l;
}

/* Gives back what is known now; nothing, if nearly all was taken as one: under other assumptions pointers may find
 * their way. */
static void give_learnt(struct deciding *d, struct cs_learnt *l)
{
    if (!d->pts || cs_pts_closed(d->pts))
        d->now.n = 0;
    else {
        d->now.instances = cs_pts_instances(d->pts);
        cs_pts_learn_lost(d->pts, &d->now);
    }
    free(l->fact);
    free(l->lost);
    *l = d->now;
    d->now = (struct cs_learnt){0};
}

struct cs_pts *cs_decide(struct cs_graph *g, struct cs_models *ms, struct cs_pts_budget *budget,
                         struct cs_learnt *learnt)
{
    struct deciding d = {.g = g, .ms = ms, .nknown = g->nvalues, .budget = budget};
    d.known = cs_calloc(g->nvalues + 1, sizeof *d.known);
    d.known_val = cs_calloc(g->nvalues + 1, sizeof *d.known_val);
    budget->lost = NULL;
    if (learnt)
        take_learnt(&d, learnt);
    solve(&d);
    if (d.pts && !cs_pts_closed(d.pts) && find_nulls(&d))
        solve(&d);
    if (learnt)
        give_learnt(&d, learnt);
    budget->lost = NULL;
    free(d.now.fact);
    free(d.known);
    free(d.known_val);
    return d.pts;
}
