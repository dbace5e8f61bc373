/* SPDX-License-Identifier: BSD-3-Clause
 * The events of a rank that a format has to write: those inside the window, up to the limit. */
#include <assert.h>

#include "cli/export/export_internal.h"
#include "cli/frame/cli.h"

static int64_t clock_of(const struct cs_export *x)
{
    return x->clock ? x->clock[x->view.rank] : 0;
}

int64_t cs_export_enter(const struct cs_export *x, const struct cs_event *e, int64_t index)
{
    return cs_trace_info(x->view.t)->with_times ? clock_of(x) + e->t_enter : index;
}

int64_t cs_export_exit(const struct cs_export *x, const struct cs_event *e, int64_t index)
{
    return cs_trace_info(x->view.t)->with_times ? clock_of(x) + e->t_exit : index + 1;
}

int cs_export_rank(struct cs_export *x,
                   int (*fn)(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg), void *arg)
{
    assert(x->view.rank >= 0 && x->view.rank < cs_trace_info(x->view.t)->nranks);
    struct cs_trace_iter *it = cs_trace_iter_open(x->view.t, x->view.rank);
    struct cs_event e;
    int rc = it ? 1 : -2;
    int64_t written = 0;
    for (int64_t i = 0; rc == 1 && written < x->limit && (rc = cs_trace_iter_next(it, &e)) == 1; i++) {
        if (cs_export_enter(x, &e, i) > x->to)
            break;
        if (cs_export_exit(x, &e, i) < x->from)
            continue;
        written++;
        if (fn(x, &e, i, arg) != 0)
            rc = -3; /* it has said why */
    }
    if (rc == -1)
        cs_error("%s: damaged: %s", x->path, cs_trace_iter_error(it));
    else if (rc == -2)
        cs_error("not enough memory");
    cs_trace_iter_free(it);
    return rc < 0 ? -1 : 0;
}
