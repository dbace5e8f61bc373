/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares what branches ask for with what is stored in the variables that all calls pass; never_stored.h. */
#include "slicer/advise/never_stored.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/pointer_paths.h"
#include "slicer/graph/storage.h"

/* Where the parameter of a function may point: so many places in variables; lost: elsewhere, too. */
struct places {
    struct place {
        int obj;
        int64_t off;
    } a[32];
    int n;
    bool lost;
};
/* The stores to each variable by its name, as a list by next[statement]. */
struct stores {
    const struct cs_graph *g;
    const struct cs_intlist *callers;
    int *of, *next;
};

static void add_places(const struct stores *s, struct places *p, int func, struct cs_operand op, int64_t off, int depth)
{
    enum { MOST = sizeof p->a / sizeof *p->a };
    op = cs_moved_from(s->g, op);
    if (op.kind == CS_OPND_ADDR && !op.pat.stride && p->n < MOST) {
        p->a[p->n++] = (struct place){op.id, off + op.pat.off};
        return;
    }
    int k = op.kind == CS_OPND_VALUE && s->g->values[op.id].def < 0 ? cs_param_number(s->g, func, op) : -1;
    p->lost |= k < 0 || depth == 0 || !s->callers[func].n;
    for (int i = 0; !p->lost && i < s->callers[func].n; i++) {
        const struct cs_stmt *c = &s->g->stmts[s->callers[func].a[i]];
        if (k < c->nuses)
            add_places(s, p, c->func, c->uses[k], off, depth - 1);
        else
            p->lost = true;
    }
}

/* May the number be stored there? */
static bool may_be(const struct stores *s, const struct place *at, int64_t size, int64_t number)
{
    const struct cs_obj *o = &s->g->objs[at->obj];
    for (int i = 0; i < o->ninits; i++)
        if (o->inits[i].off == at->off && (o->inits[i].val.kind != CS_OPND_CONST || o->inits[i].val.pat.off == number))
            return true;
    for (int i = s->of[at->obj]; i >= 0; i = s->next[i]) {
        const struct cs_stmt *st = &s->g->stmts[i];
        struct cs_pattern to = cs_pat_compose(st->store.base.pat, st->store.pat);
        bool number_too = st->uses[0].kind != CS_OPND_CONST || st->uses[0].pat.off == number;
        if (number_too && cs_pat_overlap(to, st->store.size, cs_pat_at(at->off), size))
            return true;
    }
    return false;
}

/* The edge of the branch by which control never goes, -1. */
static int never_taken(const struct stores *s, const struct cs_stmt *b)
{
    enum { CALLS = 6 };
    const struct cs_graph *g = s->g;
    bool asks = b->kind == CS_STMT_COND && b->nuses == 2 && (b->op == CS_OP_EQ || b->op == CS_OP_NE) &&
                b->uses[0].kind == CS_OPND_VALUE && b->uses[1].kind == CS_OPND_CONST && b->uses[1].pat.off;
    int d = asks ? g->values[b->uses[0].id].def : -1;
    const struct cs_stmt *load = d < 0 ? NULL : &g->stmts[d];
    if (!load || load->kind != CS_STMT_LOAD || load->load.pat.stride || load->nuses || load->load.size <= 0 ||
        load->load.base.kind != CS_OPND_VALUE)
        return -1;
    struct places p = {0};
    add_places(s, &p, b->func, load->load.base, load->load.pat.off, CALLS);
    bool may = p.lost || !p.n;
    for (int i = 0; i < p.n && !may; i++)
        may = may_be(s, &p.a[i], load->load.size, b->uses[1].pat.off);
    return may ? -1 : b->op == CS_OP_EQ ? 0 : 1;
}

void cs_never_stored(const struct cs_graph *g, const struct cs_intlist *callers, const int *first, unsigned char *edges)
{
    struct stores s = {g, callers, cs_calloc(g->nobjs + 1, sizeof(int)), cs_calloc(g->nstmts + 1, sizeof(int))};
    memset(s.of, -1, g->nobjs * sizeof *s.of);
    for (int i = 0; i < g->nstmts; i++) {
        const struct cs_stmt *st = &g->stmts[i];
        if (st->kind != CS_STMT_STORE || st->store.base.kind != CS_OPND_ADDR)
            continue;
        s.next[i] = s.of[st->store.base.id];
        s.of[st->store.base.id] = i;
    }
    for (int f = 0; f < g->nfuncs; f++)
        for (int b = 0; b < g->funcs[f].nblocks; b++) {
            int branch = cs_block_branch(g, f, b), edge = branch < 0 ? -1 : never_taken(&s, &g->stmts[branch]);
            if (edge >= 0)
                edges[first[f] + b] |= 1 << edge;
        }
    free(s.of);
    free(s.next);
}
