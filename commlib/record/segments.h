/* SPDX-License-Identifier: BSD-3-Clause
 * What the program's counters came to between one recorded call and the next: sums for each pair of call sites. */
#ifndef CS_SEGMENTS_H
#define CS_SEGMENTS_H

#include <stdint.h>

/* With the lock held, all of them. */

/* A recorded call at this site of the trace begins, at t_enter; the last one ended at the t_exit that was given then.
 * Times are as in an event. Does nothing in a program without counters. */
void cs_segments_call(int site, int64_t t_enter, int64_t t_exit, int64_t t_delay);
/* Writes the counters and all segments into the trace, and forgets them. */
void cs_segments_store(void);

#endif
