/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is linear in the number of the iteration, and its sum over iterations. */
#ifndef CS_COUNT_LINES_H
#define CS_COUNT_LINES_H

#include "gcc-plugin/gcc/gcc-common.h"

#include "gcc-plugin/count/value_before.h"

/* base + step k in iteration k, as signed 64-bit numbers that are valid before the loop. */
struct cs_line {
    tree base, step;
};
/* The value as a line; false if it is none that is seen. */
bool cs_line_of(const cs_around *a, tree t, cs_line *out);
/* The guard as a line that is at least 0 where the guard holds. */
bool cs_line_of_guard(const cs_around *a, tree guard, cs_line *out);
/* The sum of line `c` over those of `times` iterations in which line `guard` is at least 0. */
bool cs_line_sum(const cs_line *c, const cs_line *guard, tree times, tree *sum);

#endif
