/* SPDX-License-Identifier: BSD-3-Clause
 * Which send each receive of a run gets, for formats that join them by a line: both in the order in which they are
 * begun (MPI 3.1, 3.5). Fed with the moments of all ranks. */
#ifndef CS_MET_MESSAGES_H
#define CS_MET_MESSAGES_H

#include "cli/export/rank_moments.h"
#include "cli/export/sorted_messages.h"

/* Sends and receives that have not met, and those that have. Memory grows with what is under way. */
struct cs_meeting_place;

/* NULL: no memory. x lives until the end, and counts in x->inexact what the trace does not name: partners, who was
 * first where any source will do, and when a request ended that MPI_Waitany or MPI_Test completed. */
struct cs_meeting_place *cs_meeting_place_new(struct cs_export *x);
/* For cs_rank_moments; arg: the meeting place. */
int cs_meeting_place_moment(void *arg, const struct cs_moment *m);
/* The messages, ready to be read, which are the caller's; NULL after a message. No moment comes after that. */
struct cs_sorted_messages *cs_meeting_place_finish(struct cs_meeting_place *p);
/* The communicator of the call of that rank by a number that all its members have; -1: it has none. */
int cs_meeting_place_comm(struct cs_meeting_place *p, const struct cs_args *a);
void cs_meeting_place_free(struct cs_meeting_place *p);

#endif
