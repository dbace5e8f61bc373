/* SPDX-License-Identifier: BSD-3-Clause
 * Observations as text input of Extra-P, which finds formulas in the number of ranks and the size:
 *
 *     PARAMETER p n
 *     POINTS (4 512) (8 512)
 *     METRIC time
 *     REGION whole
 *     DATA 1.02 1.01        one line a point, one number a run */
#ifndef CS_EXTRAP_TEXT_H
#define CS_EXTRAP_TEXT_H

#include <stdio.h>

#include "predict/model/observations.h"

/* What every such file begins with. */
#define CS_EXTRAP_BEGINS "# Extra-P text input of commslice\n"

/* Writes times, visits and turns of the mean rank, of the whole and of each segment. 0, or -1 with a one-line reason:
 * runs of one number of ranks are not of one size, and nobody said which they are. */
int cs_extrap_write(const struct cs_observations *o, FILE *f, char *why, size_t whylen);

#endif
