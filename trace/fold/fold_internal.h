/* SPDX-License-Identifier: BSD-3-Clause
 * What the folding methods share: the builder that they add symbols and loops to. Private to trace/fold/.
 * The methods see symbols 0 to k-1; fold.c maps those to the caller's symbols. */
#ifndef CS_FOLD_INTERNAL_H
#define CS_FOLD_INTERNAL_H

#include "trace/fold/fold.h"

/* A nest under construction: nodes are appended to f->node in preorder, so (1 2)x3 4 is made by
 *     open_loop(3)  add_symbol(1)  add_symbol(2)  close_loop()  add_symbol(4)  */
struct cs_fold_builder {
    struct cs_fold *f;
    int64_t cap; /* of f->node */
};

/* Appends a symbol. 0, or -1 with errno ENOMEM. */
int cs_fold_add_symbol(struct cs_fold_builder *b, int32_t symbol);
/* Opens a loop of `count` iterations and returns its node's number for cs_fold_close_loop, or -1 with errno ENOMEM. */
int64_t cs_fold_open_loop(struct cs_fold_builder *b, int32_t count);
void cs_fold_close_loop(struct cs_fold_builder *b, int64_t loop);

/* The methods (enum cs_fold_method): both add the nest of s[0..n), whose symbols are 0 to k-1, to b. 0, or -1 with
 * errno ENOMEM. */
int cs_fold_best(const int32_t *s, int32_t n, int32_t k, struct cs_fold_builder *b);
int cs_fold_paper(const int32_t *s, int32_t n, int32_t k, struct cs_fold_builder *b);

#endif
