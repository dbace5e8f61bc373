/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the steps of merging (merge_internal.h), and checks that the run can end in an order other than the original. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace/merge/merge_internal.h"
#include "trace/nest/nest_sound.h"
#include "base/error_text.h"

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

/* ---- another order than the original ---- */

#define CHECK_MAX 20000000 /* calls of all ranks that are played */

static int64_t all_calls(const struct cs_merged *m)
{
    int64_t sum = 0;
    for (int c = 0; c < m->nclasses && sum <= CHECK_MAX; c++)
        sum += m->cls[c].nevents > CHECK_MAX ? CHECK_MAX + 1 : m->cls[c].nevents * m->cls[c].ranks.total;
    return sum;
}

static struct cs_merged *merge(const struct cs_trace *t, const struct cs_merge_options *o, char *why, size_t whylen,
                               char *errbuf, size_t errlen)
{
    struct cs_merging g = {.t = t, .o = o, .m = calloc(1, sizeof *g.m), .errbuf = errbuf, .errlen = errlen};
    if (!g.m) {
        cs_error_text(errbuf, errlen, "not enough memory");
        return NULL;
    }
    int rc = cs_merge_read(&g);
    if (!rc && o->order != CS_ORDER_ORIGINAL) {
        if (all_calls(g.m) > CHECK_MAX)
            cs_error_text(why, whylen, "another one could not be checked: the run has more than %d calls", CHECK_MAX);
        else if (cs_merge_order(&g))
            rc = cs_error_text(errbuf, errlen, "not enough memory");
    }
    rc = rc ? rc : cs_merge_streams(&g, false);
    rc = rc ? rc : cs_merge_unify(&g);
    cs_merge_free(&g);
    if (rc) {
        cs_merged_free(g.m);
        g.m = NULL;
    }
    return g.m;
}

/* Does the run end in m's order? It must do so with sends that wait for their receive if the original order does, else
 * with buffered ones. */
static bool order_is_safe(const struct cs_merged *m, const struct cs_merged *original, char *why, size_t whylen)
{
    char ignored[200];
    int rc = cs_merged_replay(m, false, 0, CHECK_MAX, why, whylen);
    if (rc == 0 && cs_merged_replay(original, false, 0, CHECK_MAX, ignored, sizeof ignored) == 0)
        rc = cs_merged_replay(m, true, 0, CHECK_MAX, why, whylen);
    return rc == 1;
}

struct cs_merged *cs_merge_trace(const struct cs_trace *t, const struct cs_merge_options *o,
                                 struct cs_merge_report *report, char *errbuf, size_t errlen)
{
    struct cs_merge_options plain = *o;
    char why[200] = "", reason[160] = "";
    struct cs_merged *m = merge(t, o, why, sizeof why, errbuf, errlen), *original;
    if (m && o->order != CS_ORDER_ORIGINAL && !why[0]) {
        plain.order = CS_ORDER_ORIGINAL;
        original = merge(t, &plain, why, sizeof why, errbuf, errlen);
        if (original && order_is_safe(m, original, reason, sizeof reason)) {
            cs_merged_free(original);
        } else {
            cs_merged_free(m);
            m = original;
            cs_error_text(why, sizeof why, "in the other one %s", reason);
        }
    }
    if (m && report) {
        sum_up(m, report);
        report->kept_order = !why[0];
        memcpy(report->why, why, sizeof report->why);
    }
    assert(!m || cs_merged_is_sound(m));
    return m;
}
