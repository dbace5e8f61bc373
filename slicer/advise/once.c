/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which functions, and which statements, run once at most in a program; once.h. */
#include "slicer/advise/once.h"

#include <stdlib.h>

#include "slicer/control/cfg.h"
#include "slicer/graph/storage.h"

void cs_once_start(struct cs_once *o, const struct cs_graph *g, const struct cs_need_flow *flow,
                   const struct cs_intlist *callers)
{
    *o = (struct cs_once){g, flow, callers, cs_calloc(g->nfuncs + 1, 1)};
}

void cs_once_free(struct cs_once *o)
{
    free(o->known);
}

/* Can control come from the block back to it? */
static bool in_loop(const struct cs_func *f, int block)
{
    bool *behind = cs_cfg_behind(f, block, -1), is = behind[block];
    free(behind);
    return is;
}

bool cs_once_runs(struct cs_once *o, int func)
{
    if (o->known[func])
        return o->known[func] == 1;
    o->known[func] = 2; /* while it is asked for */
    const struct cs_intlist *c = &o->callers[func];
    bool once = !o->flow->any_time[func] && !o->flow->recursive[func] && c->n <= 1;
    if (once && c->n)
        once = cs_once_stmt(o, c->a[0]);
    o->known[func] = once ? 1 : 2;
    return once;
}

bool cs_once_stmt(struct cs_once *o, int stmt)
{
    const struct cs_stmt *s = &o->g->stmts[stmt];
    return cs_once_runs(o, s->func) && !in_loop(&o->g->funcs[s->func], s->block);
}
