/* SPDX-License-Identifier: BSD-3-Clause
 * Pairs of ranks, kept short: consecutive sources that send the same to the same distances are one row. */
#ifndef CS_PAIR_ROWS_H
#define CS_PAIR_ROWS_H

#include <stdint.h>

/* What a source sends over a distance, which is the destination less the source. */
struct cs_pair_step {
    int by;
    uint64_t messages, bytes;
};

/*  row[i]: `count` sources from `source` on, each with step[first .. first + n); the steps of the last row are the last
 *  ones, and are still being added  */
struct cs_pair_rows {
    struct cs_pair_row {
        int source, count;
        uint32_t first, n;
    } * row;
    struct cs_pair_step *step;
    uint32_t nrows, row_cap, nsteps, step_cap;
};

/* Adds a pair; all pairs of a source come one after the other. 0, or -1: no memory. */
int cs_pair_rows_add(struct cs_pair_rows *p, int source, const struct cs_pair_step *s);
/* Leaves no pair. */
void cs_pair_rows_free(struct cs_pair_rows *p);

#endif
