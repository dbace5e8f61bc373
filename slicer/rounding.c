/* SPDX-License-Identifier: GPL-3.0-or-later
 * Kept statements whose rounding is GCC's choice; rounding.h. GCC fuses a product with a sum where nothing else needs
 * the product, which a slice changes. The two may be far apart in the program, joined by memory or a call. */
#include "slicer/rounding.h"

static int first_kept(const struct cs_graph *g, enum cs_rounding kind)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmts[i].keep && g->stmts[i].rounding == kind)
            return i;
    return -1;
}

void cs_rounding_check(const struct cs_graph *g, void (*say)(void *arg, int stmt), void *arg)
{
    int freely = first_kept(g, CS_ROUNDING_FREE), sum = first_kept(g, CS_ROUNDING_SUM);
    int variant = first_kept(g, CS_ROUNDING_VARIANT);
    if (freely >= 0)
        say(arg, freely);
    else if (sum >= 0 && first_kept(g, CS_ROUNDING_PRODUCT) >= 0)
        say(arg, sum);
    if (variant >= 0)
        say(arg, variant);
}
