/* SPDX-License-Identifier: BSD-3-Clause
 * What the folding methods share: how a nest is built up. Private to trace/fold/.
 * Methods see symbols 0 to k-1; fold.c maps them back. */
#ifndef CS_FOLD_INTERNAL_H
#define CS_FOLD_INTERNAL_H

#include "trace/fold/fold.h"

struct cs_fold_builder {
    struct cs_fold *f;
    int64_t cap;
};

/* 0, or -1 with errno ENOMEM. */
int cs_fold_add_symbol(struct cs_fold_builder *b, int32_t symbol);
/* Opens a loop and returns its node's number for cs_fold_close_loop, or -1. */
int64_t cs_fold_open_loop(struct cs_fold_builder *b, int32_t count);
void cs_fold_close_loop(struct cs_fold_builder *b, int64_t loop);

int cs_fold_best(const int32_t *s, int32_t n, int32_t k, struct cs_fold_builder *b);
int cs_fold_paper(const int32_t *s, int32_t n, int32_t k, struct cs_fold_builder *b);

#endif
