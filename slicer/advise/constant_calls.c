/* SPDX-License-Identifier: GPL-3.0-or-later
 * Walks a function with the branches decided that ask for a parameter alone; constant_calls.h. */
#include "slicer/advise/constant_calls.h"

#include <stdlib.h>

void cs_constant_calls_start(struct cs_constant_calls *c, const struct cs_graph *g, const struct cs_need_flow *flow)
{
    *c = (struct cs_constant_calls){.g = g, .flow = flow};
    c->skipped = cs_calloc(g->nstmts + 1, sizeof *c->skipped);
    c->known = cs_calloc(g->nstmts + 1, sizeof *c->known);
}

void cs_constant_calls_free(struct cs_constant_calls *c)
{
    for (int i = 0; i < c->g->nstmts; i++)
        free(c->skipped[i]);
    free(c->skipped);
    free(c->known);
}

/* The function with a body that the call reaches, if it is one; -1. */
static int callee_of(const struct cs_constant_calls *c, int call)
{
    int first = c->flow->first_callee[call];
    return c->flow->first_callee[call + 1] == first + 1 ? c->flow->callees[first] : -1;
}

/* The number that the argument is, or that is where it points to. */
static bool number_passed(const struct cs_graph *g, struct cs_operand a, bool behind, int64_t *number)
{
    if (!behind && a.kind == CS_OPND_CONST) {
        *number = a.pat.off;
        return true;
    }
    if (!behind || a.kind != CS_OPND_ADDR || a.pat.stride || a.pat.off)
        return false;
    const struct cs_obj *o = &g->objs[a.id];
    if (!o->readonly || o->ninits != 1 || o->inits[0].off || o->inits[0].val.kind != CS_OPND_CONST)
        return false;
    *number = o->inits[0].val.pat.off;
    return true;
}

/* The value, or what is behind the pointer that it is. */
struct asked {
    int value;
    bool behind;
};

static struct asked asked_by(const struct cs_graph *g, struct cs_operand op)
{
    int d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    bool behind = d >= 0 && g->stmts[d].kind == CS_STMT_LOAD && !g->stmts[d].load.pat.off &&
                  !g->stmts[d].load.pat.stride && g->stmts[d].load.base.kind == CS_OPND_VALUE;
    return (struct asked){behind ? g->stmts[d].load.base.id : op.kind == CS_OPND_VALUE ? op.id : -1, behind};
}

/* Which of the call's arguments is the value, a parameter? -1: none. */
static int argument_of(const struct cs_graph *g, int func, int call, int value)
{
    const struct cs_func *f = &g->funcs[func];
    for (int k = 0; value >= 0 && k < f->nparams && k < g->stmts[call].nuses; k++)
        if (f->params[k] == value)
            return k;
    return -1;
}

static bool number_of(const struct cs_graph *g, int func, int call, struct cs_operand op, int64_t *number);

/* That of a value that is moved, or decided by one side of `a && b` or `a || b` alone. */
static bool number_made(const struct cs_graph *g, int func, int call, const struct cs_stmt *s, int64_t *number)
{
    if (s->kind != CS_STMT_ASSIGN || !s->nuses)
        return false;
    if (s->op == CS_OP_COPY)
        return number_of(g, func, call, s->uses[0], number);
    for (int i = 0; i < s->nuses && (s->op == CS_OP_AND || s->op == CS_OP_OR); i++)
        if (number_of(g, func, call, s->uses[i], number) && !*number == (s->op == CS_OP_AND))
            return true;
    return false;
}

/* The number that the operand is in the function, for the call. */
static bool number_of(const struct cs_graph *g, int func, int call, struct cs_operand op, int64_t *number)
{
    struct asked a = asked_by(g, op);
    int k = argument_of(g, func, call, a.value), d = op.kind == CS_OPND_VALUE ? g->values[op.id].def : -1;
    if (op.kind == CS_OPND_CONST)
        *number = op.pat.off;
    if (k < 0 && d >= 0 && !a.behind)
        return number_made(g, func, call, &g->stmts[d], number);
    return k >= 0 ? number_passed(g, g->stmts[call].uses[k], a.behind, number) : op.kind == CS_OPND_CONST;
}

/* Can control come from the function's entry to the block, but by edge i of `branch`? */
static bool comes_to(const struct cs_func *f, int block, int branch, int i)
{
    bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
    struct cs_intlist work = {0};
    seen[0] = true;
    for (cs_intlist_add(&work, 0); work.n && !seen[block];) {
        int at = work.a[--work.n];
        for (int k = 0; k < f->blocks[at].nsuccs; k++) {
            int to = f->blocks[at].succs[k];
            if (to < 0 || seen[to] || (at == branch && k == i))
                continue;
            seen[to] = true;
            cs_intlist_add(&work, to);
        }
    }
    bool comes = seen[block];
    cs_intlist_free(&work);
    free(seen);
    return comes;
}

/* Has a branch told, where the call is, whether the argument is the number? 1: it is; 0: it is not; -1: none has. */
static int is_told(const struct cs_graph *g, int call, struct cs_operand argument, bool behind, int64_t number)
{
    const struct cs_stmt *c = &g->stmts[call];
    const struct cs_func *f = &g->funcs[c->func];
    for (int b = 0; b < f->nblocks && argument.kind == CS_OPND_VALUE && c->block > 0; b++) {
        int branch = cs_block_branch(g, c->func, b);
        const struct cs_stmt *s = branch < 0 ? NULL : &g->stmts[branch];
        if (!s || s->kind != CS_STMT_COND || s->nuses != 2 || (s->op != CS_OP_EQ && s->op != CS_OP_NE) ||
            s->uses[1].kind != CS_OPND_CONST || s->uses[1].pat.off != number || f->blocks[b].nsuccs != 2)
            continue;
        struct asked a = asked_by(g, s->uses[0]);
        if (a.value != argument.id || a.behind != behind)
            continue;
        for (int i = 0; i < 2; i++)
            if (!comes_to(f, c->block, b, i))
                return (s->op == CS_OP_EQ) == (i == 0);
    }
    return -1;
}

/* The edge that control takes from the block for the call; -1: any. */
static int edge_taken(const struct cs_graph *g, int func, int call, int block)
{
    int b = cs_block_branch(g, func, block);
    const struct cs_stmt *s = b < 0 ? NULL : &g->stmts[b];
    int64_t x, y;
    if (!s || s->kind != CS_STMT_COND || s->nuses != 2 || !cs_op_compares(s->op) ||
        !number_of(g, func, call, s->uses[1], &y))
        return -1;
    if (number_of(g, func, call, s->uses[0], &x))
        return cs_op_holds(s->op, x, y) ? 0 : 1;
    struct asked a = asked_by(g, s->uses[0]);
    int k = argument_of(g, func, call, a.value);
    if (k < 0 || (s->op != CS_OP_EQ && s->op != CS_OP_NE))
        return -1;
    int told = is_told(g, call, g->stmts[call].uses[k], a.behind, y);
    return told < 0 ? -1 : told == (s->op == CS_OP_EQ) ? 0 : 1;
}

/* Of each block of the function whether the call skips it; NULL: it skips none. The caller frees. */
static bool *find_skipped(const struct cs_graph *g, int func, int call)
{
    const struct cs_func *f = &g->funcs[func];
    bool *skipped = cs_calloc(f->nblocks + 1, sizeof *skipped), decided = false;
    struct cs_intlist work = {0};
    for (int b = 1; b < f->nblocks; b++)
        skipped[b] = true;
    for (cs_intlist_add(&work, 0); work.n;) {
        int block = work.a[--work.n], taken = edge_taken(g, func, call, block);
        decided |= taken >= 0;
        for (int i = 0; i < f->blocks[block].nsuccs; i++) {
            int to = f->blocks[block].succs[i];
            if (to < 0 || !skipped[to] || (taken >= 0 && i != taken))
                continue;
            skipped[to] = false;
            cs_intlist_add(&work, to);
        }
    }
    cs_intlist_free(&work);
    if (decided)
        return skipped;
    free(skipped);
    return NULL;
}

bool cs_constant_call_skips(struct cs_constant_calls *c, int call)
{
    int func = c->known[call] ? -1 : callee_of(c, call);
    if (func >= 0 && c->g->funcs[func].nblocks)
        c->skipped[call] = find_skipped(c->g, func, call);
    c->known[call] = true;
    return c->skipped[call];
}

bool cs_constant_call_skips_stmt(struct cs_constant_calls *c, int call, int stmt)
{
    const struct cs_stmt *s = &c->g->stmts[stmt];
    return cs_constant_call_skips(c, call) && s->func == callee_of(c, call) && s->block >= 0 &&
           c->skipped[call][s->block];
}

bool cs_constant_call_takes(struct cs_constant_calls *c, int call, int from, int to)
{
    if (!cs_constant_call_skips(c, call))
        return true;
    int func = callee_of(c, call), taken = edge_taken(c->g, func, call, from);
    const struct cs_block *b = &c->g->funcs[func].blocks[from];
    return !c->skipped[call][from] && (taken < 0 || taken >= b->nsuccs || b->succs[taken] == to);
}
