/* SPDX-License-Identifier: GPL-3.0-or-later
 * Error codes that functions hand up; error_returns.h. Which edges return a number that is not 0 is read off the
 * values: a constant, what was just compared with 0, or what a function makes of such a number. Then callers are
 * asked: "goes on" grows from "nowhere" until nothing changes. */
#include "slicer/control/error_returns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/control/mpi_phase.h"

/* How far values and callees are followed. */
enum { MOST_STEPS = 6, MOST_EDGES = 8 };

/* A test of a value: edge `zero` of its block is taken where the value is 0. */
struct test {
    int value, zero;
};

static const struct cs_stmt *def_of(const struct cs_graph *g, struct cs_operand v)
{
    return v.kind == CS_OPND_VALUE && g->values[v.id].def >= 0 ? &g->stmts[g->values[v.id].def] : NULL;
}

static int called(const struct cs_graph *g, const struct cs_stmt *s)
{
    return s->kind == CS_STMT_CALL && s->callee.kind == CS_OPND_ADDR && g->objs[s->callee.id].kind == CS_OBJ_FUNC
               ? g->objs[s->callee.id].func
               : -1;
}

static bool is_zero(struct cs_operand o)
{
    return o.kind == CS_OPND_CONST && o.pat.off == 0;
}

static bool compares_zero(const struct cs_stmt *s)
{
    return (s->op == CS_OP_EQ || s->op == CS_OP_NE) && s->nuses == 2 && s->uses[0].kind == CS_OPND_VALUE &&
           is_zero(s->uses[1]);
}

/* Are both sides of a copy of one type? The shape says both in the same words then, behind one letter. */
static bool is_of_one_type(const struct cs_graph *g, const struct cs_stmt *s)
{
    const char *shape = s->shape < 0 ? "" : cs_graph_str(g, s->shape);
    size_t half = strlen(shape) / 2;
    return half > 0 && strlen(shape) % 2 == 1 && memcmp(shape + 1, shape + 1 + half, half) == 0;
}

/* Does it make a number that is 0 only where what it moves is? One of fewer bits may lose the others. */
static bool keeps_number(const struct cs_graph *g, const struct cs_stmt *s)
{
    return s->kind == CS_STMT_ASSIGN && s->op == CS_OP_COPY && s->nuses == 1 &&
           (!s->bits || abs(s->bits) >= 64 || is_of_one_type(g, s));
}

/* What a test of this value looks at in the end: behind copies, comparisons with 0 and what GCC is told to expect. */
static struct cs_operand tested(const struct cs_graph *g, struct cs_operand v, bool *turned)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        const struct cs_stmt *s = def_of(g, v);
        if (!s || !s->nuses)
            break;
        bool expect = called(g, s) >= 0 && !strcmp(cs_func_name(g, called(g, s)), "__builtin_expect");
        bool compared = s->kind == CS_STMT_ASSIGN && compares_zero(s);
        if (!expect && !compared && !keeps_number(g, s))
            break;
        *turned ^= compared && s->op == CS_OP_EQ;
        v = s->uses[0];
    }
    return v;
}

/* The test at the end of a block; value -1: there is none. */
static struct test test_of(const struct cs_graph *g, const struct cs_block *b)
{
    struct test t = {-1, 0};
    const struct cs_stmt *s = b->nstmts ? &g->stmts[b->stmts[b->nstmts - 1]] : NULL;
    if (!s || s->kind != CS_STMT_COND || !compares_zero(s) || b->nsuccs != 2)
        return t;
    bool turned = false;
    struct cs_operand v = tested(g, s->uses[0], &turned);
    t.value = v.kind == CS_OPND_VALUE ? v.id : -1;
    t.zero = (s->op == CS_OP_NE) ^ turned;
    return t;
}

/* The block before, if it is the only one. The first block has the function's beginning before it. */
static int only_before(const struct cs_func *f, int block)
{
    int before = -1;
    for (int b = 0; block && b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            if (f->blocks[b].succs[i] != block)
                continue;
            if (before >= 0 || f->blocks[b].eh[i])
                return -1;
            before = b;
        }
    return before;
}

/* Has control come to the block, or to its edge to `to`, only where the value is not 0? */
static bool tested_before(const struct cs_graph *g, const struct cs_func *f, int value, int block, int to)
{
    for (int i = 0; i < 4 * MOST_STEPS && block >= 0; i++) {
        const struct cs_block *b = &f->blocks[block];
        struct test t = test_of(g, b);
        if (t.value == value && b->succs[!t.zero] == to && b->succs[t.zero] != to)
            return true;
        to = block;
        block = only_before(f, block);
    }
    return false;
}

/* Calls whose callee is looked into, the innermost first. */
struct frame {
    const struct cs_stmt *call;
    const struct frame *up;
};

static bool nonzero(const struct cs_graph *g, struct cs_operand v, int block, int to, const struct frame *up,
                    int steps);

/* Is each number that the callee returns not 0? */
static bool returns_nonzero(const struct cs_graph *g, const struct cs_stmt *call, const struct frame *up, int steps)
{
    int func = called(g, call), n = 0;
    if (func < 0 || !g->funcs[func].defined)
        return false;
    struct frame here = {call, up};
    for (int b = 0; b < g->funcs[func].nblocks; b++) {
        const struct cs_block *bl = &g->funcs[func].blocks[b];
        const struct cs_stmt *s = bl->nstmts ? &g->stmts[bl->stmts[bl->nstmts - 1]] : NULL;
        if (!s || s->kind != CS_STMT_RETURN)
            continue;
        n++;
        if (s->nuses != 1 || !nonzero(g, s->uses[0], b, CS_BLOCK_EXIT, &here, steps))
            return false;
    }
    return n > 0;
}

/* A parameter of the function that is called by up->call. */
static bool argument_nonzero(const struct cs_graph *g, int value, const struct frame *up, int steps)
{
    const struct cs_func *f = &g->funcs[g->values[value].func];
    for (int i = 0; up && i < f->nparams && i < up->call->nuses; i++)
        if (f->params[i] == value)
            return nonzero(g, up->call->uses[i], up->call->block, -1, up->up, steps);
    return false;
}

/* Is the operand surely not 0 where control goes from the block to `to`? */
static bool nonzero(const struct cs_graph *g, struct cs_operand v, int block, int to, const struct frame *up, int steps)
{
    if (v.kind == CS_OPND_CONST)
        return v.pat.off != 0;
    if (v.kind != CS_OPND_VALUE || steps <= 0)
        return false;
    bool turned = false;
    struct cs_operand seen = tested(g, v, &turned);
    if (tested_before(g, &g->funcs[g->values[v.id].func], seen.kind == CS_OPND_VALUE ? seen.id : v.id, block, to) &&
        !turned)
        return true;
    const struct cs_stmt *s = def_of(g, v);
    if (!s)
        return argument_nonzero(g, v.id, up, steps - 1);
    if (keeps_number(g, s))
        return nonzero(g, s->uses[0], block, to, up, steps - 1);
    if (s->kind == CS_STMT_CALL)
        return returns_nonzero(g, s, up, steps - 1);
    bool all = s->kind == CS_STMT_PHI && s->nuses > 0;
    for (int i = 0; all && i < s->nuses; i++)
        all = nonzero(g, s->uses[i], s->phi_preds[i], s->block, up, steps - 1);
    return all;
}

bool cs_error_returns_step(const struct cs_block *b, int *next)
{
    int n = 0;
    for (int k = 0; k < b->nsuccs; k++)
        if (!b->eh[k]) {
            *next = b->succs[k];
            n++;
        }
    return n == 1;
}

/* The block behind the block, if there is but one, save for exceptions; else -1. */
static int only_behind(const struct cs_block *b)
{
    int next;
    return cs_error_returns_step(b, &next) ? next : -1;
}

/* Is there but one way from the first block to the second one, and from there to `to`? */
static bool straight(const struct cs_func *f, int from, int block, int to)
{
    for (int k = 0; k < f->blocks[block].nsuccs; k++)
        if (!f->blocks[block].eh[k] && f->blocks[block].succs[k] != to)
            return false;
    for (int i = 0; i <= f->nblocks && from >= 0; i++) {
        if (from == block)
            return true;
        from = only_behind(&f->blocks[from]);
    }
    return false;
}

static unsigned phase_behind(const struct cs_error_returns *e, const struct cs_func *f, int block)
{
    for (int i = 0; i < MOST_STEPS && block >= 0; i++) {
        const struct cs_block *b = &f->blocks[block];
        if (b->nstmts && e->phase[b->stmts[b->nstmts - 1]])
            return e->phase[b->stmts[b->nstmts - 1]];
        if (b->nstmts)
            return 0;
        block = only_before(f, block);
    }
    return 0;
}

static bool is_main(const struct cs_graph *g, int func)
{
    return g->funcs[func].is_entry && !strcmp(cs_func_name(g, func), "main");
}

/* May a call of the block end MPI, as MPI_Finalize does, or the destructor of an object? */
static bool may_finalize(const struct cs_error_returns *e, const struct cs_block *b)
{
    for (int i = 0; i < b->nstmts; i++) {
        enum cs_binding bind;
        const struct cs_stmt *s = &e->g->stmts[b->stmts[i]];
        int func = called(e->g, s);
        if (s->kind != CS_STMT_CALL)
            continue;
        const struct cs_mpi_call *c = func < 0 ? NULL : cs_mpi_by_symbol(cs_func_name(e->g, func), &bind);
        if (func < 0 || e->g->funcs[func].defined || (c && c->kind == CS_MPI_FINALIZE))
            return true;
    }
    return b->nstmts && e->phase[b->stmts[b->nstmts - 1]] & CS_MPI_PHASE_BEFORE;
}

/* A code of main counts where MPI has begun, and does not end before main returns. */
static bool counts(const struct cs_error_returns *e, int func, int block, int to)
{
    const struct cs_func *f = &e->g->funcs[func];
    if (!is_main(e->g, func))
        return true;
    for (int i = 0; to >= 0; i++) {
        if (may_finalize(e, &f->blocks[to]) || !f->blocks[to].nsuccs || i > f->nblocks)
            return false;
        if (!cs_error_returns_step(&f->blocks[to], &to))
            return false;
    }
    return phase_behind(e, f, block) == CS_MPI_PHASE_INSIDE;
}

/* By this edge a code is returned. */
static void mark(struct cs_error_returns *e, int func, int block, int to)
{
    const struct cs_func *f = &e->g->funcs[func];
    int edge = -1, n = 0;
    if (!counts(e, func, block, to))
        return;
    for (int i = 0; i < f->blocks[block].nsuccs; i++)
        if (f->blocks[block].succs[i] == to) {
            edge = i;
            n++;
        }
    if (n != 1 || edge >= MOST_EDGES || f->blocks[block].eh[edge])
        return;
    if (!e->edges[func])
        e->edges[func] = cs_calloc(f->nblocks + 1, 1);
    e->edges[func][block] |= 1u << edge;
    e->carries[func] = true;
}

/* v is returned if control goes from the block to `to`. */
static void returned(struct cs_error_returns *e, int func, struct cs_operand v, int block, int to, int steps)
{
    const struct cs_stmt *s = def_of(e->g, v);
    if (steps <= 0)
        return;
    if (s && s->kind == CS_STMT_PHI && straight(&e->g->funcs[func], s->block, block, to)) {
        for (int i = 0; i < s->nuses; i++)
            returned(e, func, s->uses[i], s->phi_preds[i], s->block, steps - 1);
    } else if (nonzero(e->g, v, block, to, NULL, MOST_STEPS)) {
        mark(e, func, block, to);
    } else if (s && keeps_number(e->g, s)) {
        returned(e, func, s->uses[0], block, to, steps - 1);
    } else if (s && called(e->g, s) >= 0 && straight(&e->g->funcs[func], s->block, block, to) &&
               counts(e, func, block, to)) {
        cs_intlist_add(&e->from, func);
        cs_intlist_add(&e->by, e->g->values[v.id].def);
        e->carries[func] = true;
    }
}

static void find_returns(struct cs_error_returns *e, int func)
{
    const struct cs_func *f = &e->g->funcs[func];
    for (int b = 0; b < f->nblocks; b++) {
        const struct cs_stmt *s =
            f->blocks[b].nstmts ? &e->g->stmts[f->blocks[b].stmts[f->blocks[b].nstmts - 1]] : NULL;
        if (s && s->kind == CS_STMT_RETURN && s->nuses == 1)
            returned(e, func, s->uses[0], b, CS_BLOCK_EXIT, MOST_STEPS);
    }
}

struct cs_error_returns cs_error_returns_new(const struct cs_graph *g, const unsigned char *phase)
{
    struct cs_error_returns e = {.g = g, .phase = phase};
    e.edges = cs_calloc(g->nfuncs + 1, sizeof *e.edges);
    e.carries = cs_calloc(g->nfuncs + 1, sizeof *e.carries);
    e.good = cs_calloc(g->nfuncs + 1, sizeof *e.good);
    cs_mpi_phase_taken(g, e.good);
    for (int f = 0; f < g->nfuncs; f++) {
        if (!is_main(g, f))
            e.good[f] |= g->funcs[f].exported || g->funcs[f].keep_all || g->funcs[f].is_entry;
        if (g->funcs[f].defined && !e.good[f])
            find_returns(&e, f);
    }
    return e;
}

void cs_error_returns_free(struct cs_error_returns *e)
{
    for (int f = 0; f < e->g->nfuncs; f++)
        free(e->edges[f]);
    free(e->edges);
    free(e->carries);
    free(e->good);
    cs_intlist_free(&e->from);
    cs_intlist_free(&e->by);
}

bool cs_error_returns_by(const struct cs_error_returns *e, int func, int block, int edge)
{
    assert(edge >= 0);
    return e->edges[func] && !e->good[func] && edge < MOST_EDGES && (e->edges[func][block] >> edge & 1);
}

/* Is the value given to a function behind its own call, in this block? That may end the run. */
static bool handed_on(const struct cs_graph *g, const struct cs_block *b, int value)
{
    for (int i = 0; value >= 0 && i < b->nstmts; i++) {
        const struct cs_stmt *s = &g->stmts[b->stmts[i]];
        int func = called(g, s);
        for (int k = 0; s->kind == CS_STMT_CALL && (func < 0 || g->funcs[func].defined) && k < s->nuses; k++)
            if (s->uses[k].kind == CS_OPND_VALUE && s->uses[k].id == value)
                return true;
    }
    return false;
}

/* Is there a call in the block that may leave it, for the end of the run or for elsewhere? `after`: only behind this
 * statement of the block, if it is not NULL. */
static bool left(const struct cs_error_returns *e, const struct cs_block *b, const struct cs_stmt *after,
                 const struct cs_call_leaves *leaving)
{
    for (int i = b->nstmts - 1; i >= 0 && &e->g->stmts[b->stmts[i]] != after; i--)
        if (e->g->stmts[b->stmts[i]].kind == CS_STMT_CALL && leaving->may(leaving->arg, b->stmts[i]))
            return true;
    return false;
}

/* The function that returns what the call gives, behind it on the only way; -1: none. */
static int returned_by(const struct cs_error_returns *e, int stmt)
{
    for (int i = 0; i < e->by.n; i++)
        if (e->by.a[i] == stmt)
            return e->from.a[i];
    return -1;
}

/* May the run go on if this call gives a number that is not 0? */
static bool goes_on(const struct cs_error_returns *e, int stmt, bool *const *good, const struct cs_call_leaves *leaving)
{
    const struct cs_stmt *s = &e->g->stmts[stmt];
    const struct cs_func *f = &e->g->funcs[s->func];
    if (!f->defined || f->uncalled || !good[s->func] || !good[s->func][s->block])
        return false;
    int by = returned_by(e, stmt), block = s->block;
    for (int i = 0; i < (by < 0 ? MOST_STEPS : f->nblocks + 1); i++) {
        const struct cs_block *b = &f->blocks[block];
        struct test t = test_of(e->g, b);
        if (left(e, b, i ? NULL : s, leaving) || (by < 0 && handed_on(e->g, b, s->def)))
            return true;
        if (by < 0 && s->def >= 0 && t.value == s->def) {
            int bad = b->succs[!t.zero];
            return !cs_error_returns_by(e, s->func, block, !t.zero) && (bad < 0 || good[s->func][bad]);
        }
        block = only_behind(b);
        if (block < 0)
            return by < 0 || e->good[by];
    }
    return true;
}

bool cs_error_returns_grow(struct cs_error_returns *e, bool *const *good, struct cs_call_leaves leaving)
{
    bool grows = false;
    for (int i = 0; i < e->g->nstmts; i++) {
        int func = called(e->g, &e->g->stmts[i]);
        if (func < 0 || e->good[func] || !e->carries[func] || !goes_on(e, i, good, &leaving))
            continue;
        e->good[func] = grows = true;
    }
    return grows;
}
