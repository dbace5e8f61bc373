/* SPDX-License-Identifier: GPL-3.0-or-later
 * Takes the conditions of two statements that ask for the same variable, and compares which way they go; exclusive.h.
 */
#include "slicer/advise/exclusive.h"

#include <stdlib.h>

#include "slicer/advise/conditional.h"
#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"

/* Conditions of a block that are looked at. */
enum { MOST = 4 };

/* A number that control has to have found equal to a variable that is set once, or different from it. */
struct demand {
    int obj;
    int64_t off, number;
    bool equal;
};

/* of: by block, numbered through the program, NULL: not asked for yet. set: by object, how many statements store to it
 * or take its address. */
struct cs_exclusive {
    const struct cs_graph *g;
    struct cs_conditional conditional;
    int *first, *set;
    struct demands {
        int n;
        struct demand a[MOST];
    } * *of;
};

/* ---- variables ---- */

static void count(struct cs_exclusive *x, struct cs_operand op)
{
    if (op.kind == CS_OPND_ADDR)
        x->set[op.id]++;
}

static void count_sets(struct cs_exclusive *x)
{
    for (int s = 0; s < x->g->nstmts; s++) {
        const struct cs_stmt *st = &x->g->stmts[s];
        if (st->source != s) /* what only the analyses have, copies of functions */
            continue;
        if (st->has_store)
            count(x, st->store.base);
        for (int i = 0; i < st->nuses; i++)
            count(x, st->uses[i]);
    }
}

/* Is it a read of a global variable that is set once? */
static bool reads_once(const struct cs_exclusive *x, const struct cs_stmt *s, struct demand *d)
{
    if (s->kind != CS_STMT_LOAD || s->load.base.kind != CS_OPND_ADDR || s->load.pat.stride || s->nuses)
        return false;
    d->obj = s->load.base.id;
    d->off = s->load.pat.off;
    return x->g->objs[d->obj].kind == CS_OBJ_GLOBAL && x->set[d->obj] <= 1;
}

/* The one statement that returns from the function, -1: there are some, or none. */
static int returns(const struct cs_graph *g, int func)
{
    int found = -1;
    for (int b = 0; b < g->funcs[func].nblocks; b++) {
        const struct cs_block *block = &g->funcs[func].blocks[b];
        int last = block->nstmts ? block->stmts[block->nstmts - 1] : -1;
        if (last < 0 || g->stmts[last].kind != CS_STMT_RETURN)
            continue;
        if (found >= 0)
            return -1;
        found = last;
    }
    return found;
}

static int function_of(const struct cs_graph *g, struct cs_operand callee)
{
    for (int f = 0; f < g->nfuncs && callee.kind == CS_OPND_ADDR; f++)
        if (g->funcs[f].obj == callee.id)
            return f;
    return -1;
}

/* Is the value that of such a variable, or what a function without arguments returns of it? */
static bool is_of_variable(const struct cs_exclusive *x, struct cs_operand op, struct demand *d)
{
    const struct cs_graph *g = x->g;
    if (op.kind != CS_OPND_VALUE || g->values[op.id].def < 0)
        return false;
    const struct cs_stmt *s = &g->stmts[g->values[op.id].def];
    int func = s->kind == CS_STMT_CALL && !s->nuses ? function_of(g, s->callee) : -1;
    int end = func < 0 ? -1 : returns(g, func);
    if (end >= 0 && g->stmts[end].nuses && g->stmts[end].uses[0].kind == CS_OPND_VALUE) {
        int def = g->values[g->stmts[end].uses[0].id].def;
        return def >= 0 && reads_once(x, &g->stmts[def], d);
    }
    return reads_once(x, s, d);
}

/* ---- conditions ---- */

/* By which edge of the branch control comes to the block without another turn; -1: by either. */
static int edge_to(const struct cs_graph *g, int func, int from, int block)
{
    const struct cs_func *f = &g->funcs[func];
    const struct cs_block *b = &f->blocks[from];
    bool by[2] = {false, false};
    for (int i = 0; i < 2 && b->nsuccs == 2; i++) {
        if (b->succs[i] < 0 || b->never[i])
            continue;
        bool *behind = cs_cfg_behind(f, b->succs[i], from);
        by[i] = b->succs[i] == block || behind[block];
        free(behind);
    }
    return by[0] == by[1] ? -1 : by[1];
}

static void add_demand(const struct cs_exclusive *x, struct demands *to, int branch, int block)
{
    const struct cs_stmt *s = &x->g->stmts[branch];
    struct demand d;
    bool asks = s->kind == CS_STMT_COND && (s->op == CS_OP_EQ || s->op == CS_OP_NE) && s->nuses == 2 &&
                s->uses[1].kind == CS_OPND_CONST && is_of_variable(x, s->uses[0], &d);
    int edge = asks && to->n < MOST ? edge_to(x->g, s->func, s->block, block) : -1;
    if (edge < 0)
        return;
    d.number = s->uses[1].pat.off;
    d.equal = (s->op == CS_OP_EQ) == (edge == 0);
    to->a[to->n++] = d;
}

static const struct demands *demands_of(struct cs_exclusive *x, int stmt)
{
    const struct cs_stmt *s = &x->g->stmts[stmt];
    struct demands **d = &x->of[x->first[s->func] + s->block];
    if (*d)
        return *d;
    *d = cs_calloc(1, sizeof **d);
    struct cs_intlist branches = {0};
    cs_conditions_of(&x->conditional, stmt, &branches);
    for (int i = 0; i < branches.n; i++)
        add_demand(x, *d, branches.a[i], s->block);
    cs_intlist_free(&branches);
    return *d;
}

static bool differ(const struct demand *a, const struct demand *b)
{
    if (a->obj != b->obj || a->off != b->off)
        return false;
    return a->number == b->number ? a->equal != b->equal : a->equal && b->equal;
}

bool cs_are_exclusive(struct cs_exclusive *x, int a, int b)
{
    const struct demands *p = demands_of(x, a), *q = p->n ? demands_of(x, b) : p;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < q->n; k++)
            if (differ(&p->a[i], &q->a[k]))
                return true;
    return false;
}

/* ---- start and end ---- */

struct cs_exclusive *cs_exclusive_start(const struct cs_graph *g)
{
    struct cs_exclusive *x = cs_calloc(1, sizeof *x);
    int n = 0;
    x->g = g;
    cs_conditional_start(&x->conditional, g);
    x->first = cs_calloc(g->nfuncs + 1, sizeof *x->first);
    for (int f = 0; f < g->nfuncs; f++) {
        x->first[f] = n;
        n += g->funcs[f].nblocks;
    }
    x->first[g->nfuncs] = n;
    x->of = cs_calloc(n + 1, sizeof *x->of);
    x->set = cs_calloc(g->nobjs + 1, sizeof *x->set);
    count_sets(x);
    return x;
}

void cs_exclusive_free(struct cs_exclusive *x)
{
    for (int b = 0; b < x->first[x->g->nfuncs]; b++)
        free(x->of[b]);
    free(x->of);
    free(x->first);
    free(x->set);
    cs_conditional_free(&x->conditional);
    free(x);
}
