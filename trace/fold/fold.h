/* SPDX-License-Identifier: BSD-3-Clause
 * Folding: a string of symbols becomes a nest of counted loops, (ab)2 c for ababc, with the fewest symbols.
 * A loop's header costs nothing; among equals the fewest loops win. Expanding gives back exactly what was folded. */
#ifndef CS_FOLD_H
#define CS_FOLD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The nest in preorder: a loop is followed by its body. */
struct cs_fold_node {
    int32_t count; /* repetitions of a loop, at least 2; 0 for a symbol */
    int32_t value; /* the symbol; or the number of nodes of the loop's body, at all depths */
};

/*  (1 2)3 4 is node[] = {3, 2} {0, 1} {0, 2} {0, 4}  */
struct cs_fold {
    struct cs_fold_node *node;
    int64_t nnodes;
    int64_t nsymbols; /* the folded length */
    int64_t length;   /* of the string */
    int64_t capped;   /* loop bodies that were searched in part only: 0 means that the fold is optimal */
};

/* How a string is folded. */
enum cs_fold_method {
    CS_FOLD_BEST, /* dynamic program over all runs (fold_best.c); near linear */
    CS_FOLD_PAPER /* longest repeat first (fold_paper.c), for comparison; O(n log n) */
};

/* Folds s[0..n), any values; n < 2^31 - 1. 0, or -1 with errno (ENOMEM, EOVERFLOW for longer strings). cs_fold_free
 * frees the nodes. */
int cs_fold_string(const int32_t *s, int64_t n, enum cs_fold_method method, struct cs_fold *out);
void cs_fold_free(struct cs_fold *f);

/* Writes f->length symbols. */
void cs_fold_expand(const struct cs_fold *f, int32_t *out);

/* "(1 2)3 4"; name, if given, prints a symbol. */
void cs_fold_print(FILE *out, const struct cs_fold *f, void (*name)(FILE *out, int32_t symbol, void *arg), void *arg);

#endif
