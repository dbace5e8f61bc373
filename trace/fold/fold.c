/* SPDX-License-Identifier: BSD-3-Clause
 * The frame around the folding methods: dense symbols before, the caller's symbols after; expanding and
 * printing. */
#include "trace/fold/fold.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/fold/fold_internal.h"

static struct cs_fold_node *add_node(struct cs_fold_builder *b)
{
    if (!CS_MAKE_ROOM(b->f->node, b->f->nnodes, b->cap))
        return NULL;
    return &b->f->node[b->f->nnodes++];
}

int cs_fold_add_symbol(struct cs_fold_builder *b, int32_t symbol)
{
    struct cs_fold_node *p = add_node(b);
    if (!p)
        return -1;
    *p = (struct cs_fold_node){0, symbol};
    b->f->nsymbols++;
    return 0;
}

int64_t cs_fold_open_loop(struct cs_fold_builder *b, int32_t count)
{
    struct cs_fold_node *p = add_node(b);
    if (!p)
        return -1;
    *p = (struct cs_fold_node){count, 0};
    return b->f->nnodes - 1;
}

void cs_fold_close_loop(struct cs_fold_builder *b, int64_t loop)
{
    assert(loop >= 0 && loop < b->f->nnodes && b->f->node[loop].count >= 2);
    b->f->node[loop].value = (int32_t)(b->f->nnodes - loop - 1);
}

/* A symbol of the string, and its place, to be sorted. */
struct keyed {
    uint32_t key;
    int32_t at;
};

#define RADIX_BITS 11

/* One pass of a radix sort; stable. */
static void sort_pass(const struct keyed *from, struct keyed *to, int32_t n, int shift)
{
    int32_t count[1 << RADIX_BITS] = {0}, sum = 0;
    for (int32_t i = 0; i < n; i++)
        count[from[i].key >> shift & ((1 << RADIX_BITS) - 1)]++;
    for (int c = 0; c < 1 << RADIX_BITS; c++) {
        int32_t here = count[c];
        count[c] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < n; i++)
        to[count[from[i].key >> shift & ((1 << RADIX_BITS) - 1)]++] = from[i];
}

/* Numbers symbols in their order, by sorting; *k of them differ. Returns what the numbers stand for; NULL if memory is
 * short. */
static int32_t *distinct_symbols(const int32_t *s, int32_t n, int32_t *dense, int32_t *k)
{
    int32_t *symbol = malloc(((size_t)n + 1) * sizeof *symbol);
    struct keyed *a = malloc(((size_t)n + 1) * sizeof *a), *b = malloc(((size_t)n + 1) * sizeof *b);
    if (symbol && a && b) {
        for (int32_t i = 0; i < n; i++)
            a[i] = (struct keyed){(uint32_t)s[i] ^ UINT32_C(0x80000000), i};
        sort_pass(a, b, n, 0);
        sort_pass(b, a, n, RADIX_BITS);
        sort_pass(a, b, n, 2 * RADIX_BITS);
        *k = 0;
        for (int32_t i = 0; i < n; i++) {
            if (i == 0 || b[i].key != b[i - 1].key)
                symbol[(*k)++] = s[b[i].at];
            dense[b[i].at] = *k - 1;
        }
    } else {
        free(symbol);
        symbol = NULL;
    }
    free(a);
    free(b);
    return symbol;
}

/* Numbers symbols when all of them lie in a range not much longer than the string; same result as above, without
 * sorting. */
static int32_t *distinct_in_range(const int32_t *s, int32_t n, int32_t low, int64_t range, int32_t *dense, int32_t *k)
{
    int32_t *number = calloc((size_t)range, sizeof *number), *symbol = malloc(((size_t)n + 1) * sizeof *symbol);
    if (number && symbol) {
        for (int32_t i = 0; i < n; i++)
            number[s[i] - (int64_t)low] = 1;
        *k = 0;
        for (int64_t c = 0; c < range; c++)
            if (number[c]) {
                symbol[*k] = (int32_t)(low + c);
                number[c] = (*k)++;
            }
        for (int32_t i = 0; i < n; i++)
            dense[i] = number[s[i] - (int64_t)low];
    } else {
        free(symbol);
        symbol = NULL;
    }
    free(number);
    return symbol;
}

/* Replaces symbols by 0 to *k - 1 in `dense`; returns what they stand for. */
static int32_t *make_dense(const int32_t *s, int32_t n, int32_t *dense, int32_t *k)
{
    int32_t low = n ? s[0] : 0, high = low;
    for (int32_t i = 0; i < n; i++) {
        low = s[i] < low ? s[i] : low;
        high = s[i] > high ? s[i] : high;
    }
    int64_t range = (int64_t)high - low + 1;
    if (range <= 2 * (int64_t)n + 1024)
        return distinct_in_range(s, n, low, range, dense, k);
    return distinct_symbols(s, n, dense, k);
}

int cs_fold_string(const int32_t *s, int64_t n, enum cs_fold_method method, struct cs_fold *out)
{
    *out = (struct cs_fold){.length = n};
    if (n < 0 || n >= INT32_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    struct cs_fold_builder b = {.f = out};
    int32_t k = 0, *dense = malloc(((size_t)n + 1) * sizeof *dense);
    int32_t *symbol = dense ? make_dense(s, (int32_t)n, dense, &k) : NULL;
    int rc = !symbol                   ? -1
             : method == CS_FOLD_PAPER ? cs_fold_paper(dense, (int32_t)n, k, &b)
                                       : cs_fold_best(dense, (int32_t)n, k, &b);
    for (int64_t i = 0; !rc && i < out->nnodes; i++)
        if (out->node[i].count == 0)
            out->node[i].value = symbol[out->node[i].value];
    free(dense);
    free(symbol);
    if (rc) {
        cs_fold_free(out);
        errno = ENOMEM;
    }
    return rc;
}

void cs_fold_free(struct cs_fold *f)
{
    free(f->node);
    *f = (struct cs_fold){0};
}

/* Each loop's body is written once and then copied. */
static int32_t *expand(const struct cs_fold_node *p, const struct cs_fold_node *end, int32_t *out)
{
    while (p < end) {
        if (p->count == 0) {
            *out++ = p++->value;
            continue;
        }
        int32_t *past = expand(p + 1, p + 1 + p->value, out);
        size_t body = (size_t)(past - out);
        for (int32_t i = 1; i < p->count; i++)
            memcpy(out + (size_t)i * body, out, body * sizeof *out);
        out += (size_t)p->count * body;
        p += 1 + p->value;
    }
    return out;
}

void cs_fold_expand(const struct cs_fold *f, int32_t *out)
{
    expand(f->node, f->node + f->nnodes, out);
}

/* Where a nest is printed, and who names its symbols. */
struct printer {
    FILE *out;
    void (*name)(FILE *out, int32_t symbol, void *arg);
    void *arg;
};

static void print(const struct printer *pr, const struct cs_fold_node *p, const struct cs_fold_node *end)
{
    for (const struct cs_fold_node *first = p; p < end; p += p->count ? 1 + p->value : 1) {
        if (p > first)
            putc(' ', pr->out);
        if (p->count) {
            putc('(', pr->out);
            print(pr, p + 1, p + 1 + p->value);
            fprintf(pr->out, ")%d", p->count);
        } else if (pr->name) {
            pr->name(pr->out, p->value, pr->arg);
        } else {
            fprintf(pr->out, "%d", p->value);
        }
    }
}

void cs_fold_print(FILE *out, const struct cs_fold *f, void (*name)(FILE *out, int32_t symbol, void *arg), void *arg)
{
    struct printer pr = {out, name, arg};
    print(&pr, f->node, f->node + f->nnodes);
}
