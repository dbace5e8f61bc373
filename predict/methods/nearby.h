/* SPDX-License-Identifier: BSD-3-Clause
 * What a formula leaves over, by the size of the piece: measured pieces of about the size that is asked for say by what
 * factor the formula is off there. So caches, arms that are taken more often in small pieces, and whatever else makes a
 * turn dearer or cheaper, need no term.
 * A line is laid through the logarithms of what was measured, the nearest counting most (local linear regression, by
 * W. S. Cleveland's "Robust locally weighted regression", JASA 1979). */
#ifndef CS_NEARBY_H
#define CS_NEARBY_H

/* Pieces of one size: log2 of their turns, log of measured over formula (the mean of them), and how many they are. */
struct cs_nearby_point {
    double size, off, weight;
};

/* Ascending by size after cs_nearby_settle. All zero: nothing was measured, and the factor is 1. */
struct cs_nearby {
    int n, cap;
    struct cs_nearby_point *point;
    double most; /* largest logarithm of the factor; 0: that of a factor of 2 */
};

/* Adds a piece. 0, or -1: no memory. */
int cs_nearby_add(struct cs_nearby *m, double size, double measured_over_formula);
/* When all are added: makes one point of those of a size. */
void cs_nearby_settle(struct cs_nearby *m);
/* By what the formula is to be multiplied at that size. */
double cs_nearby_factor(const struct cs_nearby *m, double size);
void cs_nearby_free(struct cs_nearby *m);

#endif
