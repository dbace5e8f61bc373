/* SPDX-License-Identifier: BSD-3-Clause
 * Rules by rank and size; recorded_rule.h. A rule is a sum of whole multiples of a few features of the rank. Multiples
 * are guessed by least squares, rounded, and then have to give every number. */
#include "base/recorded_rule.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/recorded_around.h"
#include "base/recorded_grid.h"

/* The numbers that a rule has to give, in an array of their own. */
struct samples {
    struct cs_rank_number *a;
    size_t n, cap;
};

/* ---- sums of multiples ---- */

/* What a sum is made of. */
enum { FEATURES = 5 };
static const char *const feature_text[FEATURES] = {"1", "rank", "size", "(rank==0)", "(rank==size-1)"};

static int64_t feature(int which, const struct cs_rank_number *s)
{
    switch (which) {
    case 0: return 1;
    case 1: return s->rank;
    case 2: return s->size;
    case 3: return s->rank == 0;
    default: return s->rank == s->size - 1;
    }
}

/* Which features a rule may use; the simplest come first. */
static const unsigned char sums[] = {1, 3, 5, 9, 17, 25, 7, 27, 29, 31};

static int bits(unsigned m)
{
    int n = 0;
    for (; m; m &= m - 1)
        n++;
    return n;
}

/* Solves the n equations of m, whose last column is the right side, in place. False: they have no single solution. */
static bool solve(double m[FEATURES][FEATURES + 1], int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[best][k]))
                best = i;
        if (fabs(m[best][k]) < 1e-6)
            return false;
        for (int j = 0; j <= n; j++) {
            double t = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = t;
        }
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--)
                m[i][j] -= m[k][j] * m[i][k] / m[k][k];
    }
    return true;
}

/* Sets the multiples of the features in `mask` that are nearest to the samples. */
static bool guess(const struct samples *s, unsigned mask, int64_t multiple[FEATURES])
{
    double m[FEATURES][FEATURES + 1] = {{0}};
    int of[FEATURES], n = 0;
    for (int i = 0; i < FEATURES; i++)
        if (mask >> i & 1)
            of[n++] = i;
    for (size_t k = 0; k < s->n; k++)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                m[i][j] += (double)(feature(of[i], &s->a[k]) * feature(of[j], &s->a[k]));
            m[i][n] += (double)feature(of[i], &s->a[k]) * (double)s->a[k].value;
        }
    if (!solve(m, n))
        return false;
    memset(multiple, 0, FEATURES * sizeof *multiple);
    for (int i = 0; i < n; i++) {
        if (!(fabs(m[i][n] / m[i][i]) < 1e15))
            return false;
        multiple[of[i]] = llround(m[i][n] / m[i][i]);
    }
    return true;
}

static bool gives_all(const struct samples *s, const int64_t multiple[FEATURES])
{
    for (size_t k = 0; k < s->n; k++) {
        int64_t sum = 0;
        for (int i = 0; i < FEATURES; i++)
            sum += multiple[i] * feature(i, &s->a[k]);
        if (sum != s->a[k].value)
            return false;
    }
    return true;
}

static void print_sum(FILE *f, const int64_t multiple[FEATURES])
{
    bool any = false;
    for (int i = 0; i < FEATURES; i++) {
        long long m = multiple[i];
        if (!m)
            continue;
        if (any && m > 0)
            fputc('+', f);
        if (i == 0)
            fprintf(f, "%lld", m);
        else if (m == 1 || m == -1)
            fprintf(f, "%s%s", m < 0 ? "-" : "", feature_text[i]);
        else
            fprintf(f, "%lld*%s", m, feature_text[i]);
        any = true;
    }
    if (!any)
        fputc('0', f);
}

/* The rank that is so much further, and behind the last one the first: v = (rank + further) % size. */
static bool ring(FILE *f, const struct samples *s)
{
    const struct cs_rank_number *a = s->a;
    for (int back = 0; back < 2; back++) {
        int64_t further = (a->value - a->rank + a->size) % a->size - (back ? a->size : 0);
        size_t k = 0;
        while (k < s->n && a[k].value == (a[k].rank + further + (further < 0 ? a[k].size : 0)) % a[k].size)
            k++;
        if (k == s->n) {
            fprintf(f, "(rank+%lld%s)%%size", (long long)further, back ? "+size" : "");
            return true;
        }
    }
    return false;
}

/* So much more or less than the rank, or than how many there are: v = rank + a, a - rank, size + a, a - size. Of two
 * numbers only the first is no chance. */
static bool beside(FILE *f, const struct samples *s)
{
    for (int way = 0; way < (s->n > 2 ? 4 : 1); way++) {
        int64_t multiple[FEATURES] = {0};
        int of = 1 + way / 2;
        multiple[of] = way % 2 ? -1 : 1;
        multiple[0] = s->a[0].value - multiple[of] * feature(of, &s->a[0]);
        if (gives_all(s, multiple)) {
            print_sum(f, multiple);
            return true;
        }
    }
    return false;
}

/* By where the rank is in a grid of ranks. */
static bool in_grid(FILE *f, const struct samples *s)
{
    char *text = NULL;
    size_t size;
    int64_t multiple;
    FILE *to = open_memstream(&text, &size);
    bool found = to && cs_grid_rule(to, s->a, s->n, &multiple);
    if (to && fclose(to))
        found = false;
    if (found)
        fprintf(f, multiple == 1 ? "%s" : "(%s)*%lld", text, (long long)multiple);
    free(text);
    return found;
}

/* Writes the first rule that gives all samples. Each multiple takes one of them, and one or more must be left. */
static bool rule(FILE *f, const struct samples *s)
{
    int64_t multiple[FEATURES];
    for (size_t i = 0; i < sizeof sums; i++)
        if ((size_t)bits(sums[i]) < s->n && guess(s, sums[i], multiple) && gives_all(s, multiple)) {
            print_sum(f, multiple);
            return true;
        }
    return (s->n > 1 && beside(f, s)) || (s->n > 3 && ring(f, s)) || in_grid(f, s);
}

/* ---- what ranks had in their order ---- */

/* Parts of the ranks. */
enum part { EVERY, FIRST, BETWEEN, LAST };

static bool in_part(enum part p, int rank, int size)
{
    enum part is = rank == 0 ? FIRST : rank == size - 1 ? LAST : BETWEEN;
    return p == EVERY || p == is;
}

/* Numbers that the rank had over and over; 0: more than one such list. */
static int list_length(const struct cs_recorded_rank *r)
{
    return r->in_order ? r->each.nruns == 1 ? r->each.n : 0 : 1;
}

/* Number `at` of what the rank had; one number, it had each time. */
static int64_t number(const struct cs_recorded_rank *r, int at)
{
    return r->in_order ? r->each.value[r->each.n == 1 ? 0 : at] : r->mean;
}

/* The length of lists of which one number stands for any; 0: they are of different lengths. */
static int common_length(int a, int b)
{
    return a == b || b == 1 ? a : a == 1 ? b : 0;
}

/* The first rank of the part, NULL: there is none. *same: all of them had what it had. *length: of their lists, 0: they
 * are no lists of one length. */
static const struct cs_recorded_rank *look(const struct cs_recorded_value *v, enum part p, bool *same, int *length)
{
    const struct cs_recorded_rank *first = NULL;
    *same = true;
    for (*length = -1; v; v = v->also) {
        int of_run = -1;
        for (int i = 0; i < v->nranks; i++) {
            const struct cs_recorded_rank *r = &v->by_rank[i];
            if (!in_part(p, i, v->nranks))
                continue;
            if (!first)
                first = r;
            *same &= r->in_order == first->in_order && number(r, 0) == number(first, 0) &&
                     cs_series_same(&r->each, &first->each);
            of_run = of_run < 0 ? list_length(r) : common_length(of_run, list_length(r));
        }
        if (of_run >= 0)
            *length = *length < 0 || *length == of_run ? of_run : 0;
    }
    return first;
}

/* What the ranks of the part had as number `at` of their lists; false: memory is out. */
static bool gather(struct samples *s, const struct cs_recorded_value *v, enum part p, int at)
{
    s->n = 0;
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++) {
            if (!in_part(p, i, v->nranks))
                continue;
            if (!CS_MAKE_ROOM(s->a, s->n, s->cap))
                return false;
            s->a[s->n++] = (struct cs_rank_number){number(&v->by_rank[i], at), i, v->nranks};
        }
    return true;
}

/* Does the list of each rank of the part have the same number again behind `n` of them? */
static bool comes_again(const struct cs_recorded_value *v, enum part p, int length, int n)
{
    for (; v; v = v->also)
        for (int i = 0; i < v->nranks; i++)
            for (int at = n; at < length && in_part(p, i, v->nranks); at++)
                if (number(&v->by_rank[i], at) != number(&v->by_rank[i], at - n))
                    return false;
    return true;
}

/* The same rule of a grid each time, but for what it is multiplied by: (RULE)*pick(iteration, ...). */
static bool grid_each_time(FILE *f, const struct cs_recorded_value *v, enum part p, int length)
{
    char *first = NULL, *text = NULL, *multiples = NULL;
    size_t size, all;
    struct samples s = {0};
    FILE *list = open_memstream(&multiples, &all);
    bool ok = list;
    for (int at = 0; at < length && ok; at++) {
        int64_t multiple;
        FILE *to = gather(&s, v, p, at) ? open_memstream(&text, &size) : NULL;
        ok = to && cs_grid_rule(to, s.a, s.n, &multiple);
        ok = to && fclose(to) == 0 && ok && (!first || !strcmp(first, text));
        if (ok)
            fprintf(list, ",%lld", (long long)multiple);
        if (!ok || first)
            free(text);
        else
            first = text;
        text = NULL;
    }
    ok = list && fclose(list) == 0 && ok;
    if (ok)
        fprintf(f, "(%s)*pick(iteration%s)", first, multiples);
    free(multiples);
    free(first);
    free(s.a);
    return ok;
}

static bool part_rule(FILE *f, const struct cs_recorded_value *v, enum part p)
{
    bool same, ok = true;
    int length = 0;
    struct samples s = {0};
    const struct cs_recorded_rank *first = look(v, p, &same, &length);
    if (!first || (!same && !length))
        return false;
    if (same) {
        cs_recorded_rank_print(f, first);
        return true;
    }
    int again = 1;
    while (!comes_again(v, p, length, again))
        again++;
    length = again;
    if (length > 1 && grid_each_time(f, v, p, length))
        return true;
    if (length > 1)
        fputs("pick(iteration", f);
    for (int at = 0; at < length && ok; at++) {
        if (length > 1)
            fputc(',', f);
        ok = gather(&s, v, p, at) && rule(f, &s);
    }
    if (length > 1)
        fputc(')', f);
    free(s.a);
    return ok;
}

static bool by_parts(FILE *f, const struct cs_recorded_value *v)
{
    fputs("pick((rank>0)+(rank>0)*(rank==size-1)", f);
    for (enum part p = FIRST; p <= LAST; p++) {
        fputc(',', f);
        if (!part_rule(f, v, p))
            return false;
    }
    fputc(')', f);
    return true;
}

/* The kinds of rules, the simplest first. */
enum way { OF_ALL, AROUND, BY_PARTS, WAYS };

static bool rule_of(FILE *f, const struct cs_recorded_value *v, enum way way)
{
    return way == OF_ALL ? part_rule(f, v, EVERY) : way == AROUND ? cs_recorded_around(f, v) : by_parts(f, v);
}

bool cs_recorded_rule(FILE *f, const struct cs_recorded_value *v)
{
    for (enum way way = 0; way < WAYS; way++) {
        char *text = NULL;
        size_t size;
        FILE *to = open_memstream(&text, &size);
        bool found = to && rule_of(to, v, way);
        if (to && fclose(to))
            found = false;
        if (found)
            fputs(text, f);
        free(text);
        if (found)
            return true;
    }
    return false;
}
