/* SPDX-License-Identifier: BSD-3-Clause
 * Where a rank is in a grid of ranks, and which ranks are around it. */
#ifndef CS_GRID_PLACES_H
#define CS_GRID_PLACES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sides of a grid at most, and ranks around one. */
enum { CS_SIDES_MOST = 3, CS_AROUND_MOST = 26 };

/* Side q is number order[q] of what MPI_Dims_create gives, the largest first; ranks count along side 0 first. */
struct cs_rank_grid {
    int nsides, order[CS_SIDES_MOST];
};
/* A rank's place in it. */
struct cs_rank_place {
    int n, at[CS_SIDES_MOST], side[CS_SIDES_MOST], rank;
};

/* size is at least 1. */
struct cs_rank_place cs_rank_place(const struct cs_rank_grid *g, int rank, int size);
/* How many ranks are around it, those at edges and corners too. */
int cs_ranks_around(const struct cs_rank_place *p);
/* Rank number k of these, from 0, in the order of ranks, over and over; the rank itself if there is none. *toward: the
 * sum of 1, 2 and 4 for the sides along which it is another place than the rank's. */
int cs_rank_near(const struct cs_rank_place *p, int64_t k, int *toward);

#ifdef __cplusplus
}
#endif
#endif
