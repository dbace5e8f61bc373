/* SPDX-License-Identifier: GPL-3.0-or-later
 * Puts what a condition asks into a word that is the same in all functions: which members it reads, and what it
 * compares them with; occasions.h. */
#include "slicer/advise/occasions.h"

#include <stdlib.h>

#include "slicer/advise/conditional.h"
#include "slicer/graph/storage.h"

/* Statements that are followed from a condition, and conditions of a statement. */
enum { DEPTH = 5, MOST = 12 };

/* of: by statement, NULL: not asked for yet. */
struct cs_occasions {
    const struct cs_graph *g;
    struct cs_conditional conditional;
    struct words {
        int n;
        uint32_t a[MOST]; /* each once */
    } * *of;
};

static uint32_t value_word(struct cs_occasions *o, struct cs_operand op, int depth);

/* Of a branch with these sides in place of its own. */
static uint32_t asked_word(struct cs_occasions *o, const struct cs_stmt *s, const struct cs_operand *sides, int n,
                           int depth)
{
    uint32_t h = cs_hash(cs_hash(0, s->kind), s->op);
    for (int i = 0; i < n; i++)
        h = cs_hash(h, (int)value_word(o, sides[i], depth - 1));
    return h;
}

static uint32_t branch_word(struct cs_occasions *o, int branch, int depth)
{
    const struct cs_stmt *s = &o->g->stmts[branch];
    return asked_word(o, s, s->uses, s->nuses, depth);
}

static bool has(const struct cs_intlist *l, int a)
{
    bool is = false;
    for (int i = 0; i < l->n && !is; i++)
        is = l->a[i] == a;
    return is;
}

/* Where ways meet: which constant it is under which conditions, in any order. */
static uint32_t merge_word(struct cs_occasions *o, const struct cs_stmt *s, int depth)
{
    const struct cs_cdep *d = cs_conditional_cdep(&o->conditional, s->func);
    uint32_t sum = (uint32_t)s->nuses;
    for (int i = 0; i < s->nuses; i++) {
        const struct cs_intlist *on = &d->on[s->phi_preds[i]];
        uint32_t h = value_word(o, s->uses[i], depth - 1);
        for (int k = 0; k < on->n; k++) {
            int branch = has(&d->on[s->block], on->a[k]) ? -1 : cs_block_branch(o->g, s->func, on->a[k]);
            h = branch < 0 ? h : cs_hash(h, (int)branch_word(o, branch, depth - 1));
        }
        sum += cs_hash(1, (int)h);
    }
    return cs_hash(2, (int)sum);
}

static uint32_t value_word(struct cs_occasions *o, struct cs_operand op, int depth)
{
    const struct cs_graph *g = o->g;
    if (op.kind == CS_OPND_CONST)
        return cs_hash(cs_hash(3, (int)op.pat.off), (int)(op.pat.off >> 32));
    if (op.kind != CS_OPND_VALUE || g->values[op.id].def < 0 || depth <= 0)
        return cs_hash(4, op.kind);
    const struct cs_stmt *s = &g->stmts[g->values[op.id].def];
    bool variable = s->kind == CS_STMT_LOAD && s->load.base.kind == CS_OPND_ADDR;
    if (variable)
        return g->objs[s->load.base.id].kind == CS_OBJ_GLOBAL
                   ? cs_hash(cs_hash(5, s->load.base.id), (int)s->load.pat.off)
                   : cs_hash(6, s->shape);
    if (s->kind == CS_STMT_LOAD)
        return cs_hash(7, s->shape);
    if (s->kind == CS_STMT_PHI)
        return merge_word(o, s, depth);
    uint32_t h = cs_hash(cs_hash(8, s->kind), s->op);
    for (int i = 0; i < s->nuses && s->kind == CS_STMT_ASSIGN; i++)
        h = cs_hash(h, (int)value_word(o, s->uses[i], depth - 1));
    return h;
}

static bool has_word(const struct words *w, uint32_t word)
{
    bool is = false;
    for (int i = 0; i < w->n && !is; i++)
        is = w->a[i] == word;
    return is;
}

static void add_word(struct words *w, uint32_t word)
{
    if (w->n < MOST && !has_word(w, word))
        w->a[w->n++] = word;
}

/* A condition that asks whether two numbers, put together by an operation on bits, are 0 asks for each: their words go
 * to both[]. False: it is none. */
static bool sides_of(struct cs_occasions *o, int branch, uint32_t both[2])
{
    const struct cs_graph *g = o->g;
    const struct cs_stmt *s = &g->stmts[branch];
    bool zero = s->nuses == 2 && s->op == CS_OP_NE && s->uses[1].kind == CS_OPND_CONST && !s->uses[1].pat.off;
    int d = zero && s->uses[0].kind == CS_OPND_VALUE ? g->values[s->uses[0].id].def : -1;
    const struct cs_stmt *sum = d < 0 ? NULL : &g->stmts[d];
    bool bits = sum && (sum->op == CS_OP_MIX || sum->op == CS_OP_AND || sum->op == CS_OP_OR);
    if (!bits || sum->kind != CS_STMT_ASSIGN || sum->nuses != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        struct cs_operand sides[] = {sum->uses[i], s->uses[1]};
        both[i] = asked_word(o, s, sides, 2, DEPTH);
    }
    return true;
}

/* The words of the branches; of one that asks for two, unless another one asks for one of these again, as behind
 * `first || second`. */
static void add_branches(struct cs_occasions *o, struct words *w, const struct cs_intlist *branches)
{
    uint32_t both[2];
    for (int i = 0; i < branches->n; i++)
        if (!sides_of(o, branches->a[i], both))
            add_word(w, branch_word(o, branches->a[i], DEPTH));
    for (int i = 0; i < branches->n; i++)
        if (sides_of(o, branches->a[i], both) && !has_word(w, both[0]) && !has_word(w, both[1])) {
            add_word(w, both[0]);
            add_word(w, both[1]);
        }
}

static const struct words *words_of(struct cs_occasions *o, int stmt)
{
    if (o->of[stmt])
        return o->of[stmt];
    struct words *w = o->of[stmt] = cs_calloc(1, sizeof *w);
    struct cs_intlist branches = {0};
    cs_conditions_of(&o->conditional, stmt, &branches);
    add_branches(o, w, &branches);
    cs_intlist_free(&branches);
    return w;
}

int cs_occasions_alike(struct cs_occasions *o, int stmt, int other)
{
    const struct words *a = words_of(o, stmt), *b = words_of(o, other);
    int common = 0;
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++)
            common += a->a[i] == b->a[k];
    return common ? 2 * common - a->n - b->n : CS_NOT_ALIKE;
}

struct cs_occasions *cs_occasions_start(const struct cs_graph *g)
{
    struct cs_occasions *o = cs_calloc(1, sizeof *o);
    o->g = g;
    cs_conditional_start(&o->conditional, g);
    o->of = cs_calloc(g->nstmts + 1, sizeof *o->of);
    return o;
}

void cs_occasions_free(struct cs_occasions *o)
{
    for (int i = 0; i < o->g->nstmts; i++)
        free(o->of[i]);
    free(o->of);
    cs_conditional_free(&o->conditional);
    free(o);
}
