/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the places where the generated program may have barriers of its own, to measure times: all ranks come there,
 * and all that was sent before was received and every collective was called by all members. So no rank that is still on
 * its way needs one that waits at the barrier. */
#include "skeleton/plan/together.h"

#include "skeleton/plan/balance.h"

/* Do all classes make a call in the node? */
static bool all_take_part(const struct cs_gen *g, int64_t node)
{
    for (int k = 0; k < g->m->nclasses; k++) {
        bool in = false;
        for (int64_t i = node; i <= node + (g->m->node[node].count ? g->m->node[node].value : 0) && !in; i++)
            in = !g->m->node[i].count && cs_merged_part_of(&g->m->symbol[g->m->node[i].value], k);
        if (!in)
            return false;
    }
    return true;
}

/* Sets together[] of the nodes [from, to), in front of which all messages and collectives are matched. 0 or -1. */
static int mark(struct cs_gen *g, int64_t from, int64_t to)
{
    struct cs_balance *sum = cs_balance_new();
    if (!sum)
        return cs_gen_refuse(g, "not enough memory");
    int rc = 0;
    for (int64_t i = from; i < to && rc == 0; i++) {
        const struct cs_nest_node *n = &g->m->node[i];
        bool quiet = cs_balance_is_zero(sum);
        if (!n->count) {
            g->together[i] = quiet && all_take_part(g, i);
            cs_balance_nodes(sum, g, i, i + 1, 1);
            continue;
        }
        struct cs_balance *each = cs_balance_new();
        if (each)
            cs_balance_nodes(each, g, i + 1, i + 1 + n->value, 1);
        if (each && quiet && cs_balance_is_zero(each)) {
            g->together[i] = all_take_part(g, i);
            rc = mark(g, i + 1, i + 1 + n->value);
        }
        if (each)
            cs_balance_add(sum, each, n->count);
        rc = each ? rc : cs_gen_refuse(g, "not enough memory");
        cs_balance_free(each);
        i += n->value;
    }
    cs_balance_free(sum);
    return rc;
}

int cs_gen_together(struct cs_gen *g)
{
    return g->o->scale > 1 ? mark(g, 0, g->m->nnodes) : 0;
}
