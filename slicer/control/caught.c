/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where an exception may be caught, and the run go on; caught.h. An exception comes to the landing pad of the call that
 * throws it, or to those of the calls of the function that it leaves. Grows from "nowhere": a pad from which only
 * errors and more exceptions come counts if one of these exceptions comes to a pad that does. So a run that ends well
 * takes no exception edge but those to pads that count. Pads that only run destructors are pads like others. */
#include "slicer/control/caught.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "slicer/control/throws.h"

/* ---- what the program refers to ---- */

bool cs_caught_is_handler(const struct cs_graph *g, int obj)
{
    return g->objs[obj].kind == CS_OBJ_FUNC && !strcmp(cs_obj_name(g, obj), "__cxa_begin_catch");
}

/* Is there something beside handlers that catches: setjmp, a handler of terminate(), a stream that calls the program?
 */
static bool others_catch(const struct cs_caught *c)
{
    const struct cs_intlist *any = &c->indirect->members[CS_INDIRECT_ANY];
    bool *taken = cs_calloc(c->g->nfuncs + 1, sizeof *taken), catches = false;
    for (int i = 0; i < any->n; i++)
        taken[any->a[i]] = true;
    for (int o = 0; o < c->g->nobjs; o++) {
        const struct cs_obj *ob = &c->g->objs[o];
        bool outside = ob->kind == CS_OBJ_FUNC ? !c->g->funcs[ob->func].defined : ob->external;
        const struct cs_effect *e = outside ? cs_effects_find(c->fx, cs_obj_name(c->g, o)) : NULL;
        bool by_pointer = ob->kind == CS_OBJ_FUNC && taken[ob->func];
        catches |= e && e->catches && (by_pointer || !cs_caught_is_handler(c->g, o));
    }
    free(taken);
    return catches;
}

struct cs_caught cs_caught_new(const struct cs_graph *g, const struct cs_effects *fx,
                               const struct cs_indirect *indirect)
{
    struct cs_caught c = {.g = g, .fx = fx, .indirect = indirect, .any = cs_model_catching(fx, g).any};
    c.func = cs_calloc(g->nfuncs + 1, sizeof *c.func);
    c.everywhere = c.any && others_catch(&c);
    for (int f = 0; f < g->nfuncs; f++) /* code that is not seen may catch what it calls */
        c.func[f] = c.any && (c.everywhere || g->funcs[f].exported);
    return c;
}

void cs_caught_give_up(struct cs_caught *c)
{
    c->everywhere = c->any;
    for (int f = 0; f < c->g->nfuncs; f++)
        c->func[f] = c->any;
}

void cs_caught_free(struct cs_caught *c)
{
    free(c->func);
    c->func = NULL;
}

/* ---- one call ---- */

/* The exception edges behind the last statement of a block are its own; any other call leaves its function. */
static const struct cs_block *pads_of(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    const struct cs_block *b = &g->funcs[s->func].blocks[s->block];
    for (int i = 0; i < b->nsuccs && b->stmts[b->nstmts - 1] == stmt; i++)
        if (b->eh[i])
            return b;
    return NULL;
}

bool cs_caught_lands(const struct cs_graph *g, int stmt)
{
    return pads_of(g, stmt) != NULL;
}

bool cs_caught_at(const struct cs_caught *c, int stmt, bool *const *good)
{
    int func = c->g->stmts[stmt].func;
    const struct cs_block *b = pads_of(c->g, stmt);
    if (!c->any || c->everywhere)
        return c->any;
    for (int i = 0; b && i < b->nsuccs; i++)
        if (b->eh[i] && !b->never[i] && (b->succs[i] < 0 || (good[func] && good[func][b->succs[i]])))
            return true;
    return !b && c->func[func];
}

bool cs_caught_behind(const struct cs_graph *g, int stmt)
{
    const struct cs_block *b = pads_of(g, stmt);
    for (int i = 0; b && i < b->nsuccs; i++)
        if (b->eh[i] && !b->never[i])
            return true;
    return !b && g->funcs[g->stmts[stmt].func].caught;
}

/* ---- from callers to what they call ---- */

static bool set(struct cs_caught *c, int func)
{
    bool grows = !c->func[func];
    c->func[func] = true;
    return grows;
}

/* All that calls of this kind may reach. */
static bool set_members(struct cs_caught *c, int kind)
{
    const struct cs_intlist *m = &c->indirect->members[kind];
    bool grows = false;
    for (int i = 0; i < m->n; i++)
        grows |= set(c, m->a[i]);
    return grows;
}

/* A call that calls back: whether something has grown by it. */
struct back {
    struct cs_caught *c;
    bool grows;
};

static void set_called_back(void *arg, int kind, int func)
{
    struct back *b = arg;
    b->grows |= func >= 0 ? set(b->c, func) : set_members(b->c, kind);
}

/* Does it call back in a way that its row does not tell in arguments? */
static bool calls_back_otherwise(const struct cs_effect *e)
{
    bool signals = false;
    for (int i = 0; i < e->nops; i++)
        signals |= e->ops[i].kind == CS_EFFECT_HIDDEN_DEEP;
    return e->whole || e->handler || (signals && cs_throws_calls_back(e));
}

/* A function of a library that calls back lets exceptions through, as far as its row tells; one without a row may catch
 * them. */
static bool grow_by_external(struct cs_caught *c, int stmt, int func, bool *const *good)
{
    enum cs_binding binding;
    const char *name = cs_func_name(c->g, func);
    const struct cs_effect *e = cs_effects_find(c->fx, name);
    struct back b = {c, false};
    bool mpi = cs_mpi_by_symbol(name, &binding);
    if (!mpi && !e)
        return set_members(c, CS_INDIRECT_ANY);
    if (!cs_caught_at(c, stmt, good))
        return false;
    if (mpi || calls_back_otherwise(e))
        return set_members(c, CS_INDIRECT_ANY);
    cs_indirect_called_back(c->indirect, stmt, e, set_called_back, &b);
    return b.grows;
}

static bool grow_by_call(struct cs_caught *c, int stmt, bool *const *good)
{
    const struct cs_stmt *s = &c->g->stmts[stmt];
    assert(s->kind == CS_STMT_CALL);
    if (s->callee.kind != CS_OPND_ADDR || c->g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return cs_caught_at(c, stmt, good) && set_members(c, cs_indirect_kind(c->indirect, stmt));
    int func = c->g->objs[s->callee.id].func;
    if (!c->g->funcs[func].defined)
        return grow_by_external(c, stmt, func, good);
    return !c->func[func] && cs_caught_at(c, stmt, good) && set(c, func);
}

bool cs_caught_grow(struct cs_caught *c, bool *const *good)
{
    bool grows = false;
    if (!c->any || c->everywhere)
        return false;
    for (int s = 0; s < c->g->nstmts; s++) {
        const struct cs_stmt *st = &c->g->stmts[s];
        if (st->kind == CS_STMT_CALL && st->func >= 0 && st->block >= 0)
            grows |= grow_by_call(c, s, good);
    }
    return grows;
}
