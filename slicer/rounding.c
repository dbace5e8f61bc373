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

/* What GCC may fuse: a sum, if there is a product, too. -1: nothing. */
static int first_fused(const struct cs_graph *g)
{
    int sum = first_kept(g, CS_ROUNDING_SUM);
    return sum >= 0 && first_kept(g, CS_ROUNDING_PRODUCT) >= 0 ? sum : first_kept(g, CS_ROUNDING_BOTH);
}

/* What a mode counts for that the program sets: GCC, which may compute it, does not know that mode. */
static int first_in_mode(const struct cs_graph *g)
{
    static const enum cs_rounding kinds[] = {CS_ROUNDING_MODE, CS_ROUNDING_PRODUCT, CS_ROUNDING_SUM, CS_ROUNDING_BOTH};
    int first = -1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && first < 0; i++)
        first = first_kept(g, kinds[i]);
    return first;
}

void cs_rounding_check(const struct cs_graph *g, const struct cs_models *ms, bool mode_is_given,
                       void (*say)(void *arg, int stmt, enum cs_rounding how), void *arg)
{
    static const enum cs_rounding alone[] = {CS_ROUNDING_LANES, CS_ROUNDING_VARIANT, CS_ROUNDING_WIDE};
    int freely = first_kept(g, CS_ROUNDING_FREE), fused = first_fused(g), in_mode = first_in_mode(g);
    if (freely >= 0)
        say(arg, freely, CS_ROUNDING_FREE);
    else if (fused >= 0)
        say(arg, fused, CS_ROUNDING_SUM);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (first_kept(g, alone[i]) >= 0)
            say(arg, first_kept(g, alone[i]), alone[i]);
    if (in_mode >= 0 && (mode_is_given || mode_is_set(g, ms)))
        say(arg, in_mode, CS_ROUNDING_MODE);
}
