/* SPDX-License-Identifier: BSD-3-Clause
 * Rules of programs whose ranks are a grid of two or three dimensions. */
#ifndef CS_RECORDED_GRID_H
#define CS_RECORDED_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/grid_places.h"

/* One number that a rank had, and which rank that was, of how many. */
struct cs_rank_number {
    int64_t value;
    int rank, size;
};

/* The grids that are tried, the likeliest first. */
enum { CS_RANK_GRIDS = 8 };
extern const struct cs_rank_grid cs_rank_grids[CS_RANK_GRIDS];
/* Writes how many ranks are around one, as an expression. */
void cs_grid_print_around(FILE *f, const struct cs_rank_grid *g);

/* Writes an expression (base/expression.h) of which each of the n numbers is *multiple times, if there is a grid of the
 * sides that MPI_Dims_create would choose, in any order, in which the ranks count along one side, then the next, so
 * that the number is a multiple of: a side; where the rank is along a side; how many neighbours it has, with those at
 * edges and corners or without; or it is the next rank along a side, which is closed to a ring. False if there is none,
 * or if it may be chance; nothing is written then. */
bool cs_grid_rule(FILE *f, const struct cs_rank_number *a, size_t n, int64_t *multiple);

#endif
