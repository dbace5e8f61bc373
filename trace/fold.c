/* SPDX-License-Identifier: BSD-3-Clause
 * The frame around the folding methods: dense letters before, the caller's letters after; expanding and
 * printing. */
#include "fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fold_parts.h"

static struct cs_fold_node *add_node(struct cs_fold_builder *b)
{
    if (b->f->nnodes == b->cap) {
        int64_t cap = b->cap ? 2 * b->cap : 64;
        struct cs_fold_node *p = realloc(b->f->node, (size_t)cap * sizeof *p);
        if (!p)
            return NULL;
        b->f->node = p;
        b->cap = cap;
    }
    return &b->f->node[b->f->nnodes++];
}

int cs_fold_add_letter(struct cs_fold_builder *b, int32_t letter)
{
    struct cs_fold_node *p = add_node(b);
    if (!p)
        return -1;
    *p = (struct cs_fold_node){0, letter};
    b->f->nletters++;
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
    b->f->node[loop].value = (int32_t)(b->f->nnodes - loop - 1);
}

static int compare_letters(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts a copy of the letters; *k of them differ. NULL if memory is short. */
static int32_t *distinct_letters(const int32_t *s, int32_t n, int32_t *k)
{
    int32_t *letter = malloc(((size_t)n + 1) * sizeof *letter);
    if (!letter)
        return NULL;
    memcpy(letter, s, (size_t)n * sizeof *letter);
    qsort(letter, (size_t)n, sizeof *letter, compare_letters);
    *k = 0;
    for (int32_t i = 0; i < n; i++)
        if (i == 0 || letter[i] != letter[i - 1])
            letter[(*k)++] = letter[i];
    return letter;
}

/* Numbers letters when all of them lie in a range not much longer than the string; same result as above, without sorting. */
static int32_t *distinct_in_range(const int32_t *s, int32_t n, int32_t low, int64_t range, int32_t *dense, int32_t *k)
{
    int32_t *number = calloc((size_t)range, sizeof *number), *letter = malloc(((size_t)n + 1) * sizeof *letter);
    if (number && letter) {
        for (int32_t i = 0; i < n; i++)
            number[s[i] - (int64_t)low] = 1;
        *k = 0;
        for (int64_t c = 0; c < range; c++)
            if (number[c]) {
                letter[*k] = (int32_t)(low + c);
                number[c] = (*k)++;
            }
        for (int32_t i = 0; i < n; i++)
            dense[i] = number[s[i] - (int64_t)low];
    } else {
        free(letter);
        letter = NULL;
    }
    free(number);
    return letter;
}

/* Replaces letters by 0 to *k - 1 in `dense`; returns what they stand for. */
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
    int32_t *letter = distinct_letters(s, n, k);
    for (int32_t i = 0; letter && i < n; i++) {
        int32_t *at = bsearch(&s[i], letter, (size_t)*k, sizeof *letter, compare_letters);
        dense[i] = (int32_t)(at - letter);
    }
    return letter;
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
    int32_t *letter = dense ? make_dense(s, (int32_t)n, dense, &k) : NULL;
    int rc = !letter ? -1 : method == CS_FOLD_PAPER ? cs_fold_paper(dense, (int32_t)n, k, &b) : cs_fold_best(dense, (int32_t)n, k, &b);
    for (int64_t i = 0; !rc && i < out->nnodes; i++)
        if (out->node[i].count == 0)
            out->node[i].value = letter[out->node[i].value];
    free(dense);
    free(letter);
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

struct printer {
    FILE *out;
    void (*name)(FILE *out, int32_t letter, void *arg);
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

void cs_fold_print(FILE *out, const struct cs_fold *f, void (*name)(FILE *out, int32_t letter, void *arg), void *arg)
{
    struct printer pr = {out, name, arg};
    print(&pr, f->node, f->node + f->nnodes);
}
