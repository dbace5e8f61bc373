/* SPDX-License-Identifier: BSD-3-Clause
 * Reads what a value was, and finds an expression for it; recorded_value.h. */
#define _GNU_SOURCE 1
#include "base/recorded_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expression.h"
#include "base/grow.h"
#include "base/recorded_near.h"
#include "base/recorded_rule.h"

/* Reads "10,12,14" or "7,(0,2)x150"; false: memory is out. */
static bool read_in_order(const char **at, struct cs_recorded_rank *r)
{
    *r = (struct cs_recorded_rank){.in_order = true};
    if (!cs_series_read(&r->each, at))
        return false;
    r->mean = llround(cs_series_mean(&r->each));
    return true;
}

/* Reads "12", "10,12,14", "(0,2)x150", "10:12:14" or "-"; false at the end, and where memory is out, which sets *whole
 * to false. */
static bool read_rank(const char **at, long long mean, struct cs_recorded_rank *r, bool *whole)
{
    long long least, middle, most;
    int used = 0;
    if (sscanf(*at, " %lld:%lld:%lld%n", &least, &middle, &most, &used) == 3 && used)
        *r = (struct cs_recorded_rank){.mean = middle};
    else if (!strncmp(*at, " (", 2) || (sscanf(*at, " %lld%n", &middle, &used) == 1 && (*at)[used] == ',')) {
        ++*at;
        return *whole = read_in_order(at, r);
    } else if (used)
        *r = (struct cs_recorded_rank){.mean = middle, .constant = true};
    else if (!strncmp(*at, " -", 2)) {
        *r = (struct cs_recorded_rank){.mean = mean, .constant = true};
        used = 2;
    } else
        return false;
    *at += used;
    return true;
}

bool cs_recorded_value_read(struct cs_recorded_value *v, const char *line, bool *is)
{
    const char *was = strstr(line, " was "), *rank = strstr(line, "; by rank");
    size_t cap = 0, n = 0;
    struct cs_recorded_rank r;
    bool whole = true;
    *v = (struct cs_recorded_value){0};
    *is = was && rank &&
          sscanf(was, " was %lld to %lld, %lld in the mean, %lld times", &v->least, &v->most, &v->mean, &v->times) == 4;
    if (!*is)
        return true;
    v->decided = strstr(was, " times, by messages that came;");
    v->polled = v->decided || strstr(was, " times, as messages came;");
    v->place = strndup(line, (size_t)(was - line));
    for (rank += strlen("; by rank"); v->place && read_rank(&rank, v->mean, &r, &whole);) {
        if (!CS_MAKE_ROOM(v->by_rank, n, cap))
            return false;
        v->by_rank[n++] = r;
        v->nranks = (int)n;
    }
    return v->place && whole;
}

void cs_recorded_value_free(struct cs_recorded_value *v)
{
    if (v->also)
        cs_recorded_value_free(v->also);
    free(v->also);
    free(v->place);
    for (int i = 0; i < v->nranks; i++)
        cs_series_free(&v->by_rank[i].each);
    free(v->by_rank);
}

/* Is it known what it was each time, in this run and the others of the chain? */
static bool known(const struct cs_recorded_value *v)
{
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++)
            if (v->decided || (!v->by_rank[i].constant && !v->by_rank[i].in_order))
                return false;
    return true;
}

/* Is there a rule for any number of ranks? Writes it, if so. */
static bool print_rule(FILE *f, const struct cs_recorded_value *v)
{
    return known(v) && cs_recorded_rule(f, v);
}

/* Did each rank have what the first one had? */
static bool same_on_all(const struct cs_recorded_value *v)
{
    const struct cs_recorded_rank *a = v->by_rank;
    for (const struct cs_recorded_rank *b = a + 1; b < a + v->nranks; b++)
        if (a->mean != b->mean || a->in_order != b->in_order || !cs_series_same(&a->each, &b->each))
            return false;
    return true;
}

/* Has an expression room for what each rank had? */
static bool has_room(const struct cs_recorded_value *v)
{
    enum { MOST = CS_EXPR_NODES / 2 - 8 };
    int64_t room = 0;
    for (int i = 0; i < v->nranks; i++)
        room += cs_series_room(&v->by_rank[i].each);
    return room <= MOST || (same_on_all(v) && cs_series_room(&v->by_rank[0].each) <= MOST);
}

bool cs_recorded_value_exact(const struct cs_recorded_value *v)
{
    if (!v->any_size)
        return known(v) && has_room(v);
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    bool found = f && print_rule(f, v);
    if (f)
        fclose(f);
    free(text);
    return found;
}

/* Was it always the same on each rank? */
static bool constant(const struct cs_recorded_value *v)
{
    for (int i = 0; i < v->nranks; i++)
        if (!v->by_rank[i].constant)
            return false;
    return true;
}

/* Is a number enough for all ranks: are their means within a tenth of the mean of all? */
static bool alike(const struct cs_recorded_value *v)
{
    enum { TENTH = 10 };
    for (const struct cs_recorded_value *run = v; run; run = run->also)
        for (int i = 0; i < run->nranks; i++)
            if (TENTH * llabs(run->by_rank[i].mean - v->mean) > llabs(v->mean))
                return false;
    return true;
}

bool cs_recorded_value_polled(const struct cs_recorded_value *v)
{
    bool any = false;
    for (; v; v = v->also)
        any |= v->polled;
    return any;
}

bool cs_recorded_value_spreads(const struct cs_recorded_value *v)
{
    return !cs_recorded_value_exact(v) && (cs_recorded_value_polled(v) || v->most - v->least > llabs(v->mean));
}

/* Does the number of the rank make the value, by the same step from each rank to the next? */
static bool linear(const struct cs_recorded_value *v)
{
    for (int i = 2; i < v->nranks; i++)
        if (v->by_rank[i].mean - v->by_rank[i - 1].mean != v->by_rank[1].mean - v->by_rank[0].mean)
            return false;
    return v->nranks > 2 && constant(v);
}

/* ---- what a rank had in its order ---- */

/* Does each value come by the same step from the one before? */
static bool steps(const struct cs_recorded_rank *r)
{
    const int64_t *a = r->each.value;
    for (int i = 2; i < r->each.n; i++)
        if (a[i] - a[i - 1] != a[1] - a[0])
            return false;
    return r->each.n > 2 && r->each.n == r->each.times;
}

void cs_recorded_rank_print(FILE *f, const struct cs_recorded_rank *r)
{
    const int64_t *a = r->each.value;
    if (!r->in_order)
        fprintf(f, "%lld", r->mean);
    else if (steps(r))
        fprintf(f, "%lld+%lld*iteration", (long long)a[0], (long long)(a[1] - a[0]));
    else
        cs_series_expression(f, &r->each);
}

/* ---- the expression ---- */

/* More ranks than an expression has room for. */
static bool too_many(const struct cs_recorded_value *v)
{
    enum { MOST_RANKS = 400 };
    return v->nranks > MOST_RANKS;
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

/* What all runs were near to; nothing, if they were not. Loops and conditions that are nearly so lead the program where
 * it never was, and out of its arrays, but for loops that all ranks go round together. */
static void print_near(FILE *f, const struct cs_recorded_value *v)
{
    bool value = !strchr(v->place, '='), spreads = v->most - v->least > llabs(v->mean);
    if (!value && ends_in(v->place, "=N"))
        cs_recorded_near_trips(f, v);
    else if (value && !cs_recorded_near(f, v) && !spreads && alike(v) && !known(v))
        fprintf(f, "%lld", v->mean);
}

static void print_for_any_size(FILE *f, const struct cs_recorded_value *v)
{
    if (!print_rule(f, v) && !cs_recorded_value_polled(v))
        print_near(f, v);
}

static void print_expression(FILE *f, const struct cs_recorded_value *v)
{
    if (v->any_size) {
        print_for_any_size(f, v);
        return;
    }
    bool exact = cs_recorded_value_exact(v);
    if (v->least == v->most || !v->nranks || too_many(v) || (!exact && alike(v)))
        fprintf(f, "%lld", v->least == v->most ? v->least : v->mean);
    else if (linear(v))
        fprintf(f, "%lld+%lld*rank", v->by_rank[0].mean, v->by_rank[1].mean - v->by_rank[0].mean);
    else if (exact && same_on_all(v))
        cs_recorded_rank_print(f, v->by_rank);
    else {
        fputs("pick(rank", f);
        for (int i = 0; i < v->nranks; i++) {
            fputc(',', f);
            cs_recorded_rank_print(f, &v->by_rank[i]);
        }
        fputc(')', f);
    }
}

char *cs_recorded_value_expression(const struct cs_recorded_value *v)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    print_expression(f, v);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

char *cs_recorded_value_find(FILE *info, const char *place, size_t n)
{
    char *line = NULL, *found = NULL;
    size_t size = 0;
    while (!found && getline(&line, &size, info) > 0) {
        struct cs_recorded_value v;
        bool is;
        bool whole = cs_recorded_value_read(&v, line + strspn(line, " "), &is);
        if (whole && is && strlen(v.place) == n && !strncmp(v.place, place, n))
            found = cs_recorded_value_expression(&v);
        cs_recorded_value_free(&v);
    }
    free(line);
    return found;
}
