/* SPDX-License-Identifier: BSD-3-Clause
 * What the program's counters came to between one recorded call and the next: sums for each pair of call sites. */
#ifndef CS_SEGMENTS_H
#define CS_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With the lock held, all of them. */

/* A recorded call at this site of the trace begins, at t_enter; the last one ended at the t_exit that was given then.
 * Times are as in an event. Does nothing in a program without counters. */
void cs_segments_call(int site, int64_t t_enter, int64_t t_exit, int64_t t_delay);

/* A turn of a loop begins; its place, for the two below. From here on calls are noted. */
size_t cs_segments_turn(void);
/* Is all noted of the turn that began there and ends now, and did it make a call? Or there are no counters. */
bool cs_segments_turn_known(size_t place);
/* That turn, of which that is so, is made so many times more. */
void cs_segments_again(size_t place, int64_t times);
/* The turn that began there is over, and will not be made again; one around it is under way. */
void cs_segments_turn_over(size_t place);
/* No turn is under way any more: calls are not noted. */
void cs_segments_turns_end(void);

/* Writes the counters and all segments into the trace, and forgets them. */
void cs_segments_store(void);

#endif
