/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions that may throw, or jump out, by what they call; throws.h. Grows from "none": an exception needs a chain of
 * calls down to something that throws. MPI and C libraries throw nothing, unless they call the program back; what
 * nobody describes may. */
#include "slicer/control/throws.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/control/cfg.h"
#include "slicer/model/model.h"
#include "slicer/control/mpi_phase.h"

/* The state of the analysis. func, indirect and the edges that are open only grow. */
struct throws {
    struct cs_graph *g;
    const struct cs_effects *fx;
    bool keep_errors;
    bool *func;         /* by function with a body: it may throw */
    bool *taken;        /* by function: its address is taken */
    bool mpi, indirect; /* may a call of MPI throw, may a call by a pointer */
};

/* ---- functions without a body ---- */

bool cs_throws_calls_back(const struct cs_effect *e)
{
    for (int i = 0; i < e->nops; i++) {
        const struct cs_effect_op *op = &e->ops[i];
        if (op->kind == CS_EFFECT_CALLBACK || op->kind == CS_EFFECT_CALL_DEEP || op->kind == CS_EFFECT_HIDDEN_CALL)
            return true;
        if (op->kind == CS_EFFECT_HIDDEN_DEEP && !strcmp(op->state, "signal"))
            return true;
    }
    return e->whole || e->handler;
}

/* C++ functions of the library, but operators new and delete: allocation succeeds. */
static bool is_cplusplus(const char *name)
{
    static const char *const quiet[] = {
        "__cxa_begin_catch", "__cxa_get_exception_ptr",  "__cxa_guard_acquire",  "__cxa_guard_release",
        "__cxa_guard_abort", "__cxa_allocate_exception", "__cxa_free_exception", NULL};
    for (int i = 0; quiet[i]; i++)
        if (!strcmp(name, quiet[i]))
            return false;
    if (!strncmp(name, "__cxa_", 6))
        return true;
    return !strncmp(name, "_Z", 2) && strncmp(name, "_Znw", 4) && strncmp(name, "_Zna", 4) &&
           strncmp(name, "_Zdl", 4) && strncmp(name, "_Zda", 4);
}

static bool external_throws(const struct throws *t, const char *name)
{
    enum cs_binding binding;
    if (cs_mpi_by_symbol(name, &binding))
        return t->mpi;
    const struct cs_effect *e = cs_effects_find(t->fx, name);
    if (!e || e->noret == CS_NORET_JUMP)
        return true;
    if (e->noret == CS_NORET_ERROR)
        return t->keep_errors;
    return is_cplusplus(name) || cs_throws_calls_back(e);
}

/* ---- functions and calls ---- */

static bool function_throws(const struct throws *t, int func)
{
    return t->g->funcs[func].defined ? t->func[func] : external_throws(t, cs_func_name(t->g, func));
}

static bool call_throws(const struct throws *t, const struct cs_stmt *s)
{
    if (s->callee.kind != CS_OPND_ADDR || t->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return t->indirect;
    return function_throws(t, t->g->objs[s->callee.id].func);
}

static bool has_handler(const struct cs_block *b)
{
    for (int i = 0; i < b->nsuccs; i++)
        if (b->eh[i])
            return true;
    return false;
}

/* A call that may throw, with no edge to a handler; what a handler passes on is such a call in turn. A jump may go past
 * a function that calls setjmp, to one that called it. */
static bool block_throws(const struct throws *t, const struct cs_func *f, const struct cs_block *b)
{
    for (int i = 0; b->reachable && i < b->nstmts; i++) {
        const struct cs_stmt *s = &t->g->stmts[b->stmts[i]];
        bool handled = i == b->nstmts - 1 && has_handler(b) && !f->comes_back;
        if (s->kind == CS_STMT_ASM || (s->kind == CS_STMT_CALL && !handled && call_throws(t, s)))
            return true;
    }
    return false;
}

/* Opens or closes the exception edges of a function, which begin at the last statement of a block. */
static void set_edges(const struct throws *t, int func)
{
    struct cs_func *f = &t->g->funcs[func];
    for (int b = 0; b < f->nblocks; b++) {
        struct cs_block *bl = &f->blocks[b];
        const struct cs_stmt *s = bl->nstmts ? &t->g->stmts[bl->stmts[bl->nstmts - 1]] : NULL;
        for (int i = 0; i < bl->nsuccs; i++)
            if (bl->eh[i] && s && s->kind == CS_STMT_CALL)
                bl->never[i] = !call_throws(t, s);
    }
    cs_cfg_reach(t->g, func);
}

static bool look_again(struct throws *t, int func)
{
    const struct cs_func *f = &t->g->funcs[func];
    if (!f->defined)
        return false;
    assert(f->blocks);
    set_edges(t, func);
    for (int b = 0; b < f->nblocks && !t->func[func]; b++)
        if (block_throws(t, f, &f->blocks[b]))
            return t->func[func] = true;
    return false;
}

/* ---- calls by a pointer, and from MPI ---- */

static void find_taken(struct throws *t)
{
    cs_mpi_phase_taken(t->g, t->taken);
    for (int f = 0; f < t->g->nfuncs; f++)
        t->taken[f] |= t->g->funcs[f].exported;
}

static bool some_taken_throws(const struct throws *t)
{
    for (int f = 0; f < t->g->nfuncs; f++)
        if (t->taken[f] && function_throws(t, f))
            return true;
    return false;
}

static bool has_callback(const struct cs_mpi_call *c)
{
    for (int i = 0; i < c->nargs; i++)
        if (c->args[i].role == CS_ROLE_FN)
            return true;
    return false;
}

/* Does the program give MPI a function: a handler of errors, an operation, what goes with an attribute? */
static bool mpi_calls_back(const struct cs_graph *g)
{
    enum cs_binding binding;
    for (int f = 0; f < g->nfuncs; f++) {
        const struct cs_mpi_call *c = g->funcs[f].defined ? NULL : cs_mpi_by_symbol(cs_func_name(g, f), &binding);
        if (c && has_callback(c))
            return true;
    }
    return false;
}

/* -fnon-call-exceptions: handlers may be entered from anything that traps. */
static bool others_throw(const struct cs_graph *g)
{
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++) {
            const struct cs_block *bl = &g->funcs[f].blocks[b];
            bool call = bl->nstmts && g->stmts[bl->stmts[bl->nstmts - 1]].kind == CS_STMT_CALL;
            if (has_handler(bl) && !call)
                return true;
        }
    return false;
}

void cs_throws_prune(struct cs_graph *g, const struct cs_effects *fx, bool keep_errors)
{
    if (others_throw(g))
        return;
    struct throws t = {.g = g, .fx = fx, .keep_errors = keep_errors, .mpi = mpi_calls_back(g)};
    t.func = cs_calloc(g->nfuncs + 1, sizeof *t.func);
    t.taken = cs_calloc(g->nfuncs + 1, sizeof *t.taken);
    find_taken(&t);
    for (bool changed = true; changed;) {
        changed = false;
        bool indirect = some_taken_throws(&t);
        assert(indirect || !t.indirect);
        changed |= indirect != t.indirect;
        t.indirect = indirect;
        for (int f = 0; f < g->nfuncs; f++)
            changed |= look_again(&t, f);
    }
    free(t.func);
    free(t.taken);
}
