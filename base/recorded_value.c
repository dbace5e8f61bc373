/* SPDX-License-Identifier: BSD-3-Clause
 * Reads what a value was, and finds an expression for it; recorded_value.h. */
#define _GNU_SOURCE 1
#include "base/recorded_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Reads "12", "10:12:14" or "-"; false at the end. */
static bool read_rank(const char **at, long long mean, struct cs_recorded_rank *r)
{
    long long least, middle, most;
    int used = 0;
    if (sscanf(*at, " %lld:%lld:%lld%n", &least, &middle, &most, &used) == 3 && used)
        *r = (struct cs_recorded_rank){middle, false};
    else if (sscanf(*at, " %lld%n", &middle, &used) == 1 && used)
        *r = (struct cs_recorded_rank){middle, true};
    else if (!strncmp(*at, " -", 2)) {
        *r = (struct cs_recorded_rank){mean, true};
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
    *v = (struct cs_recorded_value){0};
    *is = was && rank &&
          sscanf(was, " was %lld to %lld, %lld in the mean, %lld times", &v->least, &v->most, &v->mean, &v->times) == 4;
    if (!*is)
        return true;
    v->place = strndup(line, (size_t)(was - line));
    for (rank += strlen("; by rank"); v->place && read_rank(&rank, v->mean, &r);) {
        if (!CS_MAKE_ROOM(v->by_rank, n, cap))
            return false;
        v->by_rank[n++] = r;
    }
    v->nranks = (int)n;
    return v->place;
}

void cs_recorded_value_free(struct cs_recorded_value *v)
{
    free(v->place);
    free(v->by_rank);
}

bool cs_recorded_value_exact(const struct cs_recorded_value *v)
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
    for (int i = 0; i < v->nranks; i++)
        if (TENTH * llabs(v->by_rank[i].mean - v->mean) > llabs(v->mean))
            return false;
    return true;
}

/* Does the number of the rank make the value, by the same step from each rank to the next? */
static bool linear(const struct cs_recorded_value *v)
{
    for (int i = 2; i < v->nranks; i++)
        if (v->by_rank[i].mean - v->by_rank[i - 1].mean != v->by_rank[1].mean - v->by_rank[0].mean)
            return false;
    return v->nranks > 2 && cs_recorded_value_exact(v);
}

char *cs_recorded_value_expression(const struct cs_recorded_value *v)
{
    enum { MOST_RANKS = 400 }; /* an expression has room for some more */
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    if (v->least == v->most || !v->nranks || v->nranks > MOST_RANKS || (!cs_recorded_value_exact(v) && alike(v)))
        fprintf(f, "%lld", v->least == v->most ? v->least : v->mean);
    else if (linear(v))
        fprintf(f, "%lld+%lld*rank", v->by_rank[0].mean, v->by_rank[1].mean - v->by_rank[0].mean);
    else {
        fputs("pick(rank", f);
        for (int i = 0; i < v->nranks; i++)
            fprintf(f, ",%lld", v->by_rank[i].mean);
        fputc(')', f);
    }
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
