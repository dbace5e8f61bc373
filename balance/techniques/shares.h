/* SPDX-License-Identifier: BSD-3-Clause
 * Shares of a loop that add up exactly: by weights, or so that workers whose time is a function of the size finish
 * together. */
#ifndef CS_SHARES_H
#define CS_SHARES_H

#include <stdint.h>

/* How long a worker takes for a number of items: straight lines from nothing through these points, in ascending order
 * of size, and on beyond the last one. Sizes and seconds are above 0. */
struct cs_time_curve {
    int n;
    const double *size, *seconds;
};

/* Shares in proportion to n weights, by largest remainder: each is its exact part, rounded up or down, and they add up
 * to items. Weights are finite and not below 0, and one is above. 0, or -1 with errno when memory is out. */
int cs_shares_by_weight(int64_t items, int n, const double *weight, int64_t *share);
/* Shares after which all workers take as long as each other, as far as whole items allow. A curve without points is
 * taken as one second for each item. The same result. */
int cs_shares_by_curve(int64_t items, int n, const struct cs_time_curve *curve, int64_t *share);
/* Seconds in which `count[i]` workers of each of n curves do all items together, parts of items included; 0 items: 0.
 */
double cs_curves_together(double items, int n, const struct cs_time_curve *curve, const double *count);
/* Seconds for so many items. */
double cs_curve_seconds(const struct cs_time_curve *c, double items);

#endif
