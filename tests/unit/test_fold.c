/* SPDX-License-Identifier: BSD-3-Clause
 * Suffix array, runs and folding against naive models: every string of up to 12 of 3 symbols, random strings, random
 * loop nests. The model of folding is the exact dynamic program over all stretches, O(n^3). */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "trace/fold/fold.h"
#include "trace/fold/runs.h"
#include "trace/fold/suffix_array.h"
#include "suite.h"

#define LONGEST 320

static uint64_t seed;

/* splitmix64 */
static int below(int n)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int)((z ^ z >> 31) % (uint64_t)n);
}

/* agree[i][j]: how far the string agrees with itself from i and from j on. */
static short agree[LONGEST + 1][LONGEST + 1];

static void fill_agree(const int32_t *s, int n)
{
    for (int i = n; i >= 0; i--)
        for (int j = n; j >= 0; j--)
            agree[i][j] = i < n && j < n && s[i] == s[j] ? (short)(agree[i + 1][j + 1] + 1) : 0;
}

/* The fewest symbols, over all ways. */
static int exact(const int32_t *s, int n)
{
    static short cost[LONGEST][LONGEST + 1];
    fill_agree(s, n);
    for (int len = 1; len <= n; len++)
        for (int i = 0; i + len <= n; i++) {
            short best = (short)len;
            for (int k = 1; k < len; k++)
                if (cost[i][k] + cost[i + k][len - k] < best)
                    best = (short)(cost[i][k] + cost[i + k][len - k]);
            for (int p = 1; p <= len / 2; p++)
                if (len % p == 0 && agree[i][i + p] >= len - p && cost[i][p] < best)
                    best = cost[i][p];
            cost[i][len] = best;
        }
    return n ? cost[0][n] : 0;
}

static struct {
    int64_t strings, optimal, paper_optimal, worst, worst_paper;
} sum;

static int64_t fold_and_expand(const int32_t *s, int n, enum cs_fold_method method)
{
    struct cs_fold f;
    int32_t back[LONGEST];
    ck_assert_int_eq(cs_fold_string(s, n, method, &f), 0);
    ck_assert_int_eq(f.length, n);
    cs_fold_expand(&f, back);
    ck_assert(n == 0 || memcmp(s, back, (size_t)n * sizeof *s) == 0);
    int64_t symbols = 0;
    for (int64_t i = 0; i < f.nnodes; i++) {
        symbols += f.node[i].count == 0;
        ck_assert(f.node[i].count == 0 || (f.node[i].count >= 2 && f.node[i].value >= 1));
    }
    ck_assert_int_eq(symbols, f.nsymbols);
    ck_assert_int_eq(f.capped, 0);
    cs_fold_free(&f);
    return symbols;
}

static void try_string(const int32_t *s, int n)
{
    int64_t best = exact(s, n), got = fold_and_expand(s, n, CS_FOLD_BEST), paper = fold_and_expand(s, n, CS_FOLD_PAPER);
    ck_assert_int_ge(got, best);
    ck_assert_int_ge(paper, best);
    ck_assert_int_le(got, paper);
    sum.strings++;
    sum.optimal += got == best;
    sum.paper_optimal += paper == best;
    sum.worst = got - best > sum.worst ? got - best : sum.worst;
    sum.worst_paper = paper - best > sum.worst_paper ? paper - best : sum.worst_paper;
}

/* All are expected to be optimal, as nothing was capped. */
static void report(const char *what)
{
    printf("%s: %lld strings, %lld optimal, worst excess %lld; paper's method: %lld optimal, worst excess %lld\n", what,
           (long long)sum.strings, (long long)sum.optimal, (long long)sum.worst, (long long)sum.paper_optimal,
           (long long)sum.worst_paper);
    ck_assert_int_eq(sum.optimal, sum.strings);
    memset(&sum, 0, sizeof sum);
}

/* All strings; of the longest only those whose symbols first appear in order, which stand for the others. */
static void each_string(int32_t *s, int n, int at, int used, bool ordered, void (*try)(const int32_t *s, int n))
{
    if (at == n) {
        try(s, n);
        return;
    }
    for (int c = 0; c < 3 && !(ordered && c > used); c++) {
        s[at] = c;
        each_string(s, n, at + 1, c == used ? used + 1 : used, ordered, try);
    }
}

START_TEST(short_strings)
{
    int32_t s[12] = {0};
    for (int n = 0; n <= 12; n++)
        each_string(s, n, 0, 0, n > 10, try_string);
    report("up to 12 of 3 symbols");
}
END_TEST

START_TEST(random_strings)
{
    int32_t s[LONGEST];
    seed = 1;
    for (int i = 0; i < 1000; i++) {
        int n = below(120), k = 2 + below(3);
        for (int j = 0; j < n; j++)
            s[j] = below(k);
        try_string(s, n);
    }
    report("random");
}
END_TEST

/* Appends a random nest of loops, up to `max` symbols. */
static int nest(int32_t *s, int n, int max, int depth)
{
    for (int i = 1 + below(4); i > 0 && n < max; i--) {
        if (depth == 0 || below(2)) {
            s[n++] = below(4);
            continue;
        }
        int end = nest(s, n, max, depth - 1), len = end - n;
        for (int k = 1 + below(5); k > 0 && end + len <= max; k--, end += len)
            memcpy(s + end, s + n, (size_t)len * sizeof *s);
        n = end;
    }
    return n;
}

START_TEST(nests)
{
    int32_t s[LONGEST];
    seed = 2;
    for (int i = 0; i < 1000; i++) {
        int n = 0, cut = 0;
        while (n < 120)
            n = nest(s, n, n + 120 < LONGEST ? n + 120 : LONGEST, 4);
        if (i % 2) { /* begins somewhere, and has a few faults */
            cut = below(n);
            for (int k = below(4); k > 0; k--)
                s[below(n)] = below(4);
        }
        try_string(s + cut, n - cut);
    }
    report("nests");
}
END_TEST

static void try_suffixes(const int32_t *s, int n)
{
    int32_t sa[LONGEST], rank[LONGEST], lcp[LONGEST];
    fill_agree(s, n);
    ck_assert_int_eq(cs_suffix_array(s, n, 4, sa), 0);
    cs_suffix_rank(sa, n, rank);
    cs_suffix_lcp(s, n, sa, rank, lcp);
    for (int i = 1; i < n; i++) {
        int a = sa[i - 1], b = sa[i], len = agree[a][b];
        ck_assert_int_eq(lcp[i], len);
        ck_assert(a != b && b + len < n && (a + len == n || s[a + len] < s[b + len]));
    }
}

static bool smallest_period(int start, int end, int p)
{
    for (int q = 1; q < p; q++)
        if (agree[start][start + q] >= end - start - q)
            return false;
    return true;
}

static void try_runs(const int32_t *s, int n)
{
    struct cs_runs r;
    int count = 0;
    fill_agree(s, n);
    ck_assert_int_eq(cs_runs_find(s, n, 4, &r), 0);
    for (int start = 0; start < n; start++)
        for (int p = 1; start + 2 * p <= n; p++) {
            int end = start + p + agree[start][start + p];
            if (end - start < 2 * p || (start > 0 && s[start - 1] == s[start - 1 + p]) ||
                !smallest_period(start, end, p))
                continue;
            ck_assert_int_lt(count, r.n);
            ck_assert(r.run[count].start == start && r.run[count].end == end && r.run[count].period == p);
            count++;
        }
    ck_assert_int_eq(count, r.n);
    cs_runs_free(&r);
}

static void try_parts(const int32_t *s, int n)
{
    try_suffixes(s, n);
    try_runs(s, n);
}

START_TEST(parts)
{
    int32_t s[LONGEST] = {0};
    for (int n = 0; n <= 10; n++)
        each_string(s, n, 0, 0, false, try_parts);
    seed = 3;
    for (int i = 0; i < 500; i++)
        try_parts(s, nest(s, 0, LONGEST, 5));
}
END_TEST

START_TEST(any_symbols)
{
    static const int32_t s[] = {INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX, -1, -1, -1};
    ck_assert_int_eq(fold_and_expand(s, 7, CS_FOLD_BEST), 3);
    char *text = NULL;
    size_t len;
    struct cs_fold f;
    FILE *out = open_memstream(&text, &len);
    ck_assert_int_eq(cs_fold_string(s, 7, CS_FOLD_BEST, &f), 0);
    cs_fold_print(out, &f, NULL, NULL);
    fclose(out);
    ck_assert_str_eq(text, "(-2147483648 2147483647)2 (-1)3");
    free(text);
    cs_fold_free(&f);
}
END_TEST

/* A loop that begins and ends with the same inner loop, which run together where it repeats: the cut lies inside of
 * a's. */
START_TEST(split_inner_loop)
{
    int32_t s[153];
    for (int i = 0; i < 153; i++)
        s[i] = i % 51 == 20 ? 1 : 0;
    ck_assert_int_eq(fold_and_expand(s, 153, CS_FOLD_BEST), 3);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("fold");
    tcase_set_timeout(t, 300);
    tcase_add_test(t, parts);
    tcase_add_test(t, short_strings);
    tcase_add_test(t, random_strings);
    tcase_add_test(t, nests);
    tcase_add_test(t, any_symbols);
    tcase_add_test(t, split_inner_loop);
    Suite *s = suite_create("fold");
    suite_add_tcase(s, t);
    return suite_main(s);
}
