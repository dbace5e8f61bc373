/* SPDX-License-Identifier: GPL-3.0-or-later
 * Constant exit statuses that handlers may see; exit_status.h. What the slice gives to exit() stays as it is written:
 * only the graph no longer knows the number. */
#include "slicer/control/exit_status.h"

/* The row of the function, if it has no body. */
static const struct cs_effect *row_of(const struct cs_graph *g, const struct cs_effects *fx, int func)
{
    return g->funcs[func].defined ? NULL : cs_effects_find(fx, cs_func_name(g, func));
}

static bool calls_back_with_status(const struct cs_effect *e)
{
    for (int k = 0; e && k < e->nops; k++)
        for (int i = 0; e->ops[k].kind == CS_EFFECT_CALLBACK && i < e->ops[k].nargs; i++)
            if (e->ops[k].args[i] == CS_EFFECT_ARG_STATUS)
                return true;
    return false;
}

static bool status_is_read(const struct cs_graph *g, const struct cs_effects *fx)
{
    for (int f = 0; f < g->nfuncs; f++)
        if (calls_back_with_status(row_of(g, fx, f)))
            return true;
    return false;
}

static void hide(struct cs_graph *g, const struct cs_effects *fx, int stmt)
{
    struct cs_stmt *s = &g->stmts[stmt];
    if (s->kind != CS_STMT_CALL || s->callee.kind != CS_OPND_ADDR || g->objs[s->callee.id].kind != CS_OBJ_FUNC)
        return;
    const struct cs_effect *e = row_of(g, fx, g->objs[s->callee.id].func);
    int arg = e && e->noret == CS_NORET_EXIT && !e->status_deref ? e->status_arg : -1;
    if (arg >= 0 && arg < s->nuses && s->uses[arg].kind == CS_OPND_CONST)
        s->uses[arg] = cs_opnd_value(cs_graph_add_value(g, s->func));
}

void cs_exit_status_hide(struct cs_graph *g, const struct cs_effects *fx)
{
    if (!status_is_read(g, fx))
        return;
    for (int s = 0; s < g->nstmts; s++)
        hide(g, fx, s);
}
