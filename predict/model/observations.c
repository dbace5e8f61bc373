/* SPDX-License-Identifier: BSD-3-Clause
 * Collects observations; see observations.h. */
#include "predict/model/observations.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/error_text.h"
#include "base/grow.h"
#include "base/tape_file.h"
#include "predict/model/pieces.h"
#include "predict/model/run_variation.h"

/* A site, counter or segment by a text that no other has. */
struct cs_name {
    char *text;
    int number;
    UT_hash_handle hh;
};

const char *cs_method_name(enum cs_method m)
{
    static const char *const names[] = {"segments", "counters", "analytic"};
    assert(m < CS_METHODS);
    return names[m];
}

enum cs_method cs_method_find(const char *name)
{
    enum cs_method m = CS_METHOD_SEGMENTS;
    while (m < CS_METHODS && strcmp(cs_method_name(m), name) != 0)
        m++;
    return m;
}

/* ---- names ---- */

static int find_name(const struct cs_observations *o, const char *text)
{
    struct cs_name *n;
    HASH_FIND_STR(o->names, text, n);
    return n ? n->number : -1;
}

/* Takes the text over. 0, or -1: no memory. */
static int add_name(struct cs_observations *o, char *text, int number)
{
    struct cs_name *n = text ? malloc(sizeof *n) : NULL;
    if (!n) {
        free(text);
        return -1;
    }
    *n = (struct cs_name){.text = text, .number = number};
    HASH_ADD_KEYPTR(hh, o->names, n->text, strlen(n->text), n);
    return 0;
}

static const char *text_of(const char *s)
{
    return s ? s : "";
}

/* A text made of a place; to be freed. NULL: no memory. */
static char *place_text(char kind, const char *file, const char *func, int line, int ordinal)
{
    size_t room = strlen(text_of(file)) + strlen(text_of(func)) + 64;
    char *text = malloc(room);
    if (text)
        snprintf(text, room, "%c%d\n%d\n%s\n%s", kind, line, ordinal, text_of(file), text_of(func));
    return text;
}

/* Both texts copied; false: no memory, and none is. */
static bool copy_place(char **file, char **func, const char *from_file, const char *from_func)
{
    *file = strdup(text_of(from_file));
    *func = strdup(text_of(from_func));
    if (*file && *func)
        return true;
    free(*file);
    free(*func);
    return false;
}

int cs_observed_site_find(const struct cs_observations *o, const struct cs_site *s)
{
    char *text = place_text('s', s->file, s->func, s->line, 0);
    int found = text ? find_name(o, text) : -1;
    free(text);
    return found;
}

int cs_observed_site_number(struct cs_observations *o, const struct cs_site *s)
{
    char *text = place_text('s', s->file, s->func, s->line, 0);
    int found = text ? find_name(o, text) : -1;
    struct cs_observed_site new = {.line = s->line};
    if (found >= 0 || !text || !CS_MAKE_ROOM(o->site, o->nsites, o->sites_cap) ||
        !copy_place(&new.file, &new.func, s->file, s->func)) {
        free(text);
        return found;
    }
    o->site[o->nsites] = new;
    return add_name(o, text, o->nsites++) ? -1 : o->nsites - 1;
}

int cs_observed_counter_number(struct cs_observations *o, const struct cs_counter_def *c)
{
    char *text = place_text(c->kind == CS_COUNTER_LOOP ? 'l' : 'b', c->file, c->func, c->line, c->ordinal);
    int found = text ? find_name(o, text) : -1;
    struct cs_observed_counter new = {
        .line = c->line, .ordinal = c->ordinal, .kind = c->kind, .counted = c->counted, .named = true};
    if (found >= 0) {
        o->counter[found].counted &= c->counted;
        o->counter[found].named = true;
    }
    if (found >= 0 || !text || !CS_MAKE_ROOM(o->counter, o->ncounters, o->counters_cap) ||
        !copy_place(&new.file, &new.func, c->file, c->func)) {
        free(text);
        return found;
    }
    o->counter[o->ncounters] = new;
    return add_name(o, text, o->ncounters++) ? -1 : o->ncounters - 1;
}

static void segment_text(char text[32], int from, int to)
{
    snprintf(text, 32, "w%d %d", from, to);
}

int cs_observed_segment_find(const struct cs_observations *o, int from, int to)
{
    char text[32];
    segment_text(text, from, to);
    return find_name(o, text);
}

int cs_observed_segment_number(struct cs_observations *o, int from, int to)
{
    char text[32];
    int found = cs_observed_segment_find(o, from, to);
    assert(from < o->nsites && to < o->nsites);
    if (found >= 0 || !CS_MAKE_ROOM(o->segment, o->nsegments, o->segments_cap))
        return found;
    segment_text(text, from, to);
    o->segment[o->nsegments] = (struct cs_observed_segment){.from = from, .to = to};
    return add_name(o, strdup(text), o->nsegments++) ? -1 : o->nsegments - 1;
}

/* ---- rows ---- */

int cs_observed_add_run(struct cs_observations *o, const char *name, int nranks, bool with_times)
{
    if (!CS_MAKE_ROOM(o->run, o->nruns, o->runs_cap))
        return -1;
    struct cs_observed_run r = {.name = strdup(name), .nranks = nranks, .with_times = with_times};
    if (!r.name)
        return -1;
    o->run[o->nruns++] = r;
    return 0;
}

int cs_observed_add_row(struct cs_observations *o, int segment, const struct cs_observed_row *row)
{
    struct cs_observed_segment *s = &o->segment[segment];
    assert(segment >= 0 && segment < o->nsegments && row->run >= 0 && row->run < o->nruns && row->times > 0);
    if (!CS_MAKE_ROOM(s->row, s->nrows, s->rows_cap))
        return -1;
    s->row[s->nrows++] = *row;
    return 0;
}

int cs_observed_add_variation(struct cs_observed_segment *s, const struct cs_variation *v)
{
    if (!CS_MAKE_ROOM(s->varied, s->nvaried, s->varied_cap))
        return -1;
    s->varied[s->nvaried++] = *v;
    return 0;
}

double cs_observed_mean(const struct cs_observed_row *row, int counter)
{
    int low = 0, high = row->ncounts;
    while (low < high) {
        int mid = (low + high) / 2;
        if (row->count[mid].counter < counter)
            low = mid + 1;
        else
            high = mid;
    }
    return low < row->ncounts && row->count[low].counter == counter ? row->count[low].mean : 0;
}

/* ---- traces ---- */

/* The numbers that the sites and counters of a rank have among all. */
struct numbering {
    int *site, *counter;
};

static int by_counter(const void *a, const void *b)
{
    const struct cs_observed_count *x = a, *y = b;
    return (x->counter > y->counter) - (x->counter < y->counter);
}

static int observe_segment(struct cs_observations *o, const struct cs_segment *s, const struct numbering *n, int run,
                           int rank)
{
    int number = cs_observed_segment_number(o, s->from < 0 ? -1 : n->site[s->from], s->to < 0 ? -1 : n->site[s->to]);
    struct cs_observed_row row = {.run = run, .rank = rank, .times = (double)s->times, .ncounts = s->nsums};
    if (number < 0 || !(row.count = malloc(((size_t)s->nsums + 1) * sizeof *row.count)))
        return -1;
    row.ns = (double)s->ns / row.times;
    for (int i = 0; i < s->nsums; i++)
        row.count[i] = (struct cs_observed_count){n->counter[s->sum[i].counter], (double)s->sum[i].sum / row.times};
    qsort(row.count, (size_t)row.ncounts, sizeof *row.count, by_counter);
    if (cs_observed_add_row(o, number, &row) == 0)
        return 0;
    free(row.count);
    return -1;
}

static int observe_rank(struct cs_observations *o, const struct cs_trace *t, int run, int rank)
{
    int nsites = 0, ncounters = cs_trace_ncounters(t, rank), rc = -1;
    while (cs_trace_site(t, rank, nsites))
        nsites++;
    struct numbering n = {malloc(((size_t)nsites + 1) * sizeof *n.site),
                          malloc(((size_t)ncounters + 1) * sizeof *n.counter)};
    if (!n.site || !n.counter)
        goto out;
    for (int i = 0; i < nsites; i++)
        if ((n.site[i] = cs_observed_site_number(o, cs_trace_site(t, rank, i))) < 0)
            goto out;
    for (int i = 0; i < ncounters; i++)
        if ((n.counter[i] = cs_observed_counter_number(o, cs_trace_counter(t, rank, i))) < 0)
            goto out;
    for (int i = 0; i < cs_trace_nsegments(t, rank); i++)
        if (cs_trace_segment(t, rank, i)->times > 0 && observe_segment(o, cs_trace_segment(t, rank, i), &n, run, rank))
            goto out;
    rc = cs_trace_replayed(t) == rank ? cs_replay_add(o, t, run, rank, n.site) : 0;
out:
    free(n.site);
    free(n.counter);
    return rc;
}

double cs_recorded_seconds(const struct cs_trace *t)
{
    int64_t most = 0;
    for (int r = 0; cs_trace_info(t)->with_times && r < cs_trace_info(t)->nranks; r++) {
        struct cs_trace_iter *it = cs_trace_iter_open(t, r);
        struct cs_event e;
        int64_t last = 0, first = -1;
        while (it && cs_trace_iter_next(it, &e) == 1) {
            first = first < 0 ? e.t_exit : first;
            last = e.t_enter;
        }
        most = last - first > most ? last - first : most;
        cs_trace_iter_free(it);
    }
    return (double)most * 1e-9;
}

/* The run of whose ranks this is a replay, by the name of its tapes (TAPE.RANK without the rank); malloced. NULL: no
 * memory. */
static char *replayed_run(const struct cs_trace *t)
{
    char *name = strdup(cs_trace_info(t)->engine + strlen(CS_ENGINE_REPLAY)), *dot = name ? strrchr(name, '.') : NULL;
    if (dot)
        *dot = 0;
    return name;
}

/* The run of that name, or -1. */
static int find_run(const struct cs_observations *o, const char *name, int nranks)
{
    for (int i = 0; i < o->nruns; i++)
        if (o->run[i].replayed && o->run[i].nranks == nranks && strcmp(o->run[i].name, name) == 0)
            return i;
    return -1;
}

/* The number of the run that the trace's rows are of: a new one, or that of a replay's other ranks. -1: no memory. */
static int run_of(struct cs_observations *o, const struct cs_trace *t, const char *name)
{
    const struct cs_run_info *info = cs_trace_info(t);
    char *tapes = cs_trace_replayed(t) >= 0 ? replayed_run(t) : NULL;
    int run = tapes ? find_run(o, tapes, info->nranks) : -1;
    if (run < 0 && cs_observed_add_run(o, tapes ? tapes : name, info->nranks, info->with_times) == 0) {
        run = o->nruns - 1;
        o->run[run].replayed = tapes != NULL;
    }
    free(tapes);
    return run;
}

int cs_observe(struct cs_observations *o, const struct cs_trace *t, const char *name, char *why, size_t whylen)
{
    const struct cs_run_info *info = cs_trace_info(t);
    int only = cs_trace_replayed(t);
    for (int r = 0; r < info->nranks; r++) {
        if (only >= 0 && r != only)
            continue;
        if (cs_trace_rank_state(t, r) != CS_RANK_COMPLETE)
            return cs_error_text(why, whylen, "rank %d has not reached MPI_Finalize", r);
        if (cs_trace_nsegments(t, r) == 0)
            return cs_error_text(why, whylen, "has no counters: link the program with -fplugin-arg-commslice-count");
    }
    bool first = o->nruns == 0;
    int run = run_of(o, t, name);
    if (run < 0)
        return cs_error_text(why, whylen, "not enough memory");
    for (int i = 0; i < o->ncounters; i++)
        o->counter[i].named = false;
    for (int r = 0; r < info->nranks; r++)
        if ((only < 0 || r == only) && observe_rank(o, t, run, r))
            return cs_error_text(why, whylen, "not enough memory");
    for (int i = 0; i < o->ncounters && !first; i++)
        o->counter[i].counted &= o->counter[i].named;
    if (info->with_times && only < 0 && cs_observe_variation(o, t))
        return cs_error_text(why, whylen, "not enough memory");
    o->run[run].whole = only < 0 ? cs_recorded_seconds(t) : 0; /* a replay waits for nobody */
    return 0;
}

static int by_run_rank_time(const void *a, const void *b)
{
    const struct cs_observed_row *x = a, *y = b;
    return x->run != y->run     ? x->run - y->run
           : x->rank != y->rank ? x->rank - y->rank
                                : (x->ns > y->ns) - (x->ns < y->ns);
}

/* Of n rows of one rank, which stand in order of their times, keeps the middle one, as first of them. */
static void keep_median(struct cs_observed_row *row, int n)
{
    struct cs_observed_row middle = row[n / 2];
    if (n % 2 == 0)
        middle.ns = (row[n / 2 - 1].ns + middle.ns) / 2;
    for (int i = 0; i < n; i++)
        if (i != n / 2)
            free(row[i].count);
    row[0] = middle;
}

void cs_observed_join_replays(struct cs_observations *o)
{
    for (int i = 0; i < o->nsegments; i++) {
        struct cs_observed_segment *s = &o->segment[i];
        int kept = 0;
        qsort(s->row, (size_t)s->nrows, sizeof *s->row, by_run_rank_time);
        for (int k = 0, next; k < s->nrows; k = next) {
            for (next = k + 1;
                 next < s->nrows && s->row[next].run == s->row[k].run && s->row[next].rank == s->row[k].rank;)
                next++;
            keep_median(s->row + k, next - k);
            double least = cs_replayed_ns(o, i, s->row[k].run, s->row[k].rank, &s->row[k].first);
            if (least >= 0)
                s->row[k].ns = least / s->row[k].times;
            s->row[kept++] = s->row[k];
        }
        s->nrows = kept;
    }
}

void cs_observations_free(struct cs_observations *o)
{
    struct cs_name *n, *next;
    for (int i = 0; i < o->nsites; i++) {
        free(o->site[i].file);
        free(o->site[i].func);
    }
    for (int i = 0; i < o->ncounters; i++) {
        free(o->counter[i].file);
        free(o->counter[i].func);
    }
    for (int i = 0; i < o->nsegments; i++) {
        for (int k = 0; k < o->segment[i].nrows; k++)
            free(o->segment[i].row[k].count);
        free(o->segment[i].row);
        free(o->segment[i].varied);
    }
    for (int i = 0; i < o->nruns; i++)
        free(o->run[i].name);
    cs_replays_free(o);
    HASH_ITER (hh, o->names, n, next) {
        HASH_DEL(o->names, n);
        free(n->text);
        free(n);
    }
    free(o->site);
    free(o->counter);
    free(o->segment);
    free(o->run);
    *o = (struct cs_observations){0};
}
