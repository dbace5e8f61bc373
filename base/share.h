/* SPDX-License-Identifier: BSD-3-Clause
 * A share of a run: share K of M has each M-th part of its ranks, those one after the other from cs_share_begin(n, K,
 * M) up to that of share K + 1. Shares count from 1; together they have each rank once. */
#ifndef CS_SHARE_H
#define CS_SHARE_H

#include <stdint.h>
#include <stdio.h>

/* Exit status of a share of a run whose ranks need those of other shares, as they exchange data. */
enum { CS_EXIT_SHARE = 4 };

static inline int cs_share_begin(int64_t nranks, int64_t share, int64_t shares)
{
    return (int)(nranks * (share - 1) / shares);
}

/* The ranks [*first, *end) of the share "K/M"; all of them if the text is NULL or says something else. */
static inline void cs_share_ranks(const char *text, int nranks, int *first, int *end)
{
    int share, shares;
    *first = 0;
    *end = nranks;
    if (!text || sscanf(text, "%d/%d", &share, &shares) != 2 || share < 1 || share > shares || shares > nranks)
        return;
    *first = cs_share_begin(nranks, share, shares);
    *end = cs_share_begin(nranks, share + 1, shares);
}

#endif
