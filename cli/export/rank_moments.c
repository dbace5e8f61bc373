/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through all ranks at once; rank_moments.h. The earliest moment of each rank is in a binary heap. */
#include "cli/export/rank_moments.h"

#include <stdlib.h>

#include "cli/export/export_internal.h"
#include "cli/frame/cli.h"

/* A rank on its way: the call it is about to enter, or is in. */
struct walker {
    struct cs_trace_iter *it;
    struct cs_event e;
    int64_t index, written, enter, exit;
    bool inside;
};

/* The ranks; heap[0 .. n) has those that are not at their end, the one with the earliest moment first. */
struct walk {
    struct cs_export *x;
    struct walker *r;
    int *heap, n;
};

static int64_t moment_of(const struct walker *r)
{
    return r->inside ? r->exit : r->enter;
}

/* Earlier ones first; at the same time those that leave, and then the lower rank. */
static bool before(const struct walk *w, int a, int b)
{
    const struct walker *x = &w->r[a], *y = &w->r[b];
    if (moment_of(x) != moment_of(y))
        return moment_of(x) < moment_of(y);
    return x->inside != y->inside ? x->inside : a < b;
}

/* The rank at place i may be later than it was. */
static void sink(struct walk *w, int i)
{
    for (int least = i;; i = least) {
        for (int k = 2 * i + 1; k <= 2 * i + 2 && k < w->n; k++)
            if (before(w, w->heap[k], w->heap[least]))
                least = k;
        if (least == i)
            return;
        int rank = w->heap[i];
        w->heap[i] = w->heap[least];
        w->heap[least] = rank;
    }
}

/* Reads the rank's next event that is wanted: 1; 0: there is none; or -1 after a message. */
static int advance(struct walk *w, int rank)
{
    struct walker *r = &w->r[rank];
    int rc = 0;
    w->x->view.rank = rank;
    while (r->written < w->x->limit && (rc = cs_trace_iter_next(r->it, &r->e)) == 1) {
        int64_t enter = cs_export_enter(w->x, &r->e, ++r->index), exit = cs_export_exit(w->x, &r->e, r->index);
        if (enter > w->x->to)
            return 0;
        if (exit < w->x->from)
            continue;
        r->written++;
        r->enter = enter;
        r->exit = exit;
        return 1;
    }
    if (rc < 0)
        cs_error("%s: damaged: %s", w->x->path, cs_trace_iter_error(r->it));
    return rc < 0 ? -1 : 0;
}

/* The first moment of each rank. 0, or -1 after a message. */
static int begin(struct walk *w, int nranks)
{
    for (int i = 0; i < nranks; i++) {
        int rc = advance(w, i);
        if (rc < 0)
            return -1;
        if (rc)
            w->heap[w->n++] = i;
    }
    return 0;
}

static int step(struct walk *w, int (*fn)(void *arg, const struct cs_moment *m), void *arg)
{
    int rank = w->heap[0], rc = 1;
    struct walker *r = &w->r[rank];
    struct cs_moment m = {
        .rank = rank, .call = r->e.call, .leaves = r->inside, .time = moment_of(r), .index = r->index};
    w->x->view.rank = rank;
    if (r->inside) {
        if ((rc = advance(w, rank)) < 0)
            return -1;
        m.until = rc && r->enter > m.time ? r->enter : m.time;
        r->enter = m.until;
        r->exit = rc && r->exit > r->enter ? r->exit : r->enter;
    } else {
        m.until = r->exit;
        m.e = &r->e;
    }
    r->inside = !r->inside;
    if (fn(arg, &m) != 0)
        return -1;
    if (!rc)
        w->heap[0] = w->heap[--w->n];
    sink(w, 0);
    return 0;
}

int cs_rank_moments(struct cs_export *x, int (*fn)(void *arg, const struct cs_moment *m), void *arg)
{
    int n = cs_trace_info(x->view.t)->nranks, rc = 0;
    struct walk w = {.x = x, .r = calloc((size_t)n, sizeof *w.r), .heap = calloc((size_t)n, sizeof *w.heap)};
    int64_t done = 0, all = 0;
    if (!w.r || !w.heap)
        rc = cs_error("not enough memory");
    for (int i = 0; i < n && rc == 0; i++) {
        w.r[i].index = -1;
        all += 2 * cs_trace_nevents(x->view.t, i);
        if (!(w.r[i].it = cs_trace_iter_open(x->view.t, i)))
            rc = cs_error("not enough memory");
    }
    if (rc == 0)
        rc = begin(&w, n);
    for (int i = w.n / 2; rc == 0 && i-- > 0;)
        sink(&w, i);
    while (rc == 0 && w.n > 0) {
        if (done++ % 4096 == 0)
            cs_progress("writing", done, all);
        rc = step(&w, fn, arg);
    }
    for (int i = 0; w.r && i < n; i++)
        cs_trace_iter_free(w.r[i].it);
    free(w.r);
    free(w.heap);
    return rc ? -1 : 0;
}
