/* SPDX-License-Identifier: GPL-3.0-or-later
 * Adds up, over and over, how often the callers of each function run; call_ways.h. */
#include "slicer/advise/call_ways.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

int *cs_runs_count(const struct cs_graph *g)
{
    enum { MOST = 64, DEPTH = 6 }; /* more are not counted */
    int *next = cs_calloc(g->nfuncs + 1, sizeof *next), *runs = cs_calloc(g->nfuncs + 1, sizeof *runs);
    for (int f = 0; f < g->nfuncs; f++)
        runs[f] = 1;
    for (int i = 0; i < DEPTH; i++) {
        memset(next, 0, g->nfuncs * sizeof *next);
        for (int s = 0; s < g->nstmts; s++) {
            const struct cs_stmt *st = &g->stmts[s];
            bool direct = st->kind == CS_STMT_CALL && st->keep && st->callee.kind == CS_OPND_ADDR;
            int f = direct && g->objs[st->callee.id].kind == CS_OBJ_FUNC ? g->objs[st->callee.id].func : -1;
            if (f >= 0 && next[f] < MOST)
                next[f] += runs[st->func];
        }
        for (int f = 0; f < g->nfuncs; f++)
            runs[f] = next[f] ? next[f] : 1;
    }
    free(next);
    return runs;
}

int cs_pieces(const struct cs_graph *g, const int *runs, int obj)
{
    const struct cs_obj *ob = obj >= 0 && obj < g->nobjs ? &g->objs[obj] : NULL;
    bool heap = ob && ob->kind == CS_OBJ_HEAP && ob->stmt >= 0 && ob->stmt < g->nstmts;
    return heap ? runs[g->stmts[ob->stmt].func] : 1;
}
