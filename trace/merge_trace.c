/* SPDX-License-Identifier: BSD-3-Clause
 * From a trace to the merged form: reads classes, orders, merges, and sums up. The steps are those of merge_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "merge_parts.h"
#include "read.h"

static int64_t unrolled(const struct cs_merged *m, int64_t from, int64_t to)
{
    int64_t sum = 0;
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        sum += n->count ? n->count * unrolled(m, i + 1, i + 1 + n->value) : 1;
        i += n->count ? n->value : 0;
    }
    return sum;
}

static void sum_up(const struct cs_merged *m, struct cs_merge_report *r)
{
    *r = (struct cs_merge_report){.shortest = INT64_MAX, .kept_order = true};
    for (int c = 0; c < m->nclasses; c++) {
        r->longest = m->cls[c].nevents > r->longest ? m->cls[c].nevents : r->longest;
        r->shortest = m->cls[c].nevents < r->shortest ? m->cls[c].nevents : r->shortest;
    }
    r->merged = unrolled(m, 0, m->nnodes);
}

struct cs_merged *cs_merge_trace(const struct cs_trace *t, const struct cs_merge_options *o, struct cs_merge_report *report,
                                 char *errbuf, size_t errlen)
{
    struct cs_merging g = {.t = t, .o = o, .m = calloc(1, sizeof *g.m), .errbuf = errbuf, .errlen = errlen};
    if (!g.m) {
        cs_reason(errbuf, errlen, "not enough memory");
        return NULL;
    }
    int rc = cs_merge_read(&g);
    rc = rc ? rc : cs_merge_streams(&g, false);
    rc = rc ? rc : cs_merge_unify(&g);
    cs_merge_free(&g);
    if (rc) {
        cs_merged_free(g.m);
        return NULL;
    }
    if (report)
        sum_up(g.m, report);
    return g.m;
}
