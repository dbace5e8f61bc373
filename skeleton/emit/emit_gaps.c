/* SPDX-License-Identifier: BSD-3-Clause
 * Computation in the program: calls of work() before MPI calls and loops, for the mean of the recorded gaps or for the
 * next one of a list. */
#define _GNU_SOURCE 1
#include "skeleton/emit/emit_gaps.h"

#include <stdlib.h>
#include <string.h>

#include "skeleton/emit/values.h"
#include "skeleton/plan/divide.h"
#include "skeleton/plan/gap_split.h"

#define NEGLIGIBLE_S 20e-9 /* shorter gaps are left out */
#define UNDIVIDED_S 20e-3  /* work is not shortened below this: noise would be larger than what is measured */

/* C text of all ranks' lists, in units of 10 ns: {{rank 0's}, {rank 1's}, ...}. */
static const char *numbers(struct cs_gen *g, const struct cs_gen_gaps *v)
{
    struct cs_gen_memory m;
    FILE *out = cs_gen_begin(g, &m);
    if (!out)
        return "";
    for (int r = 0; r < g->m->info.nranks; r++)
        for (int64_t i = 0; i < v->n; i++)
            fprintf(out, "%s%.0f%s",
                    i   ? i % 24 ? ", " : ",\n    "
                    : r ? ",\n    {"
                        : "{{",
                    v->seconds[r * v->n + i] * 1e8, i + 1 == v->n ? "}" : "");
    fputc('}', out);
    return cs_gen_end(g, &m);
}

/* C text of the seconds before the next occurrence of the node's symbol, on each rank; NULL if it has no list. */
static const char *next_of_list(struct cs_gen *g, int64_t node)
{
    const struct cs_gen_gaps *v = g->gaps ? &g->gaps[node] : NULL;
    if (!v || v->n == 0)
        return NULL;
    const char *name = cs_gen_table(g, "gaps", "const unsigned long ",
                                    cs_gen_text(g, "[NRANKS][%lld]", (long long)v->n), numbers(g, v));
    if (v->n == 1)
        return cs_gen_text(g, "%s[rank][0] * 1e-8", name);
    g->need[CS_NEED_TURN] = g->gaps[node].turns = true;
    return cs_gen_text(g, "%s[rank][turn(&g%lld, %lld, %lld)] * 1e-8", name, (long long)node, (long long)v->n,
                       (long long)v->back);
}

/* By how much work outside of divided loops is shortened; 1: not at all. It is not where ranks do not come together: a
 * rank that computes for a shorter time makes others wait for a shorter time, in calls whose time is not multiplied. */
static double parts_of(const struct cs_gen *g, int64_t node, const double *by_class)
{
    double most = 0;
    for (int k = 0; k < g->m->nclasses; k++)
        most = by_class[k] > most ? by_class[k] : most;
    double parts = most / UNDIVIDED_S;
    if (!g->together[node] || cs_gen_in_divided(g, node) || parts < 2)
        return 1;
    return parts < (double)g->o->scale ? parts : (double)g->o->scale;
}

/* Writes the computation before a node: by_class in seconds, for the classes in `in`. */
static void compute(struct cs_gen *g, int64_t node, const double *by_class, const bool *in, int depth)
{
    const char *list = next_of_list(g, node), *text = list ? list : cs_gen_seconds(g, by_class, in);
    if (strcmp(text, "0") == 0)
        return;
    double parts = parts_of(g, node, by_class);
    g->need[CS_NEED_WORK] = true;
    if (parts > 1) {
        cs_gen_line(g, depth, "work_outside(%s, %.3g);", text, parts);
        g->need[CS_NEED_CLOCK] = g->need[CS_NEED_WORK_OUTSIDE] = true;
    } else
        cs_gen_line(g, depth, "work(%s);", text);
}

void cs_gen_emit_work(struct cs_gen *g, int64_t node, int depth)
{
    const struct cs_nest_node *n = &g->m->node[node];
    int64_t last = n->count ? node + n->value : node;
    double *seconds = calloc((size_t)g->m->nclasses, sizeof *seconds);
    bool *in = calloc((size_t)g->m->nclasses, sizeof *in);
    if (!seconds || !in) {
        cs_gen_refuse(g, "not enough memory");
        last = -1;
    }
    for (int64_t i = node; i <= last; i++) {
        const struct cs_gen_gaps *list = n->count && g->gaps && g->gaps[i].n > 0 ? &g->gaps[i] : NULL;
        if (g->m->node[i].count || (n->count && g->parent[i] != node) || (list && !list->entry))
            continue;
        const struct cs_merged_symbol *l = &g->m->symbol[g->m->node[i].value];
        for (int p = 0; p < l->nparts; p++) {
            struct cs_gen_split s = cs_gen_split(g, i, p);
            double add = list ? list->entry[l->part[p].cls] : n->count ? s.outside : s.inside;
            in[l->part[p].cls] = true;
            seconds[l->part[p].cls] += add > NEGLIGIBLE_S ? add : 0;
        }
    }
    if (in && seconds)
        compute(g, node, seconds, in, depth);
    free(seconds);
    free(in);
}
