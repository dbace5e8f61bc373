/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looks for a way of calls from a loop around the statement back to its function; reentered.h. */
#include "slicer/advise/reentered.h"

#include <stdlib.h>

#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"

/* The functions that may be called in the loop, and those of them whose own calls are still to be followed. */
struct search {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    bool *called, any; /* any: it calls a function at all */
    struct cs_intlist work;
};

static void add(struct search *s, int func)
{
    if (!s->called[func])
        cs_intlist_add(&s->work, func);
    s->called[func] = true;
}

static void add_calls(struct search *s, const struct cs_block *b)
{
    for (int i = 0; i < b->nstmts; i++) {
        int stmt = b->stmts[i];
        s->any |= s->g->stmts[stmt].kind == CS_STMT_CALL;
        for (int k = s->flow->first_callee[stmt]; k < s->flow->first_callee[stmt + 1]; k++)
            add(s, s->flow->callees[k]);
    }
}

/* Adds what the blocks call that are on a way from the block back to it. */
static void add_loop(struct search *s, const struct cs_func *f, int block)
{
    bool *behind = cs_cfg_behind(f, block, -1);
    for (int b = 0; b < f->nblocks && behind[block]; b++) {
        bool *further = behind[b] ? cs_cfg_behind(f, b, -1) : NULL;
        if (further && further[block])
            add_calls(s, &f->blocks[b]);
        free(further);
    }
    free(behind);
}

/* Who is not seen may call these. */
static void add_called_back(struct search *s)
{
    for (int f = 0; f < s->g->nfuncs && s->any; f++)
        if (s->flow->called_back[f])
            add(s, f);
}

bool cs_may_reenter(const struct cs_graph *g, const struct cs_need_flow *flow, int stmt)
{
    int func = g->stmts[stmt].func;
    struct search s = {.g = g, .flow = flow, .called = cs_calloc(g->nfuncs + 1, sizeof *s.called)};
    add_loop(&s, &g->funcs[func], g->stmts[stmt].block);
    add_called_back(&s);
    while (s.work.n && !s.called[func]) {
        const struct cs_func *f = &g->funcs[s.work.a[--s.work.n]];
        for (int b = 0; b < f->nblocks; b++)
            add_calls(&s, &f->blocks[b]);
    }
    bool may = s.called[func];
    cs_intlist_free(&s.work);
    free(s.called);
    return may;
}
