/* SPDX-License-Identifier: BSD-3-Clause
 * What MPI_Dims_create makes of a number of processes, with MPICH 4.0.2's results. */
#ifndef CS_GRID_SIDES_H
#define CS_GRID_SIDES_H

/* Dimensions at most, as in MPICH. */
enum { CS_DIMS_MOST = 20 };

/* Sets dims[0] to dims[d - 1], the largest first: of all products of d factors that are n, the one with the least
 * difference between largest and smallest factor. 12 in two dimensions is 4 x 3. n is at least 1, d from 1 to
 * CS_DIMS_MOST. */
void cs_dims(int n, int d, int *dims);

#endif
