/* SPDX-License-Identifier: GPL-3.0-or-later
 * Edges that lead to error exits alone; error_exits.h. Each function has a fate, which callers ask: can it return, can
 * the run end well inside it? Fates grow from "neither" until nothing changes. */
#include "slicer/control/error_exits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/control/caught.h"
#include "slicer/control/cfg.h"
#include "slicer/control/error_returns.h"
#include "slicer/control/indirect.h"
#include "slicer/control/mpi_phase.h"
#include "slicer/control/throws.h"
#include "slicer/model/model.h"

/* What a function can do in a normal run: return; end the run well; leave by an exception or a jump to where it goes
 * on. */
struct fate {
    bool returns, exits, leaves;
};

/* The state of the analysis, all its own but g and fx. */
struct prune {
    struct cs_graph *g;
    const struct cs_effects *fx;
    struct fate *fate;    /* by function */
    unsigned char *phase; /* by statement, of calls that end the program: a set of enum cs_mpi_phase */
    bool **good;          /* by function and block: a normal end can be reached; NULL: not known yet, none */
    struct cs_indirect indirect;
    struct fate *by_pointer; /* by kind of indirect call, of all that it may reach together: exits, leaves */
    struct cs_catching catching;
    struct cs_caught caught;
    struct cs_error_returns codes;
};

/* How a call or a block ends: control goes on behind it; only errors come of it; the run may end well in it, or go on
 * elsewhere. */
enum block_end { END_NONE, END_ERROR, END_EXIT };

/* What a call or a block may do, though it need not: end the run well, leave the function by an exception that is
 * caught, or come to a handler of the function, and from there to a normal end. */
struct ways {
    bool exits, leaves, lands;
};

static bool any_way(struct ways w)
{
    return w.exits || w.leaves || w.lands;
}

static enum block_end end_of_noret(struct prune *p, int stmt, enum cs_effect_noret n, struct ways *may)
{
    bool inside = p->phase[stmt] == CS_MPI_PHASE_INSIDE;
    if (n == CS_NORET_RETURNS)
        return END_NONE;
    may->exits |= n == CS_NORET_EXIT && !inside;
    may->leaves |= n == CS_NORET_JUMP;
    return END_ERROR;
}

/* A call that calls back, and what that may do. */
struct back {
    struct prune *p;
    struct ways *may;
};

static void add_called_back(void *arg, int kind, int func)
{
    struct back *b = arg;
    const struct fate *f = func >= 0 ? &b->p->fate[func] : &b->p->by_pointer[kind];
    b->may->exits |= f->exits;
    b->may->leaves |= f->leaves;
}

/* Of a function without a body. */
static struct ways external_ways(struct prune *p, int stmt, const struct cs_effect *fx)
{
    struct ways may = {.leaves = cs_model_throws(p->catching, fx)};
    cs_indirect_called_back(&p->indirect, stmt, fx, add_called_back, &(struct back){p, &may});
    return may;
}

/* How a call of a function ends; leaves: whether or not that is caught. */
static enum block_end end_of_callee(struct prune *p, int stmt, int func, struct ways *may)
{
    const struct fate *f = &p->fate[func];
    if (p->g->funcs[func].defined) {
        *may = (struct ways){f->exits, f->leaves, false};
        return f->returns ? END_NONE : END_ERROR;
    }
    *may = external_ways(p, stmt, cs_effects_find(p->fx, cs_func_name(p->g, func)));
    return end_of_noret(p, stmt, cs_model_noret(p->fx, p->g, stmt, func), may);
}

static struct ways indirect_ways(struct prune *p, int stmt)
{
    const struct fate *f = &p->by_pointer[cs_indirect_kind(&p->indirect, stmt)];
    return (struct ways){f->exits, f->leaves, false};
}

static enum block_end call_end(struct prune *p, int stmt, struct ways *may)
{
    const struct cs_stmt *s = &p->g->stmts[stmt];
    enum block_end end = END_NONE;
    if (s->callee.kind == CS_OPND_ADDR && p->g->objs[s->callee.id].kind == CS_OBJ_FUNC)
        end = end_of_callee(p, stmt, p->g->objs[s->callee.id].func, may);
    else
        *may = indirect_ways(p, stmt);
    bool caught = may->leaves && cs_caught_at(&p->caught, stmt, p->good);
    may->lands = caught && cs_caught_lands(p->g, stmt);
    may->leaves = caught && !may->lands;
    return end == END_ERROR && any_way(*may) ? END_EXIT : end;
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

/* Does the block end the run before its end? *may: what its calls may do. */
static enum block_end block_end(struct prune *p, const struct cs_block *b, struct ways *may)
{
    *may = (struct ways){0};
    for (int i = 0; i < b->nstmts; i++) {
        struct ways here;
        if (p->g->stmts[b->stmts[i]].kind != CS_STMT_CALL)
            continue;
        enum block_end end = call_end(p, b->stmts[i], &here);
        may->exits |= here.exits;
        may->leaves |= here.leaves;
        may->lands |= here.lands;
        if (end != END_NONE)
            return any_way(*may) ? END_EXIT : end;
    }
    if (!opaque_end(p, b))
        return END_NONE;
    may->exits = true;
    return END_EXIT;
}

/* Can the edge be taken at the end of a block that ends so? Behind a call that does not return only handlers are. */
static bool goes_on(const struct cs_block *b, enum block_end end, int edge)
{
    return !b->never[edge] && (end == END_NONE || (end == END_EXIT && b->eh[edge]));
}

/* Does the edge only return an error code, with which no caller goes on? Not if something behind it may end well. */
static bool gives_code(struct prune *p, int func, int block, int edge)
{
    const struct cs_func *f = &p->g->funcs[func];
    if (!cs_error_returns_by(&p->codes, func, block, edge))
        return false;
    for (int b = f->blocks[block].succs[edge], i = 0; b >= 0 && i < f->nblocks; i++) {
        struct ways may;
        block_end(p, &f->blocks[b], &may);
        if (any_way(may) || !cs_error_returns_step(&f->blocks[b], &b))
            return false;
    }
    return true;
}

/* From the blocks that are good by themselves and those that may return, backward. */
static void spread(struct prune *p, int func, const enum block_end *end, bool *good, bool *returns)
{
    const struct cs_func *f = &p->g->funcs[func];
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = f->nblocks - 1; b >= 0; b--)
            for (int i = 0; i < f->blocks[b].nsuccs; i++) {
                int t = f->blocks[b].succs[i];
                if (!goes_on(&f->blocks[b], end[b], i))
                    continue;
                bool r = t == CS_BLOCK_EXIT || (t >= 0 && returns[t]), gd = t == CS_BLOCK_EXIT || (t >= 0 && good[t]);
                if (r && !returns[b])
                    returns[b] = changed = true;
                if (gd && !good[b] && !gives_code(p, func, b, i))
                    good[b] = changed = true;
            }
    }
}

/* Takes what was found for a function. True if something has grown; nothing ever shrinks. */
static bool take(struct prune *p, int func, struct fate fate, bool *good)
{
    struct fate *f = &p->fate[func];
    bool grows = !p->good[func] || memcmp(good, p->good[func], p->g->funcs[func].nblocks * sizeof *good) ||
                 memcmp(&fate, f, sizeof fate);
    assert(fate.returns >= f->returns && fate.exits >= f->exits && fate.leaves >= f->leaves);
    *f = fate;
    free(p->good[func]);
    p->good[func] = good;
    return grows;
}

/* Finds which blocks can reach a normal end, and the fate of the function. True if one of these has grown. */
static bool good_blocks(struct prune *p, int func)
{
    const struct cs_func *f = &p->g->funcs[func];
    bool *good = cs_calloc(f->nblocks + 1, sizeof *good);
    enum block_end *end = cs_calloc(f->nblocks + 1, sizeof *end);
    bool *returns = cs_calloc(f->nblocks + 1, sizeof *returns);
    struct fate fate = {0};
    for (int b = 0; b < f->nblocks; b++) {
        struct ways may;
        end[b] = block_end(p, &f->blocks[b], &may);
        good[b] = any_way(may);
        fate.exits |= f->blocks[b].reachable && may.exits;
        fate.leaves |= f->blocks[b].reachable && may.leaves;
    }
    spread(p, func, end, good, returns);
    fate.returns = f->nblocks > 0 && returns[0];
    free(end);
    free(returns);
    return take(p, func, fate, good);
}

static void drop_exception_edges(struct cs_graph *g)
{
    for (int i = 0; i < g->nfuncs; i++)
        for (int b = 0; b < g->funcs[i].nblocks; b++)
            for (int k = 0; k < g->funcs[i].blocks[b].nsuccs; k++)
                if (g->funcs[i].blocks[b].eh[k])
                    g->funcs[i].blocks[b].never[k] = true;
}

/* Fates of functions hold for calls that may reach them by a pointer. */
static struct fate fate_by_pointer(struct prune *p, const struct cs_intlist *members)
{
    struct fate all = {0};
    for (int i = 0; i < members->n; i++) {
        int f = members->a[i];
        const struct cs_effect *fx = p->g->funcs[f].defined ? NULL : cs_effects_find(p->fx, cs_func_name(p->g, f));
        all.exits |= p->fate[f].exits || (fx && fx->noret == CS_NORET_EXIT);
        all.exits |= cs_indirect_calls_given(&p->indirect, fx) && p->by_pointer[CS_INDIRECT_ANY].exits;
        all.leaves |= p->fate[f].leaves || (fx && fx->noret == CS_NORET_JUMP && p->catching.any);
    }
    return all;
}

/* True if one of them has grown. */
static bool fates_by_pointer(struct prune *p)
{
    bool grows = false;
    for (int k = 0; k < p->indirect.nkinds; k++) {
        struct fate now = fate_by_pointer(p, &p->indirect.members[k]);
        grows |= memcmp(&now, &p->by_pointer[k], sizeof now) != 0;
        p->by_pointer[k] = now;
    }
    return grows;
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
    struct ways may;
    bool fails = false;
    if (f->is_entry || f->keep_all)
        return false;
    if (f->uncalled)
        return true;
    if (!f->defined) {
        const struct cs_effect *fx = cs_effects_find(p->fx, cs_func_name(p->g, func));
        return fx && fx->noret == CS_NORET_ERROR && fx->back_arg < 0 && !cs_indirect_calls_given(&p->indirect, fx);
    }
    if (f->nblocks && !p->fate[func].returns && !p->fate[func].exits && !p->fate[func].leaves) {
        char *state = cs_calloc(f->nblocks, 1);
        fails = !has_cycle(f, 0, state);
        for (int b = 0; b < f->nblocks && fails; b++)
            fails = !state[b] || cs_block_ways(&f->blocks[b]) || block_end(p, &f->blocks[b], &may) == END_ERROR;
        free(state);
    }
    return fails;
}

static void prune_function(struct prune *p, int func)
{
    struct cs_func *f = &p->g->funcs[func];
    bool *bad_end = cs_calloc(f->nblocks + 1, sizeof *bad_end), *good = p->good[func];
    struct ways may;
    /* A block that can end neither well nor badly (an endless loop) is left alone. */
    for (int b = 0; b < f->nblocks; b++) {
        bad_end[b] = block_end(p, &f->blocks[b], &may) == END_ERROR || cs_block_ways(&f->blocks[b]) == 0;
        for (int i = 0; i < f->blocks[b].nsuccs && !good[b]; i++)
            bad_end[b] |= gives_code(p, func, b, i);
    }
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
            if (good[b] && ((t >= 0 && !good[t] && bad_end[t]) || gives_code(p, func, b, i)))
                f->blocks[b].never[i] = true;
        }
    free(bad_end);
}

static bool may_leave(void *arg, int stmt)
{
    struct ways may;
    call_end(arg, stmt, &may);
    return any_way(may);
}

/* Fates grow from "neither": a recursion that never ends does not count as a return. */
static void find_fates(struct prune *p)
{
    for (bool changed = true; changed;) {
        changed = fates_by_pointer(p);
        for (int i = 0; i < p->g->nfuncs; i++)
            changed |= p->g->funcs[i].defined && !p->g->funcs[i].uncalled && good_blocks(p, i);
        changed |= cs_caught_grow(&p->caught, p->good);
        changed |= cs_error_returns_grow(&p->codes, p->good, (struct cs_call_leaves){may_leave, p});
    }
}

static bool is_handler(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    return s->kind == CS_STMT_CALL && s->callee.kind == CS_OPND_ADDR && cs_caught_is_handler(g, s->callee.id);
}

/* Can the run end well from here, before a handler is entered? */
static bool ends_before_handler(struct prune *p, const struct cs_func *f, int block, bool *seen)
{
    const struct cs_block *b = &f->blocks[block];
    struct ways may;
    enum block_end end = END_NONE;
    if (seen[block])
        return false;
    seen[block] = true;
    for (int i = 0; i < b->nstmts && end == END_NONE; i++) {
        if (is_handler(p->g, b->stmts[i]))
            return false;
        if (p->g->stmts[b->stmts[i]].kind == CS_STMT_CALL)
            end = call_end(p, b->stmts[i], &may);
        if (p->g->stmts[b->stmts[i]].kind == CS_STMT_CALL && may.exits)
            return true;
    }
    for (int i = 0; i < b->nsuccs; i++)
        if (b->succs[i] >= 0 && goes_on(b, end, i) && ends_before_handler(p, f, b->succs[i], seen))
            return true;
    return false;
}

/* Does a destructor that an exception runs end the run well? It only runs if there is a handler to go to, be it one
 * that catches nothing: all handlers stay. */
static bool ends_on_the_way(struct prune *p)
{
    bool ends = false;
    for (int i = 0; i < p->g->nfuncs && p->caught.any && !p->caught.everywhere && !ends; i++) {
        const struct cs_func *f = &p->g->funcs[i];
        bool *seen = cs_calloc(f->nblocks + 1, sizeof *seen);
        for (int b = 0; b < f->nblocks && !f->uncalled && !ends; b++)
            for (int k = 0; k < f->blocks[b].nsuccs && !ends; k++)
                ends = f->blocks[b].eh[k] && f->blocks[b].succs[k] >= 0 &&
                       ends_before_handler(p, f, f->blocks[b].succs[k], seen);
        free(seen);
    }
    return ends;
}

static void prune_errors(struct prune *p)
{
    struct cs_graph *g = p->g;
    find_fates(p);
    if (ends_on_the_way(p)) {
        cs_caught_give_up(&p->caught);
        find_fates(p);
    }
    for (int i = 0; i < g->nfuncs; i++)
        if (g->funcs[i].defined && !g->funcs[i].uncalled)
            prune_function(p, i);
    for (int i = 0; i < g->nfuncs; i++)
        g->funcs[i].only_errors = always_fails(p, i);
}

void cs_error_exits_prune(struct cs_graph *g, const struct cs_effects *fx, bool keep_errors)
{
    struct prune p = {.g = g,
                      .fx = fx,
                      .fate = cs_calloc(g->nfuncs + 1, sizeof *p.fate),
                      .phase = cs_mpi_phase_compute(g, fx),
                      .good = cs_calloc(g->nfuncs + 1, sizeof *p.good),
                      .indirect = cs_indirect_new(g, fx),
                      .catching = cs_model_catching(fx, g)};
    for (int i = 0; i < g->nfuncs; i++)
        cs_cfg_reach(g, i);
    if (p.catching.any)
        cs_throws_prune(g, fx, keep_errors);
    else
        drop_exception_edges(g);
    p.by_pointer = cs_calloc(p.indirect.nkinds, sizeof *p.by_pointer);
    p.caught = cs_caught_new(g, fx, &p.indirect);
    p.codes = cs_error_returns_new(g, p.phase);
    if (!keep_errors)
        prune_errors(&p);
    for (int i = 0; i < g->nfuncs; i++) {
        g->funcs[i].caught = p.caught.func[i] || (keep_errors && p.catching.any);
        cs_cfg_reach(g, i);
        free(p.good[i]);
    }
    cs_caught_free(&p.caught);
    cs_error_returns_free(&p.codes);
    free(p.good);
    free(p.fate);
    free(p.phase);
    free(p.by_pointer);
    cs_indirect_free(&p.indirect);
}
