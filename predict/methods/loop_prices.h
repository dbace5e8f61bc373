/* SPDX-License-Identifier: BSD-3-Clause
 * What a turn of each loop costs, over all segments together. A program may go another way on many ranks than on few,
 * as one that cuts its data in two directions from some number on: no small run has its pieces, but often their loops.
 *
 *     measured: A -> B, loops 1 and 2; B -> C, loops 2 and 3     asked: A -> C, loops 1 and 3 */
#ifndef CS_LOOP_PRICES_H
#define CS_LOOP_PRICES_H

#include "predict/methods/nearby.h"
#include "predict/model/observations.h"

/* Prices for segments that nobody has measured. */
struct cs_loop_prices {
    const struct cs_observations *o; /* that they were learnt from */
    double beside;                   /* ns of each piece beside its loops */
    double *turn;                    /* ns of a turn by counter; of a loop that nobody has measured, the mean of all */
    bool *known;                     /* by counter: it has a price of its own */
    double off; /* measured pieces are off the prices that the others say of them, as a share of these: the root mean
                   square; 1: too few tell it */
    struct cs_nearby size; /* by what factor pieces of a size are off these prices */
    double *after; /* by site + 1: by what factor pieces behind it are off; it goes through memory for the first time */
};

/* From all rows with times, for the segments that have none; `mean`: ns of a turn on average. Where no such segment
 * exists, or nothing can be told apart, all loops have the mean. 0, or -1: no memory. */
int cs_loop_prices_make(const struct cs_observations *o, double mean, struct cs_loop_prices *p);
/* ns of a piece that begins at the site; -1: at the program's start. */
double cs_loop_prices_of(const struct cs_loop_prices *p, int from, const struct cs_observed_row *row);
/* How far the piece may be off that, as a share: a standard deviation. */
double cs_loop_prices_off(const struct cs_loop_prices *p, const struct cs_observed_row *row);
void cs_loop_prices_free(struct cs_loop_prices *p);

#endif
