/* SPDX-License-Identifier: GPL-3.0-or-later
 * The exit status where a handler that runs at exit gets it (on_exit): what communication depends on in the handler is
 * then what main returns, and what exit() and its kin are given. Nobody else asks for that: a slice ends with 0. */
#include "slicer/live/live_internal.h"

#include <string.h>

/* Is parameter k of what the call calls back the exit status? */
static bool gives_status(const struct cs_live *l, int call, int k)
{
    for (int i = 0; call < l->ms->nstmts && i < l->ms->of_stmt[call].n; i++) {
        const struct cs_model *m = &l->ms->m[l->ms->of_stmt[call].a[i]];
        for (int c = 0; c < m->ncallbacks; c++)
            if (k < m->callbacks[c].nargs && m->callbacks[c].status[k])
                return true;
    }
    return false;
}

/* What the call, one that ends the program, says of how it ended. */
static void need_given(struct cs_live *l, int s, const struct cs_effect *fx, int parent)
{
    const struct cs_stmt *st = &l->g->stmts[s];
    if (fx->noret != CS_NORET_EXIT || fx->status_arg < 0 || fx->status_arg >= st->nuses)
        return;
    struct cs_ref behind = {st->uses[fx->status_arg], cs_pat_at(0), sizeof(int)};
    int func = st->func;
    cs_need_operand(l, behind.base, parent, CS_WHY_PARAM);
    if (fx->status_deref)
        cs_need_ref(l, &behind, func, s, parent);
}

static void need_all_given(struct cs_live *l, int parent)
{
    for (int i = 0; i < l->ms->n; i++)
        if (l->ms->m[i].fx && cs_live_reachable_stmt(l, l->ms->m[i].stmt))
            need_given(l, l->ms->m[i].stmt, l->ms->m[i].fx, parent);
}

static bool is_main(const struct cs_graph *g, int func)
{
    return g->funcs[func].is_entry && !strcmp(cs_func_name(g, func), "main");
}

void cs_status_need(struct cs_live *l, int func, int k, int parent)
{
    bool status = false;
    for (int i = 0; i < l->fi[func].calls.n && !status; i++)
        status = gives_status(l, l->fi[func].calls.a[i], k);
    if (!status || l->status_needed)
        return;
    l->status_needed = true;
    need_all_given(l, parent);
    for (int f = 0; f < l->g->nfuncs; f++)
        for (int i = 0; is_main(l->g, f) && i < l->fi[f].returns.n; i++)
            cs_mark_stmt(l, l->fi[f].returns.a[i], CS_WHY_RETURN, parent);
}
