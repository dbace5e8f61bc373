/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of all ranks in the order of time: for formats that are one file for all ranks, sorted by time.
 * Ranks with times are put together by the clocks of their machines. Memory grows with the ranks, not with the trace.
 */
#ifndef CS_RANK_MOMENTS_H
#define CS_RANK_MOMENTS_H

#include "cli/export/export.h"

/* A rank enters a call, or leaves it. Times are ns since the first rank's MPI_Init; in a trace without times the number
 * of the event on its rank. */
struct cs_moment {
    int rank, call;
    bool leaves;
    int64_t time;
    int64_t until;            /* when it leaves the call; of one that leaves: when it enters the next one, or `time` */
    int64_t index;            /* number of the event on its rank */
    const struct cs_event *e; /* NULL: it leaves */
};

/* Calls fn for each moment of all ranks, earliest first, inside the window and up to the limit of x; x->view.rank is
 * the rank's. fn returns 0, or anything else, after a message, to stop. 0, or -1 after a message. */
int cs_rank_moments(struct cs_export *x, int (*fn)(void *arg, const struct cs_moment *m), void *arg);

#endif
