/* SPDX-License-Identifier: BSD-3-Clause
 * The bins of timeline.h.
 * Time before a rank's first event is its computing since MPI_Init; what follows its last event is not known and not
 * counted. */
#include "trace/analyse/timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"

static void halve(struct cs_timeline *l)
{
    int half = CS_TIMELINE_BINS / 2;
    for (int i = 0; i < half; i++)
        for (int k = 0; k < CS_DOING_COUNT; k++)
            l->bin[i][k] = l->bin[2 * i][k] + l->bin[2 * i + 1][k];
    memset(l->bin[half], 0, (size_t)half * sizeof *l->bin);
    for (int r = 0; r < l->nrows; r++) {
        double *m = l->in_mpi + r * CS_TIMELINE_BINS, *s = l->seen + r * CS_TIMELINE_BINS;
        for (int i = 0; i < half; i++) {
            m[i] = m[2 * i] + m[2 * i + 1];
            s[i] = s[2 * i] + s[2 * i + 1];
        }
        memset(m + half, 0, (size_t)half * sizeof *m);
        memset(s + half, 0, (size_t)half * sizeof *s);
    }
    l->width *= 2;
    l->nbins = (l->nbins + 1) / 2;
}

static void add(struct cs_timeline *l, int row, enum cs_doing doing, double from, double to)
{
    while (to > l->width * CS_TIMELINE_BINS)
        halve(l);
    assert(row >= 0 && row < l->nrows && from >= 0);
    while (from < to) {
        int i = (int)(from / l->width);
        i = i < CS_TIMELINE_BINS ? i : CS_TIMELINE_BINS - 1;
        double end = l->width * (i + 1);
        end = end < to && i + 1 < CS_TIMELINE_BINS ? end : to;
        l->bin[i][doing] += end - from;
        l->seen[row * CS_TIMELINE_BINS + i] += end - from;
        l->in_mpi[row * CS_TIMELINE_BINS + i] +=
            doing == CS_DOING_OUTSIDE || doing == CS_DOING_DELAYED ? 0 : end - from;
        l->nbins = i + 1 > l->nbins ? i + 1 : l->nbins;
        if (end <= from)
            break;
        from = end;
    }
}

static int add_rank(struct cs_timeline *l, const struct cs_trace *t, int rank)
{
    struct cs_trace_iter *it = cs_trace_iter_open(t, rank);
    struct cs_event e;
    double last = 0;
    int rc = it ? 1 : -1, row = rank / l->per_row;
    while (rc == 1 && (rc = cs_trace_iter_next(it, &e)) == 1) {
        double enter = (double)e.t_enter, exit = (double)e.t_exit;
        enter = enter > last ? enter : last; /* clocks that go back are none of ours */
        exit = exit > enter ? exit : enter;
        double delay = (double)e.t_delay < enter - last ? (double)e.t_delay : enter - last;
        add(l, row, CS_DOING_DELAYED, last, last + delay);
        add(l, row, CS_DOING_OUTSIDE, last + delay, enter);
        add(l, row, cs_doing_of(e.call), enter, exit);
        l->rank[rank].outside += enter - last - delay;
        l->rank[rank].delayed += delay;
        l->rank[rank].busy += exit - enter;
        last = exit;
    }
    l->rank[rank].end = last;
    cs_trace_iter_free(it);
    return rc;
}

static struct cs_timeline *allocate(int nranks)
{
    struct cs_timeline *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->nranks = nranks;
    l->per_row = (nranks + CS_TIMELINE_ROWS - 1) / CS_TIMELINE_ROWS;
    l->nrows = (nranks + l->per_row - 1) / l->per_row;
    l->width = 1000;
    l->bin = calloc(CS_TIMELINE_BINS, sizeof *l->bin);
    l->in_mpi = calloc((size_t)l->nrows * CS_TIMELINE_BINS, sizeof *l->in_mpi);
    l->seen = calloc((size_t)l->nrows * CS_TIMELINE_BINS, sizeof *l->seen);
    l->rank = calloc((size_t)nranks, sizeof *l->rank);
    if (l->bin && l->in_mpi && l->seen && l->rank)
        return l;
    cs_timeline_free(l);
    return NULL;
}

struct cs_timeline *cs_timeline_make(const struct cs_trace *t,
                                     void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf,
                                     size_t errlen)
{
    int n = cs_trace_info(t)->nranks;
    struct cs_timeline *l = allocate(n);
    if (!l)
        cs_error_text(errbuf, errlen, "not enough memory");
    for (int r = 0; l && r < n; r++) {
        if (progress)
            progress("times", r, n);
        if (add_rank(l, t, r) < 0) {
            cs_error_text(errbuf, errlen, "rank %d cannot be read", r);
            cs_timeline_free(l);
            l = NULL;
        }
    }
    return l;
}

void cs_timeline_free(struct cs_timeline *l)
{
    if (!l)
        return;
    free(l->bin);
    free(l->in_mpi);
    free(l->seen);
    free(l->rank);
    free(l);
}
