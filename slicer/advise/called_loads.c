/* SPDX-License-Identifier: GPL-3.0-or-later
 * Goes back from calls through a pointer to where that is loaded; called_loads.h. */
#include "slicer/advise/called_loads.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 4 }; /* statements that are followed */

static void note(const struct cs_graph *g, struct cs_operand op, int depth, bool *is)
{
    int d = op.kind == CS_OPND_VALUE && depth > 0 ? g->values[op.id].def : -1;
    const struct cs_stmt *s = d < 0 ? NULL : &g->stmts[d];
    if (s && s->kind == CS_STMT_LOAD)
        is[d] = true;
    bool moves = s && (s->kind == CS_STMT_PHI || (s->kind == CS_STMT_ASSIGN && s->op == CS_OP_COPY));
    for (int i = 0; moves && i < s->nuses; i++)
        note(g, s->uses[i], depth - 1, is);
}

void cs_called_loads_find(const struct cs_graph *g, bool *is)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].kind == CS_STMT_CALL)
            note(g, g->stmts[i].callee, DEPTH, is);
}

/* Is it a call of memset, or of what it is in place of? */
static bool clears(const struct cs_graph *g, const struct cs_stmt *s)
{
    const struct cs_obj *o = s->callee.kind == CS_OPND_ADDR ? &g->objs[s->callee.id] : NULL;
    return o && o->kind == CS_OBJ_FUNC && !g->funcs[o->func].defined &&
           !strcmp(g->strings[g->funcs[o->func].name], "memset");
}

bool cs_writes_address(const struct cs_graph *g, int stmt)
{
    const struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind == CS_STMT_CALL)
        return !clears(g, s);
    if (s->kind != CS_STMT_STORE || !s->nuses || s->uses[0].kind == CS_OPND_ADDR)
        return true;
    int d = s->uses[0].kind == CS_OPND_VALUE ? g->values[s->uses[0].id].def : -1;
    if (s->store.size != (int64_t)sizeof(void *) || s->uses[0].kind == CS_OPND_NONE)
        return false;
    bool real = d >= 0 && !g->stmts[d].bits && (g->stmts[d].kind == CS_STMT_LOAD || g->stmts[d].kind == CS_STMT_ASSIGN);
    return !real;
}
