/* SPDX-License-Identifier: BSD-3-Clause
 * The critical path: from the rank that ends last back over those that it waited for, each at the time at which it did
 * what was waited for. Ways share their beginnings and count who uses them, so those that lead nowhere are freed. */
#include <assert.h>
#include <stdlib.h>

#include "base/error_text.h"
#include "base/grow.h"
#include "trace/waits/waits_internal.h"

struct stretch *cs_way_use(struct stretch *w)
{
    if (w)
        w->refs++;
    return w;
}

void cs_way_drop(struct stretch *w)
{
    while (w && --w->refs == 0) {
        struct stretch *before = w->before;
        free(w);
        w = before;
    }
}

int cs_way_jump(struct rank *r, struct stretch *by_way, double time)
{
    struct stretch *w = malloc(sizeof *w);
    if (!w)
        return -1;
    *w = (struct stretch){.rank = r->rank, .refs = 1, .from = time, .before = cs_way_use(by_way)};
    cs_way_drop(r->way);
    r->way = w;
    return 0;
}

/* A stretch of the path, on one rank. */
struct part {
    int rank;
    double from, to;
};

static int by_rank_and_time(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static double overlap(const struct part *p, double from, double to)
{
    from = from > p->from ? from : p->from;
    to = to < p->to ? to : p->to;
    return to > from ? to - from : 0;
}

/* Goes through a rank's events once more, and sums up those parts of the path, n of them in order. */
static int add_rank(struct search *s, const struct part *p, size_t n)
{
    struct cs_trace_iter *it = cs_trace_iter_open(s->t, p->rank);
    struct cs_event e;
    double offset = s->r[p->rank].offset, last = offset;
    size_t k = 0;
    int rc = it ? 1 : -1;
    while (rc == 1 && k < n && (rc = cs_trace_iter_next(it, &e)) == 1) {
        double enter = (double)e.t_enter + offset, exit = (double)e.t_exit + offset;
        enter = enter > last ? enter : last;
        exit = exit > enter ? exit : enter;
        double ran = last + ((double)e.t_delay < enter - last ? (double)e.t_delay : enter - last);
        int place = cs_wait_place(s, p->rank, &e);
        if (place < 0)
            rc = -1;
        for (size_t i = k; place >= 0 && i < n && p[i].from < exit; i++) {
            struct cs_wait_place *at = &s->w->place[place];
            s->w->path_delayed += overlap(&p[i], last, ran);
            at->path_before += overlap(&p[i], ran, enter);
            at->path_inside += overlap(&p[i], enter, exit);
        }
        while (k < n && p[k].to <= exit)
            k++;
        last = exit;
    }
    cs_trace_iter_free(it);
    return rc < 0 ? -1 : 0;
}

static struct part *list_parts(const struct search *s, int last, size_t *n)
{
    struct part *p = NULL;
    size_t cap = 0;
    double to = s->w->rank[last].end;
    for (const struct stretch *w = s->r[last].way; w; w = w->before) {
        if (!CS_MAKE_ROOM(p, *n, cap)) {
            free(p);
            return NULL;
        }
        p[(*n)++] = (struct part){.rank = w->rank, .from = w->from, .to = to > w->from ? to : w->from};
        to = w->from;
    }
    return p;
}

int cs_wait_critical_path(struct search *s)
{
    size_t n = 0, end;
    int last = 0, rc = 0;
    for (int r = 1; r < s->nranks; r++)
        last = s->w->rank[r].end > s->w->rank[last].end ? r : last;
    struct part *p = list_parts(s, last, &n);
    if (!p)
        return cs_error_text(s->why, s->whylen, "not enough memory");
    qsort(p, n, sizeof *p, by_rank_and_time);
    for (size_t i = 0; i < n && rc == 0; i = end) {
        for (end = i; end < n && p[end].rank == p[i].rank; end++)
            s->w->rank[p[i].rank].path += p[end].to - p[end].from;
        if (s->user->progress)
            s->user->progress("critical path", p[i].rank, s->nranks);
        rc = add_rank(s, &p[i], end - i);
    }
    free(p);
    return rc ? cs_error_text(s->why, s->whylen, "the trace cannot be read again") : 0;
}
