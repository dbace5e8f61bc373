/* SPDX-License-Identifier: GPL-3.0-or-later
 * Edges that lead to error exits alone; error_exits.h. Each function has a fate, which callers ask: can it return, can
 * the run end well inside it? Fates grow from "neither" until nothing changes. */
#include "slicer/control/error_exits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/control/cfg.h"
#include "slicer/control/mpi_phase.h"
#include "slicer/control/throws.h"
#include "slicer/model/model.h"

/* What a function can do in a normal run: return; end the run well, or leave by a jump. */
struct fate {
    bool returns, exits;
};

/* The state of the analysis, all its own but g and fx. */
struct prune {
    struct cs_graph *g;
    const struct cs_effects *fx;
    struct fate *fate;    /* by function */
    unsigned char *phase; /* by statement, of calls that end the program: a set of enum cs_mpi_phase */
    bool *taken;          /* by function: its address is taken */
    struct cs_catching catching;
    bool taken_exits; /* one of those may end the program, or leave by a jump */
};

/* How a call or a block ends: control goes on behind it; only errors come of it; the run may end well in it. */
enum block_end { END_NONE, END_ERROR, END_EXIT };

static enum block_end end_of_noret(struct prune *p, int stmt, enum cs_effect_noret n)
{
    bool inside = p->phase[stmt] == CS_MPI_PHASE_INSIDE;
    if (n == CS_NORET_RETURNS)
        return END_NONE;
    if (n == CS_NORET_ERROR || (n == CS_NORET_EXIT && inside) || (n == CS_NORET_JUMP && !p->catching.any))
        return END_ERROR;
    return END_EXIT;
}

static bool calls_back(const struct cs_effect *fx)
{
    for (int i = 0; fx && i < fx->nops; i++)
        if (fx->ops[i].kind == CS_EFFECT_CALLBACK || fx->ops[i].kind == CS_EFFECT_CALL_DEEP ||
            fx->ops[i].kind == CS_EFFECT_HIDDEN_CALL)
            return true;
    return false;
}

/* How a call may end. *may: it may end the run well, or leave by a jump, though it need not. */
static enum block_end call_end(struct prune *p, int stmt, bool *may)
{
    const struct cs_stmt *s = &p->g->stmts[stmt];
    *may = p->taken_exits;
    if (s->callee.kind != CS_OPND_ADDR || p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return END_NONE;
    int func = p->g->objs[s->callee.id].func;
    const struct fate *f = &p->fate[func];
    if (p->g->funcs[func].defined) {
        *may = f->exits;
        if (f->returns)
            return END_NONE;
        return f->exits ? END_EXIT : END_ERROR;
    }
    const struct cs_effect *fx = cs_effects_find(p->fx, cs_func_name(p->g, func));
    *may = (calls_back(fx) && p->taken_exits) || cs_model_throws(p->catching, fx);
    return end_of_noret(p, stmt, cs_model_noret(p->fx, p->g, stmt, func));
}

/* A function that is not known, behind which the compiler sees no way on: it may end the run well. */
static bool opaque_end(struct prune *p, const struct cs_block *b)
{
    enum cs_binding bind;
    if (b->nsuccs || !b->nstmts)
        return false;
    const struct cs_stmt *s = &p->g->stmts[b->stmts[b->nstmts - 1]];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || p->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return false;
    int func = p->g->objs[s->callee.id].func;
    const char *name = cs_func_name(p->g, func);
    return !p->g->funcs[func].defined && !cs_effects_find(p->fx, name) && !cs_mpi_by_symbol(name, &bind);
}

/* Does the block end the run before its end? */
static enum block_end block_end(struct prune *p, const struct cs_block *b)
{
    bool may = false;
    for (int i = 0; i < b->nstmts; i++) {
        bool here;
        if (p->g->stmts[b->stmts[i]].kind != CS_STMT_CALL)
            continue;
        enum block_end end = call_end(p, b->stmts[i], &here);
        may |= here;
        if (end == END_ERROR && may)
            return END_EXIT;
        if (end != END_NONE)
            return end;
    }
    return opaque_end(p, b) ? END_EXIT : END_NONE;
}

static bool block_may_exit(struct prune *p, const struct cs_block *b)
{
    bool may = false;
    for (int i = 0; i < b->nstmts && !may; i++)
        if (p->g->stmts[b->stmts[i]].kind == CS_STMT_CALL)
            call_end(p, b->stmts[i], &may);
    return may;
}

/* Which blocks can reach a normal end; sets fate of the function. */
static void good_blocks(struct prune *p, int func, bool *good)
{
    struct cs_func *f = &p->g->funcs[func];
    enum block_end *end = cs_calloc(f->nblocks + 1, sizeof *end);
    bool *returns = cs_calloc(f->nblocks + 1, sizeof *returns);
    struct fate fate = {false, false};
    for (int b = 0; b < f->nblocks; b++) {
        end[b] = block_end(p, &f->blocks[b]);
        good[b] = end[b] == END_EXIT || (end[b] != END_ERROR && block_may_exit(p, &f->blocks[b]));
        if (good[b] && f->blocks[b].reachable)
            fate.exits = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = f->nblocks - 1; b >= 0; b--) {
            if (end[b] != END_NONE)
                continue;
            for (int i = 0; i < f->blocks[b].nsuccs; i++) {
                int t = f->blocks[b].succs[i];
                if (f->blocks[b].never[i])
                    continue;
                bool r = t == CS_BLOCK_EXIT || (t >= 0 && returns[t]), gd = t == CS_BLOCK_EXIT || (t >= 0 && good[t]);
                if (r && !returns[b])
                    returns[b] = changed = true;
                if (gd && !good[b])
                    good[b] = changed = true;
            }
        }
    }
    fate.returns = f->nblocks > 0 && returns[0];
    assert(fate.returns >= p->fate[func].returns && fate.exits >= p->fate[func].exits); /* fates only grow */
    p->fate[func] = fate;
    free(end);
    free(returns);
}

static void drop_exception_edges(struct cs_graph *g)
{
    for (int i = 0; i < g->nfuncs; i++)
        for (int b = 0; b < g->funcs[i].nblocks; b++)
            for (int k = 0; k < g->funcs[i].blocks[b].nsuccs; k++)
                if (g->funcs[i].blocks[b].eh[k])
                    g->funcs[i].blocks[b].never[k] = true;
}

/* Fates of functions whose address is taken hold for calls of which the callee is not seen. */
static bool find_taken_exits(struct prune *p)
{
    for (int f = 0; f < p->g->nfuncs; f++) {
        const struct cs_effect *fx = p->g->funcs[f].defined ? NULL : cs_effects_find(p->fx, cs_func_name(p->g, f));
        bool jumps = fx && (fx->noret == CS_NORET_EXIT || (fx->noret == CS_NORET_JUMP && p->catching.any));
        if (p->taken[f] && (p->fate[f].exits || jumps))
            return true;
    }
    return false;
}

/* Can control come to a block of the function twice? `state` of a block: 1 while what follows it is looked at, then 2.
 */
static bool has_cycle(const struct cs_func *f, int block, char *state)
{
    const struct cs_block *b = &f->blocks[block];
    state[block] = 1;
    for (int i = 0; i < b->nsuccs; i++) {
        int t = b->succs[i];
        if (t >= 0 && !b->never[i] && (state[t] == 1 || (state[t] == 0 && has_cycle(f, t, state))))
            return true;
    }
    state[block] = 2;
    return false;
}

/* Does a call of the function always end the run in an error? Not said of one with a loop, which may run as long as the
 * program does. */
static bool always_fails(struct prune *p, int func)
{
    struct cs_func *f = &p->g->funcs[func];
    bool fails = false;
    if (f->is_entry || f->keep_all)
        return false;
    if (!f->defined) {
        const struct cs_effect *fx = cs_effects_find(p->fx, cs_func_name(p->g, func));
        return fx && fx->noret == CS_NORET_ERROR && fx->back_arg < 0;
    }
    if (f->nblocks && !p->fate[func].returns && !p->fate[func].exits) {
        char *state = cs_calloc(f->nblocks, 1);
        fails = !has_cycle(f, 0, state);
        for (int b = 0; b < f->nblocks && fails; b++)
            fails = !state[b] || cs_block_ways(&f->blocks[b]) || block_end(p, &f->blocks[b]) == END_ERROR;
        free(state);
    }
    return fails;
}

static void prune_function(struct prune *p, int func)
{
    struct cs_func *f = &p->g->funcs[func];
    bool *good = cs_calloc(f->nblocks + 1, sizeof *good);
    bool *bad_end = cs_calloc(f->nblocks + 1, sizeof *bad_end);
    good_blocks(p, func, good);
    /* A block that can end neither well nor badly (an endless loop) is left alone. */
    for (int b = 0; b < f->nblocks; b++)
        bad_end[b] = block_end(p, &f->blocks[b]) == END_ERROR || cs_block_ways(&f->blocks[b]) == 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = f->nblocks - 1; b >= 0; b--)
            for (int i = 0; i < f->blocks[b].nsuccs && !bad_end[b]; i++) {
                int t = f->blocks[b].succs[i];
                if (t >= 0 && bad_end[t] && !good[b])
                    bad_end[b] = changed = true;
            }
    }
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->blocks[b].nsuccs; i++) {
            int t = f->blocks[b].succs[i];
            if (t >= 0 && !good[t] && bad_end[t] && good[b])
                f->blocks[b].never[i] = true;
        }
    free(good);
    free(bad_end);
}

void cs_error_exits_prune(struct cs_graph *g, const struct cs_effects *fx, bool keep_errors)
{
    struct prune p = {.g = g,
                      .fx = fx,
                      .fate = cs_calloc(g->nfuncs + 1, sizeof *p.fate),
                      .phase = cs_mpi_phase_compute(g, fx),
                      .taken = cs_calloc(g->nfuncs + 1, 1),
                      .catching = cs_model_catching(fx, g)};
    /* Fates grow from "neither": a recursion that never ends does not count as a return. */
    for (int i = 0; i < g->nfuncs; i++)
        cs_cfg_reach(g, i);
    if (p.catching.any)
        cs_throws_prune(g, fx, keep_errors);
    else
        drop_exception_edges(g);
    cs_mpi_phase_taken(g, p.taken);
    if (!keep_errors) {
        for (bool changed = true; changed;) {
            bool exits = find_taken_exits(&p);
            changed = exits != p.taken_exits;
            p.taken_exits = exits;
            for (int i = 0; i < g->nfuncs; i++) {
                if (!g->funcs[i].defined)
                    continue;
                struct fate before = p.fate[i];
                bool *good = cs_calloc(g->funcs[i].nblocks + 1, sizeof *good);
                good_blocks(&p, i, good);
                free(good);
                changed |= before.returns != p.fate[i].returns || before.exits != p.fate[i].exits;
            }
        }
        for (int i = 0; i < g->nfuncs; i++)
            if (g->funcs[i].defined)
                prune_function(&p, i);
        for (int i = 0; i < g->nfuncs; i++)
            g->funcs[i].only_errors = always_fails(&p, i);
    }
    for (int i = 0; i < g->nfuncs; i++)
        cs_cfg_reach(g, i);
    free(p.fate);
    free(p.phase);
    free(p.taken);
}
