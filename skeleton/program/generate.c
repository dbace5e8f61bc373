/* SPDX-License-Identifier: BSD-3-Clause
 * Makes a skeleton, step by step; see skeleton.h. The body is made first, in memory: it shows what else is needed. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "skeleton/emit/emit_nest.h"
#include "skeleton/plan/divide.h"
#include "skeleton/plan/follow_requests.h"
#include "skeleton/plan/gap_lists.h"
#include "skeleton/plan/together.h"
#include "skeleton/program/write_program.h"

static int allocate(struct cs_gen *g)
{
    size_t n = (size_t)g->m->nnodes + 1, ranks = (size_t)g->m->info.nranks + 1;
    g->count = calloc(n, sizeof *g->count);
    g->parent = calloc(n, sizeof *g->parent);
    g->counts_node = calloc(n, 1);
    g->deferred = calloc(n, 1);
    g->open_at = calloc(n, 1);
    g->together = calloc(n, 1);
    g->kept_node = calloc((size_t)g->m->nclasses + 1, sizeof *g->kept_node);
    g->nkept_node = calloc((size_t)g->m->nclasses + 1, sizeof *g->nkept_node);
    g->type_named = calloc((size_t)g->m->ntypes + 1, 1);
    g->op_named = calloc((size_t)g->m->nops + 1, 1);
    g->value = calloc(ranks, sizeof *g->value);
    g->here = calloc(ranks, 1);
    if (!g->count || !g->parent || !g->counts_node || !g->deferred || !g->open_at || !g->together || !g->kept_node ||
        !g->nkept_node || !g->type_named || !g->op_named || !g->value || !g->here)
        return cs_gen_refuse(g, "not enough memory");
    return 0;
}

static void release(struct cs_gen *g)
{
    for (size_t i = 0; i < g->ntexts; i++)
        free(g->text[i]);
    free(g->text);
    free(g->table);
    free(g->count);
    free(g->parent);
    free(g->counts_node);
    free(g->deferred);
    free(g->open_at);
    free(g->together);
    cs_gen_free_gaps(g);
    for (int k = 0; k < g->m->nclasses && g->kept_node; k++)
        free(g->kept_node[k]);
    free(g->kept_node);
    free(g->nkept_node);
    free(g->type_named);
    free(g->op_named);
    free(g->value);
    free(g->here);
}

/* Refuses a merged trace in which calls were moved: the skeleton would not make them in the program's order. */
static int in_order(struct cs_gen *g)
{
    for (int i = 0; i < g->m->nsymbols; i++)
        for (int p = 0; p < g->m->symbol[i].nparts; p++)
            if (g->m->symbol[i].part[p].shift)
                return cs_gen_refuse(g,
                                     "merged in another order than the original; merge again with the original order");
    return 0;
}

static int run_steps(struct cs_gen *g)
{
    return in_order(g) || cs_gen_loops(g) || cs_gen_follow_requests(g) || cs_gen_divide(g) || cs_gen_together(g) ||
                   cs_gen_list_gaps(g) || cs_gen_emit_nest(g)
               ? -1
               : 0;
}

int cs_skeleton_write(const struct cs_merged *m, const struct cs_skeleton_options *o, FILE *out,
                      struct cs_skeleton_report *report, char *errbuf, size_t errlen)
{
    struct cs_gen g = {
        .m = m, .o = o, .computes = m->gap_at && o->work_rate > 0, .degree = 1, .errbuf = errbuf, .errlen = errlen};
    char *body = NULL, *tables = NULL;
    size_t nbody, ntables;
    assert(o->scale >= 1);
    g.report.times = g.computes;
    g.body = open_memstream(&body, &nbody);
    g.tables = open_memstream(&tables, &ntables);
    int rc = g.body && g.tables ? allocate(&g) : cs_gen_refuse(&g, "not enough memory");
    if (rc == 0)
        rc = run_steps(&g);
    if (g.body)
        fclose(g.body);
    if (g.tables)
        fclose(g.tables);
    if (rc == 0)
        cs_gen_write_program(&g, out, body, tables);
    if (report)
        *report = g.report;
    free(body);
    free(tables);
    release(&g);
    return g.failed ? -1 : rc;
}
