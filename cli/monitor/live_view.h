/* SPDX-License-Identifier: BSD-3-Clause
 * A look at a run that is under way: what each rank is at, who waits for whom, when the loop will end, and whether a
 * new plan is worth it. Made from a copy of the run's file and a time, so that tests need neither run nor clock. */
#ifndef CS_LIVE_VIEW_H
#define CS_LIVE_VIEW_H

#include "balance/techniques/replan.h"
#include "live/live_state.h"

/* What a rank is at, for people. */
enum cs_rank_at {
    CS_AT_ELSEWHERE, /* on another machine, or not yet begun */
    CS_AT_COMPUTES,
    CS_AT_CALL,    /* in an MPI call */
    CS_AT_STOPPED, /* its process is, by a signal */
    CS_AT_ENDED,
    CS_AT_DEAD, /* its process is gone, without MPI_Finalize */
    CS_AT_STATES
};

/* A rank. */
struct cs_rank_view {
    struct cs_live_calls calls;
    struct cs_live_loop loop;
    enum cs_rank_at at;
    int waits_for;     /* rank that it waits for, -1: none or not known */
    double mpi_share;  /* of the time so far; below 0: not known */
    double rate;       /* items a second by now; 0: not known */
    double slow, fast; /* between which it is, by what was seen of it */
    double left;       /* items of its own, of its block or the chunk at work */
};

/* An end, seconds from now. known: false where nobody has done a chunk, or a trace says too little. by_others: ranks of
 * a loop that are at their first chunk and are taken to be as fast as the others, by their speeds. */
struct cs_live_end {
    bool known;
    double seconds, least, most;
    int by_others;
};

/* The look. loop: the number of the newest loop, 0: none; items to pool are of it. */
struct cs_live_view {
    int nranks, here; /* here: ranks with a process on this machine */
    int64_t now;
    struct cs_rank_view *rank;
    int loop, technique;
    int64_t items, done;
    double pool, rate;
    bool blocks; /* decided beforehand, */
    bool moves;  /* and in parts, which go to others by a plan */
    struct cs_live_end end;
    int nchain,
        *chain;  /* the longest chain of ranks, each of which waits for the next; circle: the last for one before */
    bool circle; /* the last one of it for the first */
    bool offer;  /* a plan is worth it: */
    struct cs_replanned plan;
    double *speed; /* of it */
};

/* Reads the processes' states from the system, too. 0, or -1 when memory is out. v is to be freed, and may be used
 * again for the same run. */
int cs_live_view_make(struct cs_live_view *v, const struct cs_live_run *l, int64_t now);
void cs_live_view_free(struct cs_live_view *v);
/* Fills in the end of the newest loop, after the rest: live_end.c. */
void cs_live_find_end(struct cs_live_view *v);
/* Is the rank alive and in the newest loop? */
bool cs_live_at_loop(const struct cs_live_view *v, int i);
/* Fills in waits_for of all ranks and the chain: live_waits.c. */
void cs_live_waits(struct cs_live_view *v);
/* Seconds since that time, not below 0; since 0: -1. */
double cs_live_seconds(const struct cs_live_view *v, int64_t since);

#endif
