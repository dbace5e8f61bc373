/* SPDX-License-Identifier: BSD-3-Clause
 * The mean gap before a call; see gap_split.h. The gap before a loop's first call is split in two (step B8 of the
 * published method): what every iteration has, and what only the first one has in addition. */
#include "skeleton/plan/gap_split.h"

#include <assert.h>

/* Is the node the class's first symbol in the loop, and directly in it? */
static bool is_first(const struct cs_gen *g, int64_t loop, int64_t node, int cls)
{
    for (int64_t i = loop + 1; i < node; i++)
        if (!g->m->node[i].count && cs_merged_part_of(&g->m->symbol[g->m->node[i].value], cls))
            return false;
    return g->parent[node] == loop;
}

struct cs_gen_split cs_gen_split(const struct cs_gen *g, int64_t node, int part)
{
    const struct cs_gap *t = &g->m->gap[g->m->gap_at[node] + part];
    assert(part < g->m->symbol[g->m->node[node].value].nparts);
    int cls = g->m->symbol[g->m->node[node].value].part[part].cls;
    int64_t loop = g->parent[node];
    if (t->n <= 0)
        return (struct cs_gen_split){0, 0};
    struct cs_gen_split s = {t->gap / (double)t->n * 1e-9, 0};
    if (loop < 0 || t->first_n <= 0 || t->n <= t->first_n || !is_first(g, loop, node, cls))
        return s;
    double inside = (t->gap - t->first_gap) / (double)(t->n - t->first_n) * 1e-9;
    double outside = t->first_gap / (double)t->first_n * 1e-9 - inside;
    return outside >= 0 ? (struct cs_gen_split){inside, outside} : s;
}
