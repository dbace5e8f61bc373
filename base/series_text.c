/* SPDX-License-Identifier: BSD-3-Clause
 * Series of numbers as text and as expressions; value_series.h. In an expression lists that are the same, but for where
 * they begin, are there once. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/value_series.h"

static void print_list(FILE *f, const int64_t *value, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(f, "%s%lld", i ? "," : "", (long long)value[i]);
}

void cs_series_print(FILE *f, const struct cs_series *s)
{
    assert(!s->unknown);
    for (int i = 0; i < s->nruns; i++) {
        const struct cs_series_run *r = &s->run[i];
        int left = (int)(r->times % r->length);
        if (i)
            fputc(',', f);
        if (r->times == r->length) {
            print_list(f, s->value + r->at, r->length);
            continue;
        }
        fputc('(', f);
        print_list(f, s->value + r->at, r->length);
        fprintf(f, ")x%lld%s", (long long)(r->times / r->length), left ? "," : "");
        print_list(f, s->value + r->at, left);
    }
}

/* ---- reading ---- */

static bool new_run(struct cs_series *s)
{
    if (!CS_MAKE_ROOM(s->run, s->nruns, s->cap_runs))
        return false;
    s->run[s->nruns++] = (struct cs_series_run){.at = s->n};
    return true;
}

static bool put(struct cs_series *s, long long v)
{
    if (!CS_MAKE_ROOM(s->value, s->n, s->cap))
        return false;
    s->value[s->n++] = v;
    s->run[s->nruns - 1].times = ++s->run[s->nruns - 1].length;
    return true;
}

/* A number that stands alone: of the list before, if that goes on with it, else of a list that is there once. */
static bool put_single(struct cs_series *s, long long v)
{
    struct cs_series_run *r = s->nruns ? &s->run[s->nruns - 1] : NULL;
    bool repeats = r && r->length < r->times;
    if (repeats && s->value[r->at + (int)(r->times % r->length)] == v) {
        r->times++;
        return true;
    }
    return ((r && !repeats) || new_run(s)) && put(s, v);
}

/* "(0,2)x150" */
static bool read_repeated(struct cs_series *s, const char **at)
{
    long long v, times;
    int used;
    if (!new_run(s))
        return false;
    do {
        used = 0;
        if (sscanf(*at + 1, "%lld%n", &v, &used) != 1 || !used || !put(s, v))
            return false;
        *at += 1 + used;
    } while (**at == ',');
    if (sscanf(*at, ")x%lld%n", &times, &used) != 1 || times < 1)
        return false;
    *at += used;
    s->run[s->nruns - 1].times *= times;
    return true;
}

bool cs_series_read(struct cs_series *s, const char **at)
{
    long long v;
    int used = 0;
    *s = (struct cs_series){0};
    for (;; ++*at) {
        if (**at == '(') {
            if (!read_repeated(s, at))
                return false;
        } else if (sscanf(*at, "%lld%n", &v, &used) != 1 || !put_single(s, v))
            return false;
        else
            *at += used;
        if (**at != ',')
            break;
    }
    for (int i = 0; i < s->nruns; i++)
        s->times += s->run[i].times;
    return true;
}

/* ---- what is known of it ---- */

bool cs_series_same(const struct cs_series *a, const struct cs_series *b)
{
    if (a->n != b->n || a->nruns != b->nruns || (a->n && memcmp(a->value, b->value, (size_t)a->n * sizeof *a->value)))
        return false;
    for (int i = 0; i < a->nruns; i++)
        if (a->run[i].length != b->run[i].length || a->run[i].times != b->run[i].times)
            return false;
    return true;
}

double cs_series_mean(const struct cs_series *s)
{
    double sum = 0;
    for (int i = 0; i < s->nruns; i++)
        for (int k = 0; k < s->run[i].length; k++) {
            const struct cs_series_run *r = &s->run[i];
            sum += (double)s->value[r->at + k] * (double)(r->times / r->length + (k < r->times % r->length));
        }
    return s->times ? sum / (double)s->times : 0;
}

/* ---- expressions ---- */

/* A list of the expression: numbers from `at` on, `length` of them; of each run which list it is, and the place in it
 * where the run's first number is. */
struct lists {
    const struct cs_series *s;
    int n, *at, *length, *which, *turn;
};

/* From which place of the list on does it give the run's numbers? -1: from none. */
static int turned(const struct cs_series *s, const struct cs_series_run *r, int at, int length)
{
    bool whole = r->times > r->length;
    if (whole && r->length != length)
        return -1;
    for (int turn = 0; turn < length; turn++) {
        int k = 0;
        while (k < r->length && s->value[r->at + k] == s->value[at + (turn + k) % length])
            k++;
        if (k == r->length)
            return turn;
    }
    return -1;
}

/* How many numbers of a list that is there once there are before it begins again. */
static int shortest(const int64_t *a, int n)
{
    int p = 1;
    for (int i = 1; i < n; i++)
        if (a[i] != a[i % p])
            p = i + 1;
    return p;
}

/* Finds the run's list, lists that are repeated first, or makes it one. */
static void find_list(struct lists *l, int run)
{
    const struct cs_series_run *r = &l->s->run[run];
    for (int k = 0; k < l->n; k++)
        if ((l->turn[run] = turned(l->s, r, l->at[k], l->length[k])) >= 0) {
            l->which[run] = k;
            return;
        }
    l->at[l->n] = r->at;
    l->length[l->n] = r->times > r->length ? r->length : shortest(l->s->value + r->at, r->length);
    l->turn[run] = 0;
    l->which[run] = l->n++;
}

/* Prints for each run a number, and by `iteration` which of them holds. */
static void print_by_run(FILE *f, const struct cs_series *s, const int *number)
{
    int64_t begin = 0;
    bool same = true;
    for (int i = 1; i < s->nruns; i++)
        same &= number[i] == number[0];
    if (same) {
        fprintf(f, "%d", number[0]);
        return;
    }
    fputs("pick(", f);
    for (int i = 0; i + 1 < s->nruns; i++)
        fprintf(f, "%s(iteration>=%lld)", i ? "+" : "", (long long)(begin += s->run[i].times));
    for (int i = 0; i < s->nruns; i++)
        fprintf(f, ",%d", number[i]);
    fputc(')', f);
}

/* How far each run is shifted in its list, so that `iteration` plus that is the place in it. */
static void print_shifts(FILE *f, const struct lists *l, int *number)
{
    int64_t begin = 0;
    for (int i = 0; i < l->s->nruns; begin += l->s->run[i++].times) {
        int length = l->length[l->which[i]], turn = (int)((l->turn[i] - begin % length) % length);
        number[i] = turn < 0 ? turn + length : turn;
    }
    print_by_run(f, l->s, number);
}

/* Where the list of each run begins, behind those before it. */
static void print_begins(FILE *f, const struct lists *l, int *number)
{
    for (int i = 0; i < l->s->nruns; i++) {
        number[i] = 0;
        for (int k = 0; k < l->which[i]; k++)
            number[i] += l->length[k];
    }
    print_by_run(f, l->s, number);
}

static void print_lists(FILE *f, const struct lists *l, int *number)
{
    if (l->n > 1) {
        fputs("pick(", f);
        print_begins(f, l, number);
        fputs("+(iteration+", f);
        print_shifts(f, l, number);
        fputs(")%", f);
        for (int i = 0; i < l->s->nruns; i++)
            number[i] = l->length[l->which[i]];
        print_by_run(f, l->s, number);
    } else {
        fputs("pick(iteration", f);
        if (l->s->nruns > 1) {
            fputc('+', f);
            print_shifts(f, l, number);
        }
    }
    for (int k = 0; k < l->n; k++) {
        fputc(',', f);
        print_list(f, l->s->value + l->at[k], l->length[k]);
    }
    fputc(')', f);
}

void cs_series_expression(FILE *f, const struct cs_series *s)
{
    int n = s->nruns, *room = calloc((size_t)n * 5 + 1, sizeof *room);
    struct lists l = {s, 0, room, room + n, room + 2 * n, room + 3 * n};
    if (!room || !n) {
        free(room);
        return;
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n; i++)
            if ((s->run[i].times > s->run[i].length) == (pass == 0))
                find_list(&l, i);
    print_lists(f, &l, room + 4 * n);
    free(room);
}
