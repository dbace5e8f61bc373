/* SPDX-License-Identifier: BSD-3-Clause
 * What a piece of computation goes through again and again, by its loops alone, and from which cache it has it. Two
 * things may be gone through again:
 *     all of it, with what its rank does around it, when the piece is run the next time
 *     what one iteration of the outermost loop goes through, in the next: in a product of matrices one of them
 * A turn of the innermost loop is taken to bring 8 bytes that no other turn brings. */
#ifndef CS_WORKING_SET_H
#define CS_WORKING_SET_H

#include "predict/model/observations.h"

/* Which of the two. */
enum cs_working_set { CS_SET_ALL, CS_SET_ITERATION, CS_SETS };

/* All turns of the row that are counted in every run, and 1. */
double cs_turns_counted(const struct cs_observations *o, const struct cs_observed_row *row);
/* Turns in one iteration of the outermost loop: all, over those of the counter that has fewest, but more than one. */
double cs_turns_of_iteration(const struct cs_observations *o, const struct cs_observed_row *row);
/* Bytes that so many turns go through. */
double cs_bytes_of_turns(double turns);

/* Beyond how many caches of the machine so many bytes go; 0 where no caches are known. */
int cs_cache_level(const struct cs_observations *o, double bytes);
/* ns that a turn takes longer, at most, with its data beyond `to` caches in place of `from`. */
double cs_cache_step_ns(const struct cs_observations *o, int from, int to);

#endif
