/* SPDX-License-Identifier: BSD-3-Clause
 * What an instrumented original has noted of values that advise may suggest assumptions about. */
#ifndef CS_SEEN_VALUES_H
#define CS_SEEN_VALUES_H

#include <mpi.h>

/* Has the program tell what values are, each time, if it is an instrumented original. */
void cs_seen_values_start(void);
/* Collective. At rank 0 a line a value that was there at all, malloced:
 *   halo.c:40:count was 10 to 14, 12 in the mean, 400 times; by rank 10 10,12,14 10:12:14 -
 * of each rank its value, or, if they are few or repeat, its values in their order (cs_series_print()), or the
 * smallest, the mean and the largest, or
 * - where it has none. Where it depends on arrivals how often the rank came there, or what it was, there is
 * ", as messages came" or ", by messages that came" behind
 * `times`, and no order. NULL elsewhere, or where nothing was noted. */
char *cs_seen_values_text(MPI_Comm comm);

#endif
