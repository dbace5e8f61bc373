/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looks at the branches that decide whether a block runs; conditional.h. */
#include "slicer/advise/conditional.h"

#include <stdlib.h>

#include "slicer/graph/storage.h"

void cs_conditional_start(struct cs_conditional *c, const struct cs_graph *g)
{
    *c = (struct cs_conditional){g, cs_calloc(g->nfuncs + 1, sizeof *c->cdep),
                                 cs_calloc(g->nfuncs + 1, sizeof *c->known)};
}

void cs_conditional_free(struct cs_conditional *c)
{
    for (int f = 0; f < c->g->nfuncs; f++)
        if (c->known[f])
            cs_cdep_free(&c->cdep[f]);
    free(c->cdep);
    free(c->known);
}

static bool depends(const struct cs_cdep *d, int block, int on)
{
    for (int i = 0; i < d->on[block].n; i++)
        if (d->on[block].a[i] == on)
            return true;
    return false;
}

/* Do two branches ask about one number, as the test before a loop and that at its end do? */
static bool ask_the_same(const struct cs_graph *g, int x, int y)
{
    for (int i = 0; i < g->stmts[x].nuses; i++)
        for (int k = 0; k < g->stmts[y].nuses; k++)
            if (cs_opnd_same(g->stmts[x].uses[i], g->stmts[y].uses[k]))
                return true;
    return false;
}

/* Does the block's branch end a loop, or come before one that is among the blocks and asks the same? */
static bool is_of_loop(const struct cs_graph *g, int func, const struct cs_cdep *d, int block,
                       const struct cs_intlist *blocks)
{
    int own = cs_block_branch(g, func, block);
    if (depends(d, block, block))
        return true;
    for (int i = 0; i < blocks->n; i++) {
        int b = blocks->a[i], branch = depends(d, b, b) ? cs_block_branch(g, func, b) : -1;
        if (branch >= 0 && depends(d, b, block) && ask_the_same(g, own, branch))
            return true;
    }
    return false;
}

/* The other ends of blocks than conditions are calls that do not come back. */
static bool is_condition(const struct cs_graph *g, int func, int block)
{
    int branch = cs_block_branch(g, func, block);
    return branch >= 0 && (g->stmts[branch].kind == CS_STMT_COND || g->stmts[branch].kind == CS_STMT_SWITCH);
}

/* The blocks of which branches decide, or decide on what decides, whether the block runs, behind itself. */
static struct cs_intlist deciding(const struct cs_cdep *d, int block)
{
    struct cs_intlist blocks = {0};
    struct cs_intset seen = {0};
    cs_intlist_add(&blocks, block);
    cs_intset_add(&seen, block);
    for (int n = 0; n < blocks.n; n++)
        for (int i = 0; i < d->on[blocks.a[n]].n; i++)
            if (cs_intset_add(&seen, d->on[blocks.a[n]].a[i]))
                cs_intlist_add(&blocks, d->on[blocks.a[n]].a[i]);
    cs_intset_free(&seen);
    return blocks;
}

const struct cs_cdep *cs_conditional_cdep(struct cs_conditional *c, int func)
{
    if (!c->known[func])
        cs_cdep_compute(c->g, func, &c->cdep[func]);
    c->known[func] = true;
    return &c->cdep[func];
}

void cs_conditions_of(struct cs_conditional *c, int stmt, struct cs_intlist *branches)
{
    int func = c->g->stmts[stmt].func;
    const struct cs_cdep *d = cs_conditional_cdep(c, func);
    struct cs_intlist blocks = deciding(d, c->g->stmts[stmt].block);
    for (int i = 1; i < blocks.n; i++)
        if (is_condition(c->g, func, blocks.a[i]) && !is_of_loop(c->g, func, d, blocks.a[i], &blocks))
            cs_intlist_add(branches, cs_block_branch(c->g, func, blocks.a[i]));
    cs_intlist_free(&blocks);
}

bool cs_is_conditional(struct cs_conditional *c, int stmt)
{
    int func = c->g->stmts[stmt].func;
    bool is = false;
    const struct cs_cdep *d = cs_conditional_cdep(c, func);
    struct cs_intlist blocks = deciding(d, c->g->stmts[stmt].block);
    for (int i = 1; i < blocks.n && !is; i++)
        is = is_condition(c->g, func, blocks.a[i]) && !is_of_loop(c->g, func, d, blocks.a[i], &blocks);
    cs_intlist_free(&blocks);
    return is;
}
