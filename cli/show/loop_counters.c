/* SPDX-License-Identifier: BSD-3-Clause
 * Prints counters; loop_counters.h. All ranks run one program, so they have the same counters, and those of rank 0
 * (of a replay: its only rank) stand for all. */
#include "cli/show/loop_counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/frame/text.h"
#include "cli/show/readable.h"
#include "trace/counters.h"

#define SHOWN 20 /* loops that are not counted, unless --all */

/* The sums of all counters by rank: sum[rank * n + counter]. */
struct sums {
    int n, nranks, shown; /* shown: the rank whose counters stand for all */
    uint64_t *sum;
};

static bool same_counter(const struct cs_counter_def *a, const struct cs_counter_def *b)
{
    return a->line == b->line && a->ordinal == b->ordinal && a->kind == b->kind && a->counted == b->counted &&
           !strcmp(a->file, b->file) && !strcmp(a->func, b->func);
}

static bool same_counters(const struct cs_trace *t, int rank, int first)
{
    int n = cs_trace_ncounters(t, first);
    if (cs_trace_ncounters(t, rank) != n)
        return false;
    for (int i = 0; i < n; i++)
        if (!same_counter(cs_trace_counter(t, first, i), cs_trace_counter(t, rank, i)))
            return false;
    return true;
}

static int sum_up(const struct cs_trace *t, const char *path, struct sums *s)
{
    int only = cs_trace_replayed(t);
    s->shown = only < 0 ? 0 : only;
    s->n = cs_trace_ncounters(t, s->shown);
    s->nranks = cs_trace_info(t)->nranks;
    if (!s->n)
        return cs_error(
            "%s: no counters: link with -fplugin-arg-commslice-counters or mode=counted, and run to the end", path);
    s->sum = calloc((size_t)s->n * (size_t)s->nranks, sizeof *s->sum);
    if (!s->sum)
        return cs_error("%s: not enough memory", path);
    for (int r = 0; r < s->nranks; r++) {
        if (only >= 0 && r != only)
            continue;
        if (!same_counters(t, r, s->shown))
            return cs_error("%s: rank %d does not have the counters of rank 0", path, r);
        for (int i = 0; i < cs_trace_nsegments(t, r); i++) {
            const struct cs_segment *g = cs_trace_segment(t, r, i);
            for (int k = 0; k < g->nsums; k++)
                s->sum[(int64_t)r * s->n + g->sum[k].counter] += g->sum[k].sum;
        }
    }
    return CS_EXIT_OK;
}

/* ---- text ---- */

static void put_place(const char *file, int line, const char *func, int ordinal)
{
    char nr[16] = "";
    if (ordinal)
        snprintf(nr, sizeof nr, " (%d)", ordinal + 1);
    fputs("  ", stdout);
    cs_put_plain(stdout, file);
    printf(":%d%s in ", line, nr);
    cs_put_name(stdout, func);
    putchar('\n');
}

static void print_counter(const struct cs_counter_def *d, const struct sums *s, int i)
{
    uint64_t sum = 0, least = UINT64_MAX, most = 0;
    for (int r = 0; r < s->nranks; r++) {
        uint64_t v = s->sum[(int64_t)r * s->n + i];
        sum += v;
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    printf("%16" PRIu64 " %14" PRIu64 " %14" PRIu64, sum, least, most);
    put_place(d->file, d->line, d->func, d->ordinal);
}

static void print_text(const struct cs_trace *t, const struct sums *s)
{
    int lost = 0;
    printf("%16s %14s %14s  loop\n", "iterations", "least a rank", "most a rank");
    for (int i = 0; i < s->n; i++) {
        const struct cs_counter_def *d = cs_trace_counter(t, s->shown, i);
        lost += !d->counted;
        if (d->counted)
            print_counter(d, s, i);
    }
    if (lost)
        puts("loops that are not counted, as they depend on what the slice leaves out:");
    for (int i = 0; i < s->n; i++) {
        const struct cs_counter_def *d = cs_trace_counter(t, s->shown, i);
        if (!d->counted)
            put_place(d->file, d->line, d->func, d->ordinal);
    }
}

/* ---- JSON ---- */

static void json_counter(struct cs_json *j, const struct cs_counter_def *d, const struct sums *s, int i)
{
    cs_json_open(j, NULL, '{');
    cs_json_string(j, "file", d->file);
    cs_json_int(j, "line", d->line);
    cs_json_string(j, "func", d->func);
    cs_json_int(j, "ordinal", d->ordinal);
    cs_json_bool(j, "counted", d->counted);
    cs_json_open(j, "iterations", '[');
    for (int r = 0; d->counted && r < s->nranks; r++)
        cs_json_int(j, NULL, (int64_t)s->sum[(int64_t)r * s->n + i]);
    cs_json_close(j, ']');
    cs_json_close(j, '}');
}

static void json_site(struct cs_json *j, const char *key, const struct cs_trace *t, int rank, int site)
{
    char text[4200];
    const struct cs_site *at = site >= 0 ? cs_trace_site(t, rank, site) : NULL;
    if (!at) {
        cs_json_null(j, key);
        return;
    }
    snprintf(text, sizeof text, "%s:%d", at->file, at->line);
    cs_json_string(j, key, text);
}

static void json_segment(struct cs_json *j, const struct cs_trace *t, int rank, const struct cs_segment *g)
{
    cs_json_open(j, NULL, '{');
    cs_json_int(j, "rank", rank);
    json_site(j, "from", t, rank, g->from);
    json_site(j, "to", t, rank, g->to);
    cs_json_int(j, "times", g->times);
    cs_json_int(j, "ns", g->ns);
    cs_json_open(j, "sums", '[');
    for (int k = 0; k < g->nsums; k++) {
        cs_json_open(j, NULL, '[');
        cs_json_int(j, NULL, g->sum[k].counter);
        cs_json_int(j, NULL, (int64_t)g->sum[k].sum);
        cs_json_close(j, ']');
    }
    cs_json_close(j, ']');
    cs_json_close(j, '}');
}

static void print_json(const struct cs_trace *t, const struct sums *s)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_open(&j, "counters", '[');
    for (int i = 0; i < s->n; i++)
        json_counter(&j, cs_trace_counter(t, s->shown, i), s, i);
    cs_json_close(&j, ']');
    cs_json_open(&j, "segments", '[');
    for (int r = 0; r < s->nranks; r++)
        for (int i = 0; i < cs_trace_nsegments(t, r); i++)
            json_segment(&j, t, r, cs_trace_segment(t, r, i));
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

int cs_counters_print(const struct cs_trace *t, const char *path, bool json)
{
    struct sums s = {0};
    int code = sum_up(t, path, &s);
    if (code == CS_EXIT_OK && json)
        print_json(t, &s);
    else if (code == CS_EXIT_OK)
        print_text(t, &s);
    free(s.sum);
    return code;
}

void cs_counters_print_slice(const struct cs_slice_info *s, bool all)
{
    size_t lost = 0, shown = 0;
    for (size_t i = 0; i < s->ncounters; i++)
        lost += !s->counter[i].counted;
    if (s->ncounters)
        printf("loops that are counted: %zu of %zu%s\n", s->ncounters - lost, s->ncounters, lost ? "; not these:" : "");
    for (size_t i = 0; i < s->ncounters && (all || shown < SHOWN); i++) {
        const struct cs_slice_counter *c = &s->counter[i];
        if (c->counted)
            continue;
        put_place(c->file, c->line, c->func, c->ordinal);
        shown++;
    }
    if (shown < lost)
        printf("  ... %zu more (--all)\n", lost - shown);
}
