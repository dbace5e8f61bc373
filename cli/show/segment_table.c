/* SPDX-License-Identifier: BSD-3-Clause
 * Prints segments; see segment_table.h. */
#include "cli/show/segment_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/json.h"
#include "cli/frame/text.h"

/* Shares below this are summed up. */
static const double SMALL = 0.01;

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void site_name(const struct cs_observations *o, int site, const char *none, char *buf, size_t len)
{
    if (site < 0)
        snprintf(buf, len, "%s", none);
    else
        snprintf(buf, len, "%s:%d", base_name(o->site[site].file), o->site[site].line);
}

void cs_segment_name(const struct cs_observations *o, int segment, char *buf, size_t len)
{
    char from[256], to[256];
    site_name(o, o->segment[segment].from, "start", from, sizeof from);
    site_name(o, o->segment[segment].to, "end", to, sizeof to);
    snprintf(buf, len, "%s -> %s", from, to);
}

/* Appends to a text as far as it goes. */
__attribute__((format(printf, 3, 4))) static void append(char *buf, size_t len, const char *fmt, ...)
{
    va_list ap;
    size_t at = strlen(buf);
    va_start(ap, fmt);
    vsnprintf(buf + at, len - at, fmt, ap);
    va_end(ap);
}

void cs_segment_formula(const struct cs_observations *o, const struct cs_segment_fit *f, char *buf, size_t len)
{
    *buf = 0;
    if (!f->nrows) {
        append(buf, len, "never measured");
        return;
    }
    if (f->constant > 0 || !f->nterms)
        append(buf, len, "%.3g ns", f->constant);
    for (int i = 0; i < f->nterms; i++) {
        if (f->term[i].counter == CS_TERM_RANKS) {
            append(buf, len, "%s%.3g ns * log2(ranks)", *buf ? " + " : "", f->term[i].ns);
            continue;
        }
        const struct cs_observed_counter *c = &o->counter[f->term[i].counter];
        append(buf, len, "%s%.3g ns * %s at %s:%d", *buf ? " + " : "", f->term[i].ns,
               c->kind == CS_COUNTER_LOOP ? "loop" : "branch", base_name(c->file), c->line);
        if (f->term[i].halves)
            append(buf, len, f->term[i].halves == 1 ? " / sqrt(ranks)" : " / ranks");
    }
    if (f->near.n)
        append(buf, len, ", as measured nearby");
    if (f->cold)
        append(buf, len, "; the first time apart");
    if (f->first)
        append(buf, len, "; rank 0 apart");
}

static int by_share(const void *a, const void *b)
{
    const struct cs_segment_line *x = a, *y = b;
    double p = fmax(x->before, x->after), q = fmax(y->before, y->after);
    return p != q ? (p < q) - (p > q) : x->segment - y->segment;
}

static void print_line(const struct cs_observations *o, const struct cs_segments_model *m,
                       const struct cs_segment_line *l)
{
    char name[560], formula[1024];
    const struct cs_segment_fit *f = &m->fit[l->segment];
    cs_segment_name(o, l->segment, name, sizeof name);
    cs_segment_formula(o, f, formula, sizeof formula);
    printf("%6.1f %%", 100 * l->before);
    if (l->after >= 0)
        printf("  %6.1f %%", 100 * l->after);
    printf("  %5.1f %%  ", 100 * f->spread);
    cs_print_plain(stdout, "%-34s  %s", name, formula);
    if (l->after >= 0 && l->outside > 1.005 && l->outside_counter >= 0)
        cs_print_plain(stdout, "%28s%.3g times outside of what was measured, in the loop at %s:%d", "", l->outside,
                       base_name(o->counter[l->outside_counter].file), o->counter[l->outside_counter].line);
}

void cs_print_segments(const struct cs_observations *o, const struct cs_segments_model *m, struct cs_segment_line *line,
                       int n)
{
    double before = 0, after = 0;
    int rest = 0;
    bool target = n > 0 && line[0].after >= 0;
    qsort(line, (size_t)n, sizeof *line, by_share);
    printf("measured%s  +-       segment of computation              time\n", target ? "  at target" : "");
    for (int i = 0; i < n; i++) {
        if (fmax(line[i].before, line[i].after) >= SMALL) {
            print_line(o, m, &line[i]);
            continue;
        }
        before += line[i].before;
        after += fmax(line[i].after, 0);
        rest++;
    }
    if (rest && target)
        printf("%6.1f %%  %6.1f %%           %d others\n", 100 * before, 100 * after, rest);
    else if (rest)
        printf("%6.1f %%           %d others\n", 100 * before, rest);
}

static void put_formula(struct cs_json *j, const struct cs_observations *o, const struct cs_segment_fit *f)
{
    cs_json_real(j, "constant_ns", f->constant);
    cs_json_open(j, "terms", '[');
    for (int i = 0; i < f->nterms; i++) {
        if (f->term[i].counter == CS_TERM_RANKS) {
            cs_json_open(j, NULL, '{');
            cs_json_real(j, "log2_ranks_ns", f->term[i].ns);
            cs_json_close(j, '}');
            continue;
        }
        const struct cs_observed_counter *c = &o->counter[f->term[i].counter];
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "file", c->file);
        cs_json_int(j, "line", c->line);
        cs_json_string(j, "function", c->func);
        cs_json_real(j, "ns", f->term[i].ns);
        cs_json_real(j, "ranks_power", -0.5 * f->term[i].halves);
        cs_json_real(j, "least", f->term[i].least);
        cs_json_real(j, "most", f->term[i].most);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
    cs_json_bool(j, "nearby", f->near.n > 0);
    cs_json_bool(j, "rank_0_apart", f->first != NULL);
}

void cs_segments_json(struct cs_json *j, const struct cs_observations *o, const struct cs_segments_model *m,
                      const struct cs_segment_line *line, int n)
{
    cs_json_open(j, "segments", '[');
    for (int i = 0; i < n; i++) {
        const struct cs_segment_fit *f = &m->fit[line[i].segment];
        char name[560];
        cs_segment_name(o, line[i].segment, name, sizeof name);
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "segment", name);
        cs_json_real(j, "measured_share", line[i].before);
        if (line[i].after >= 0) {
            cs_json_real(j, "share", line[i].after);
            cs_json_real(j, "mean_s", line[i].mean);
            cs_json_real(j, "outside", line[i].outside);
        }
        cs_json_int(j, "rows", f->nrows);
        cs_json_real(j, "error", f->spread);
        put_formula(j, o, f);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}
