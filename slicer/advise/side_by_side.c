/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looks at every place where one of two variables is written, and what it leaves in both; side_by_side.h. */
#include "slicer/advise/side_by_side.h"

/* Answers that a question may have, as bits: what a variable holds of which nothing is known is ANY. */
enum { NO = 1, YES = 2, ANY = NO | YES };

static bool touches(const struct cs_variable *var, struct cs_pattern at, int64_t size)
{
    return cs_pat_overlap(cs_pat_at(var->off), var->size, at, size);
}

bool cs_names_and_writes(const struct cs_stmt *st, const struct cs_variable *var)
{
    if (st->has_store && st->store.base.kind == CS_OPND_ADDR && st->store.base.id == var->obj &&
        touches(var, cs_pat_compose(st->store.base.pat, st->store.pat), st->store.size))
        return true;
    for (int i = 0; i < st->nuses && (st->kind == CS_STMT_CALL || st->kind == CS_STMT_ASM); i++)
        if (st->uses[i].kind == CS_OPND_ADDR && st->uses[i].id == var->obj &&
            touches(var, st->uses[i].pat, CS_SIZE_UNKNOWN))
            return true;
    return false;
}

static int answer(bool yes)
{
    return yes ? YES : NO;
}

/* What the statement, which writes the variable, makes of the answer. */
static int answer_after(const struct cs_stmt *st, struct cs_is_number q)
{
    struct cs_pattern at = cs_pat_compose(st->store.base.pat, st->store.pat);
    bool plain = st->kind == CS_STMT_STORE && st->nuses && st->uses[0].kind == CS_OPND_CONST && !at.stride &&
                 at.off == q.var->off && st->store.size == q.var->size;
    return plain ? answer(st->uses[0].pat.off == q.number) : ANY;
}

/* The answer before anything is written. */
static int answer_at_start(const struct cs_graph *g, struct cs_is_number q)
{
    const struct cs_obj *o = &g->objs[q.var->obj];
    for (int i = 0; i < o->ninits; i++)
        if (cs_pat_overlap(cs_pat_at(q.var->off), q.var->size, cs_pat_at(o->inits[i].off), o->inits[i].size)) {
            bool plain = o->inits[i].off == q.var->off && o->inits[i].val.kind == CS_OPND_CONST;
            return plain ? answer(o->inits[i].val.pat.off == q.number) : ANY;
        }
    return o->zeroed ? answer(q.number == 0) : ANY;
}

static unsigned together(int a, int b)
{
    unsigned is = 0;
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++)
            if ((a & 1 << x) && (b & 1 << y))
                is |= 1U << (2 * x + y);
    return is;
}

/* What the block leaves in the variables, and what it calls finds there; 0: it writes none of them. */
static unsigned left_by(const struct cs_graph *g, const struct cs_block *b, struct cs_is_number x,
                        struct cs_is_number y)
{
    int a[2] = {0, 0}; /* answers; 0: the block has not written the variable */
    unsigned is = 0;
    for (int i = 0; i < b->nstmts; i++) {
        const struct cs_stmt *st = &g->stmts[b->stmts[i]];
        if (cs_names_and_writes(st, x.var))
            a[0] = answer_after(st, x);
        if (cs_names_and_writes(st, y.var))
            a[1] = answer_after(st, y);
        bool seen = st->kind == CS_STMT_CALL || i == b->nstmts - 1;
        if (seen && (a[0] || a[1]))
            is |= together(a[0] ? a[0] : ANY, a[1] ? a[1] : ANY);
    }
    return is;
}

unsigned cs_answers_together(const struct cs_graph *g, struct cs_is_number x, struct cs_is_number y)
{
    bool global = x.var->obj >= 0 && y.var->obj >= 0 && g->objs[x.var->obj].kind == CS_OBJ_GLOBAL &&
                  g->objs[y.var->obj].kind == CS_OBJ_GLOBAL;
    if (!global)
        return together(ANY, ANY);
    unsigned is = together(answer_at_start(g, x), answer_at_start(g, y));
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++)
            is |= left_by(g, &g->funcs[f].blocks[b], x, y);
    return is;
}
