/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of intervals.h, by file and line of both call sites. In the trace of an original, call sites are addresses,
 * which its debug information resolves; that of a slice has lines. */
#define _GNU_SOURCE 1
#include "cli/show/intervals.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "cli/frame/cli.h"
#include "cli/show/open_trace.h"
#include "reading/locations.h"

/* All gaps between calls from two places. */
struct interval {
    double sum; /* ns */
    int64_t n;
    UT_hash_handle hh;
    char key[]; /* "a.c:10>a.c:20", or ">a.c:20" for all that end there */
};

/* Computation between two call sites, summed over a recorded run: a hash table by the two places. answers: how many
 * questions were answered by both sites, by the second one, and not at all. */
struct cs_intervals {
    struct interval *intervals;
    struct cs_locations *places;
    int nranks;
    int64_t answers[3];
};

static void name(struct cs_intervals *v, const struct cs_site *s, char *to, size_t len)
{
    struct cs_source_location p = s ? cs_locations_find(v->places, s) : (struct cs_source_location){0};
    const char *base = p.file ? strrchr(p.file, '/') : NULL;
    snprintf(to, len, "%s:%d", base ? base + 1 : p.file ? p.file : "", p.line);
}

static struct interval *find(const struct cs_intervals *v, const char *key)
{
    struct interval *i;
    HASH_FIND_STR(v->intervals, key, i);
    return i;
}

static int add(struct cs_intervals *v, const char *key, double ns)
{
    struct interval *i = find(v, key);
    if (!i) {
        i = calloc(1, sizeof *i + strlen(key) + 1);
        if (!i)
            return -1;
        strcpy(i->key, key);
        HASH_ADD_STR(v->intervals, key, i);
    }
    i->sum += ns;
    i->n++;
    return 0;
}

static int add_rank(struct cs_intervals *v, const struct cs_trace *t, int rank)
{
    struct cs_trace_iter *it = cs_trace_iter_open(t, rank);
    struct cs_event e;
    char from[300] = "", to[300], pair[640], end[320];
    int64_t last = -1;
    int rc = it ? 1 : -1;
    while (rc == 1 && (rc = cs_trace_iter_next(it, &e)) == 1) {
        name(v, e.site >= 0 ? cs_trace_site(t, rank, e.site) : NULL, to, sizeof to);
        snprintf(pair, sizeof pair, "%s>%s", from, to);
        snprintf(end, sizeof end, ">%s", to);
        double gap = last < 0 || e.t_enter - last < e.t_delay ? 0 : (double)(e.t_enter - last - e.t_delay);
        if (last >= 0 && (add(v, pair, gap) || add(v, end, gap)))
            rc = -1;
        last = e.t_exit;
        memcpy(from, to, sizeof from);
    }
    cs_trace_iter_free(it);
    return rc;
}

struct cs_intervals *cs_intervals_read(const char *path)
{
    struct cs_trace *t = cs_open_trace(path);
    struct cs_intervals *v = t ? calloc(1, sizeof *v) : NULL;
    bool fine = v && (v->places = cs_locations_new());
    if (t && !fine)
        cs_error("not enough memory");
    if (fine && !cs_trace_info(t)->with_times) {
        cs_error("%s: has no times", path);
        fine = false;
    }
    if (fine)
        v->nranks = cs_trace_info(t)->nranks;
    for (int r = 0; fine && r < v->nranks; r++) {
        fine = add_rank(v, t, r) == 0;
        if (!fine)
            cs_error("%s: rank %d cannot be read", path, r);
    }
    cs_trace_free(t);
    if (!fine) {
        cs_intervals_free(v);
        v = NULL;
    }
    return v;
}

void cs_intervals_free(struct cs_intervals *v)
{
    struct interval *i, *next;
    if (!v)
        return;
    HASH_ITER (hh, v->intervals, i, next) {
        HASH_DEL(v->intervals, i);
        free(i);
    }
    cs_locations_free(v->places);
    free(v);
}

int cs_intervals_nranks(const struct cs_intervals *v)
{
    return v->nranks;
}

double cs_intervals_ns(struct cs_intervals *v, const struct cs_site *from, const struct cs_site *to)
{
    char a[300] = "", b[300], pair[640];
    if (from)
        name(v, from, a, sizeof a);
    name(v, to, b, sizeof b);
    snprintf(pair, sizeof pair, "%s>%s", a, b);
    struct interval *i = find(v, pair);
    int answer = i ? 0 : 1;
    if (!i)
        i = find(v, strchr(pair, '>'));
    v->answers[i ? answer : 2]++;
    return i ? i->sum / (double)i->n : -1;
}

void cs_intervals_answers(const struct cs_intervals *v, int64_t answers[3])
{
    memcpy(answers, v->answers, sizeof v->answers);
}
