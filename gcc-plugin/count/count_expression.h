/* SPDX-License-Identifier: GPL-3.0-or-later
 * Expressions of counts, in GCC's trees, and the statements that compute them. */
#ifndef CS_COUNT_EXPRESSION_H
#define CS_COUNT_EXPRESSION_H

#include "gcc-plugin/gcc/gcc-common.h"

/* Numbers modulo 2^64, of which counters are, and whole numbers of 64 bits. */
tree cs_u64();
tree cs_s64();
/* A constant of cs_s64(). */
tree cs_whole_number(HOST_WIDE_INT n);
/* Appends statements that compute the expression, and gives what has its value. GCC's own gimplifier would make
 * branches of some conditions. */
tree cs_count_compute(gimple_seq *seq, tree t);

#endif
