/* SPDX-License-Identifier: BSD-3-Clause
 * How a segment's time varies from one time to the next on a rank, beyond what all ranks have alike:
 *
 *     times of a rank, over its mean: 0.9  3.1  1.0  0.9     of all ranks at that time: 0.95  3.0  0.95  1.1
 *     what is left over, less 1:     -0.05 0.03 0.05 -0.18
 *
 * So levels of a multigrid, a report each tenth step and the first touch of memory are no variation; what makes one
 * rank wait for another is. */
#ifndef CS_VARIATION_H
#define CS_VARIATION_H

#include <stdbool.h>
#include <stdint.h>

/* Cells of the distribution, by their share: narrow at the upper end, as the slowest of many ranks decides. */
enum { CS_VARIATION_CELLS = 14 };
/* A rank that went a way less often does not tell one time from its mean. */
enum { CS_VARIATION_TIMES = 3 };

/* Of a segment in one run. */
struct cs_variation {
    int run;
    double pieces;                   /* that it was learnt from */
    double ns;                       /* their mean time */
    double correlation;              /* of a time with the next one of the same rank, 0 to 1 */
    double cell[CS_VARIATION_CELLS]; /* ascending: times of the cell, on average, over the mean time; of all 1 */
};

/* How far a rank is in its times; begun as {.state = a number of its own}. */
struct cs_variation_place {
    uint64_t state;
    double z; /* of the last time, a standard normal number */
    int begun;
};

/* A number from 0 to 1 by chance, and the next state. */
double cs_chance(uint64_t *state);

/* Learns from times[rank * ntimes + k] ns. 0: *v is set but for its run; 1: they are too few to tell ranks from times;
 * -1: no memory. */
int cs_variation_learn(const double *times, int nranks, int ntimes, struct cs_variation *v);

/* Of n times, by what share each is off its mean; these are put in order. False: they are too few. */
bool cs_variation_of(double *off, int n, struct cs_variation *v);

/* By what a piece's mean time is multiplied this time. */
double cs_variation_next(const struct cs_variation *v, struct cs_variation_place *at);

/* The variation of pieces that take so many ns: those of about that length count most. No pieces if there is none. */
struct cs_variation cs_variation_about(const struct cs_variation *v, int n, double ns);

#endif
