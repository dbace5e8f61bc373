/* SPDX-License-Identifier: GPL-3.0-or-later
 * Kept statements whose rounding is GCC's choice; rounding.h. GCC fuses a product with a sum where nothing else needs
 * the product, which a slice changes. The two may be far apart in the program, joined by memory or a call. */
#include "slicer/rounding.h"

#include <string.h>

static int first_kept(const struct cs_graph *g, enum cs_rounding kind)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].keep && g->stmts[i].rounding == kind)
            return i;
    return -1;
}

/* Does the call set the rounding mode? Its row says that it is always kept, and that it writes that state. */
static bool sets_mode(const struct cs_model *m)
{
    if (!m->fx || !m->fx->keep)
        return false;
    for (int i = 0; i < m->fx->nops; i++) {
        const struct cs_effect_op *op = &m->fx->ops[i];
        if (op->kind == CS_EFFECT_HIDDEN && op->hid_write && !strcmp(op->state, "fenv"))
            return true;
    }
    return false;
}

static bool mode_is_set(const struct cs_graph *g, const struct cs_models *ms)
{
    for (int i = 0; i < ms->n; i++)
        if (g->stmts[ms->m[i].stmt].keep && sets_mode(&ms->m[i]))
            return true;
    return false;
}

void cs_rounding_check(const struct cs_graph *g, const struct cs_models *ms, void (*say)(void *arg, int stmt),
                       void *arg)
{
    int freely = first_kept(g, CS_ROUNDING_FREE), sum = first_kept(g, CS_ROUNDING_SUM);
    int variant = first_kept(g, CS_ROUNDING_VARIANT), wide = first_kept(g, CS_ROUNDING_WIDE);
    int mode = first_kept(g, CS_ROUNDING_MODE);
    if (freely >= 0)
        say(arg, freely);
    else if (sum >= 0 && first_kept(g, CS_ROUNDING_PRODUCT) >= 0)
        say(arg, sum);
    if (variant >= 0)
        say(arg, variant);
    if (wide >= 0)
        say(arg, wide);
    if (mode >= 0 && mode_is_set(g, ms))
        say(arg, mode);
}
