/* SPDX-License-Identifier: BSD-3-Clause
 * SA-IS: sorts the substrings between leftmost small suffixes by induction, names them, sorts the
 * string of names (at most half as long) by recursion, and induces the rest from that. */
#include "trace/fold/suffix_array.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE (-1)

/* One level of the recursion: the string s[0..n) of symbols below k, and its suffix array. */
struct level {
    const int32_t *s;
    int32_t n, k;
    int32_t *sa;
    uint8_t *small; /* bit set: the suffix is smaller than the one behind it (type S) */
    int32_t *count; /* symbols smaller than c: where c's bucket starts; k + 1 entries */
    int32_t *at;    /* the ends of buckets that move while sorting */
};

static inline bool is_small(const struct level *l, int32_t i)
{
    return l->small[i >> 3] >> (i & 7) & 1;
}

/* Leftmost of a stretch of type S. */
static inline bool is_lms(const struct level *l, int32_t i)
{
    return i > 0 && is_small(l, i) && !is_small(l, i - 1);
}

static void classify(struct level *l)
{
    bool small = false; /* the last suffix is larger than the empty one */
    for (int32_t i = l->n - 2; i >= 0; i--) {
        if (l->s[i] != l->s[i + 1])
            small = l->s[i] < l->s[i + 1];
        if (small)
            l->small[i >> 3] |= (uint8_t)(1 << (i & 7));
    }
    for (int32_t i = 0; i < l->n; i++)
        l->count[l->s[i] + 1]++;
    for (int32_t c = 0; c < l->k; c++)
        l->count[c + 1] += l->count[c];
}

static void induce_large(struct level *l)
{
    memcpy(l->at, l->count, (size_t)l->k * sizeof *l->at);
    l->sa[l->at[l->s[l->n - 1]]++] = l->n - 1;
    for (int32_t i = 0; i < l->n; i++) {
        int32_t j = l->sa[i] - 1;
        if (j >= 0 && !is_small(l, j))
            l->sa[l->at[l->s[j]]++] = j;
    }
}

static void induce_small(struct level *l)
{
    memcpy(l->at, l->count + 1, (size_t)l->k * sizeof *l->at);
    for (int32_t i = l->n - 1; i >= 0; i--) {
        int32_t j = l->sa[i] - 1;
        if (j >= 0 && is_small(l, j))
            l->sa[--l->at[l->s[j]]] = j;
    }
}

/* Sorts all suffixes, given the leftmost small ones in the order `lms` (any order gives their substrings' order). */
static void induce(struct level *l, const int32_t *lms, int32_t m)
{
    for (int32_t i = 0; i < l->n; i++)
        l->sa[i] = NONE;
    memcpy(l->at, l->count + 1, (size_t)l->k * sizeof *l->at);
    for (int32_t i = m - 1; i >= 0; i--)
        l->sa[--l->at[l->s[lms[i]]]] = lms[i];
    induce_large(l);
    induce_small(l);
}

/* Where the substring that starts at i ends (its last symbol is the next leftmost small one). */
static int32_t substring_end(const struct level *l, int32_t i)
{
    int32_t e = i + 1;
    while (e < l->n && !is_lms(l, e))
        e++;
    return e;
}

static bool same_substring(const struct level *l, int32_t a, int32_t b)
{
    int32_t ea = substring_end(l, a), eb = substring_end(l, b);
    if (ea - a != eb - b || ea == l->n || eb == l->n) /* the end of the string occurs once */
        return false;
    return memcmp(l->s + a, l->s + b, (size_t)(ea - a + 1) * sizeof *l->s) == 0;
}

/* Names the m sorted substrings; name[i / 2] is that of the one at i. Returns how many names there are. */
static int32_t name_substrings(const struct level *l, const int32_t *sorted, int32_t m, int32_t *name)
{
    int32_t names = 0;
    for (int32_t i = 0; i < m; i++) {
        if (i > 0 && !same_substring(l, sorted[i - 1], sorted[i]))
            names++;
        name[sorted[i] / 2] = names;
    }
    return m ? names + 1 : 0;
}

static int sort(const int32_t *s, int32_t n, int32_t k, int32_t *sa);

/* Brings the m leftmost small suffixes, sorted by their substrings in `sorted`, into their order. `lms`: by position.
 */
static int sort_lms(const struct level *l, const int32_t *lms, int32_t m, int32_t *sorted)
{
    int rc = -1;
    int32_t *name = malloc(((size_t)l->n / 2 + 1) * sizeof *name);
    int32_t *string = malloc(((size_t)m + 1) * sizeof *string);
    if (name && string) {
        int32_t names = name_substrings(l, sorted, m, name);
        rc = 0;
        if (names < m) {
            for (int32_t i = 0; i < m; i++)
                string[i] = name[lms[i] / 2];
            free(name);
            name = NULL;
            rc = sort(string, m, names, sorted);
            for (int32_t i = 0; !rc && i < m; i++)
                sorted[i] = lms[sorted[i]];
        }
    }
    free(name);
    free(string);
    return rc;
}

static int sort_level(struct level *l)
{
    int rc = -1;
    int32_t m = 0, *lms = NULL, *sorted = NULL;
    classify(l);
    for (int32_t i = 1; i < l->n; i++)
        m += is_lms(l, i);
    lms = calloc((size_t)m + 1, sizeof *lms);
    sorted = calloc((size_t)m + 1, sizeof *sorted);
    if (!lms || !sorted)
        goto end;
    for (int32_t i = 1, j = 0; i < l->n; i++)
        if (is_lms(l, i))
            lms[j++] = i;
    induce(l, lms, m);
    for (int32_t i = 0, j = 0; i < l->n; i++)
        if (is_lms(l, l->sa[i]))
            sorted[j++] = l->sa[i];
    if (sort_lms(l, lms, m, sorted))
        goto end;
    induce(l, sorted, m);
    rc = 0;
end:
    free(lms);
    free(sorted);
    return rc;
}

static int sort(const int32_t *s, int32_t n, int32_t k, int32_t *sa)
{
    struct level l = {.s = s, .n = n, .k = k, .sa = sa};
    int rc = -1;
    l.small = calloc(((size_t)n + 7) / 8, 1);
    l.count = calloc((size_t)k + 1, sizeof *l.count);
    l.at = malloc((size_t)k * sizeof *l.at);
    if (l.small && l.count && l.at)
        rc = sort_level(&l);
    free(l.small);
    free(l.count);
    free(l.at);
    return rc;
}

int cs_suffix_array(const int32_t *s, int32_t n, int32_t k, int32_t *sa)
{
    assert(n <= 0 || (k > 0 && s && sa));
    return n > 0 ? sort(s, n, k, sa) : 0;
}

void cs_suffix_rank(const int32_t *sa, int32_t n, int32_t *rank)
{
    for (int32_t i = 0; i < n; i++)
        rank[sa[i]] = i;
}

void cs_suffix_lcp(const int32_t *s, int32_t n, const int32_t *sa, const int32_t *rank, int32_t *lcp)
{
    int32_t same = 0;
    for (int32_t i = 0; i < n; i++) {
        if (rank[i] == 0) {
            lcp[0] = same = 0;
            continue;
        }
        int32_t j = sa[rank[i] - 1];
        while (i + same < n && j + same < n && s[i + same] == s[j + same])
            same++;
        lcp[rank[i]] = same;
        if (same > 0)
            same--;
    }
}
