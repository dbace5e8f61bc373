/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares where a function stores and reads through the same pointer; rewritten.h. */
#include "slicer/advise/rewritten.h"

#include <stdlib.h>

#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"

int cs_pointer_origin(const struct cs_graph *g, int value)
{
    enum { STEPS = 20 };
    for (int i = 0; i < STEPS && g->values[value].def >= 0; i++) {
        const struct cs_stmt *s = &g->stmts[g->values[value].def];
        bool steps = s->op == CS_OP_PTRADD && s->nuses > 1 && s->uses[1].kind == CS_OPND_VALUE;
        bool moves = s->kind == CS_STMT_ASSIGN && (s->op == CS_OP_COPY || steps);
        if (!moves || !s->nuses || s->uses[0].kind != CS_OPND_VALUE)
            break;
        value = s->uses[0].id;
    }
    return value;
}

/* Notes the pointers that a call is given. */
static void note_call(struct cs_rewritten *r, int call)
{
    const struct cs_stmt *s = &r->g->stmts[call];
    for (int i = 0; i < s->nuses; i++) {
        if (s->uses[i].kind != CS_OPND_VALUE)
            continue;
        int v = cs_pointer_origin(r->g, s->uses[i].id);
        CS_GROW(r->given, r->ngiven, r->agiven);
        r->given[r->ngiven] = (struct cs_given){call, r->first_given[v]};
        r->first_given[v] = r->ngiven++;
    }
}

void cs_rewritten_start(struct cs_rewritten *r, const struct cs_graph *g, const bool *writes)
{
    int nblocks = 0;
    *r = (struct cs_rewritten){.g = g};
    r->first_given = cs_calloc(g->nvalues + 1, sizeof *r->first_given);
    r->store = cs_calloc(g->nvalues + 1, sizeof *r->store);
    r->next = cs_calloc(g->nstmts + 1, sizeof *r->next);
    r->first = cs_calloc(g->nfuncs + 1, sizeof *r->first);
    for (int f = 0; f < g->nfuncs; f++) {
        r->first[f] = nblocks;
        nblocks += g->funcs[f].nblocks;
    }
    r->reach = cs_calloc(nblocks + 1, sizeof *r->reach);
    for (int v = 0; v < g->nvalues; v++)
        r->store[v] = r->first_given[v] = -1;
    for (int s = 0; s < g->nstmts; s++) {
        const struct cs_stmt *st = &g->stmts[s];
        if (writes[s] && st->keep && st->kind == CS_STMT_CALL)
            note_call(r, s);
        if (!st->keep || st->kind != CS_STMT_STORE || st->store.base.kind != CS_OPND_VALUE)
            continue;
        int v = cs_pointer_origin(g, st->store.base.id);
        r->next[s] = r->store[v];
        r->store[v] = s;
    }
}

void cs_rewritten_free(struct cs_rewritten *r)
{
    int last = r->g->nfuncs - 1, n = last < 0 ? 0 : r->first[last] + r->g->funcs[last].nblocks;
    for (int i = 0; i < n; i++)
        free(r->reach[i]);
    free(r->reach);
    free(r->first);
    free(r->next);
    free(r->store);
    free(r->given);
    free(r->first_given);
}

/* Can control go from the end of one block to another one? */
static bool reaches(struct cs_rewritten *r, int func, int from, int to)
{
    bool **known = &r->reach[r->first[func] + from];
    if (!*known)
        *known = cs_cfg_behind(&r->g->funcs[func], from, -1);
    return (*known)[to];
}

enum { STORES = 50 }; /* through one pointer: more are not looked at */

/* The first store through the pointer by which the statement reads, -1: there is none, or the function is too large. */
static int first_store(const struct cs_rewritten *r, int stmt)
{
    enum { BLOCKS = 2000 };
    const struct cs_stmt *s = &r->g->stmts[stmt];
    if (s->kind != CS_STMT_LOAD || s->load.base.kind != CS_OPND_VALUE || r->g->funcs[s->func].nblocks > BLOCKS)
        return -1;
    return r->store[cs_pointer_origin(r->g, s->load.base.id)];
}

/* May the store come before the read, in one run of their function, and be of the same member? */
static bool comes_before(struct cs_rewritten *r, int store, int read)
{
    const struct cs_stmt *w = &r->g->stmts[store], *s = &r->g->stmts[read];
    return w->func == s->func && cs_pat_overlap(w->store.pat, w->store.size, s->load.pat, s->load.size) &&
           reaches(r, s->func, w->block, s->block);
}

static int position(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    const struct cs_block *b = &g->funcs[s->func].blocks[s->block];
    int i = 0;
    while (i < b->nstmts && b->stmts[i] != stmt)
        i++;
    return i;
}

/* Can control go from the end of the block to the start of another one, and not by a third? */
static bool goes_round(const struct cs_func *f, int from, int to, int by)
{
    bool *behind = cs_cfg_behind(f, from, by), is = behind[to];
    free(behind);
    return is;
}

/* Does control come by the call on all ways from the store to the read? */
static bool passes(const struct cs_graph *g, int store, int read, int call)
{
    const struct cs_stmt *w = &g->stmts[store], *s = &g->stmts[read], *k = &g->stmts[call];
    int at = position(g, store), to = position(g, read), by = position(g, call);
    bool straight = w->block == s->block && at < to;
    if (straight)
        return k->block == w->block && at < by && by < to;
    if ((k->block == w->block && by > at) || (k->block == s->block && by < to))
        return true;
    return k->block != w->block && k->block != s->block &&
           !goes_round(&g->funcs[s->func], w->block, s->block, k->block);
}

/* Does a call that writes, and is given the same pointer, always come between them? */
static bool is_given_between(const struct cs_rewritten *r, int store, int read)
{
    enum { CALLS = 10 }; /* that are looked at */
    const struct cs_stmt *s = &r->g->stmts[read];
    int n = 0;
    for (int i = r->first_given[cs_pointer_origin(r->g, s->load.base.id)]; i >= 0 && n < CALLS;
         i = r->given[i].next, n++)
        if (r->g->stmts[r->given[i].call].func == s->func && passes(r->g, store, read, r->given[i].call))
            return true;
    return false;
}

void cs_rewritten_by(struct cs_rewritten *r, int stmt, void (*fn)(void *arg, int stmt, int store), void *arg)
{
    int n = 0;
    for (int w = first_store(r, stmt); w >= 0 && n < STORES; w = r->next[w], n++)
        if (comes_before(r, w, stmt) && !is_given_between(r, w, stmt))
            fn(arg, stmt, w);
}

bool cs_rewritten_before(struct cs_rewritten *r, int stmt)
{
    const struct cs_stmt *s = &r->g->stmts[stmt];
    int n = 0;
    for (int w = first_store(r, stmt); w >= 0 && n < STORES; w = r->next[w], n++)
        if (comes_before(r, w, stmt) && !reaches(r, s->func, s->block, r->g->stmts[w].block))
            return true;
    return false;
}
