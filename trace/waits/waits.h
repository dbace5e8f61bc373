/* SPDX-License-Identifier: BSD-3-Clause
 * Who waits for whom in a recorded run, and why: wait states as Scalasca finds them (Geimer, Wolf, Wylie, Abraham,
 * Becker, Mohr 2010), what those did who were awaited (Boehme, Geimer, Wolf, Arnold 2010), and the critical path. */
#ifndef CS_WAITS_H
#define CS_WAITS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/trace.h"

/* What a rank waits for in a call. */
enum cs_wait_kind {
    CS_WAIT_MESSAGE, /* a message that is sent later than it is wanted */
    CS_WAIT_RECEIVE, /* the receive of a message that does not go without one */
    CS_WAIT_ALL,     /* the last rank that comes to a collective */
    CS_WAIT_ROOT,    /* the root of a collective */
    CS_WAIT_KINDS
};

/* A place that makes a call; times are ns of all ranks. */
struct cs_wait_place {
    struct cs_site at; /* as the user's `locate` says it; file NULL: not known */
    int call;          /* index in the MPI table */
    int64_t calls;
    double before; /* computing in front of the call, from the end of the one before */
    double inside; /* in the call; of this: */
    double waiting[CS_WAIT_KINDS];
    double most; /* the waiting of the rank that waits most here: */
    int most_rank;
    double path_before, path_inside; /* of the critical path */
    double longest;                  /* the computing of the rank that computes most in front of it: */
    int longest_rank, ranks;         /* ranks: how many come here */
};

/* What a rank did. Times are ns. */
struct cs_wait_rank {
    double computing, delayed, inside, waiting;
    double caused; /* what others waited for it */
    double path;   /* how long the critical path is on this rank */
    double end;    /* of its last call */
};

/* What a rank does while others wait for it. */
enum cs_cause_doing {
    CS_CAUSE_COMPUTES, /* in front of the place */
    CS_CAUSE_DELAYED,  /* there, ready and not running, or the recorder wrote */
    CS_CAUSE_IN_CALL   /* it is in the call of the place, and does not wait */
};

/* Others wait for ns in all while the rank does this; most of it, ns_there, at place `there`. */
struct cs_wait_cause {
    int rank, place;
    enum cs_cause_doing doing;
    double ns, ns_there;
    int there;
    double own, mean; /* COMPUTES: the time of the rank at that place, and the mean of all ranks that come there */
};

/* The waiting of a run. */
struct cs_waits {
    int nranks, nplaces;
    struct cs_wait_place *place; /* as they come for the first time */
    struct cs_wait_rank *rank;
    size_t ncauses;
    struct cs_wait_cause *cause; /* the largest first */
    double ns;                   /* of the run: of the rank whose last call ends last */
    double path_delayed;         /* of the critical path: nobody ran */
    int64_t early;               /* messages that came before they were sent, as clocks of ranks differ, */
    double earliest;             /* by at most so many ns */
};

/* Who asks. */
struct cs_wait_user {
    /* What is shown for a site of the trace; its strings must outlive the result. NULL: the site itself. */
    struct cs_site (*locate)(void *arg, const struct cs_site *site);
    void *arg;
    void (*progress)(const char *what, int64_t done, int64_t total); /* NULL: nobody wants it */
};

/* Finds all that from a trace with times, event by event in the order of the clocks. Memory grows with what is under
 * way and with the ranks, and with the length of the critical path. What MPI_Test, MPI_Iprobe, scans, collectives of
 * neighbours and between groups, calls on windows and files and MPI_Finalize wait for is not told. NULL and a one-line
 * reason. */
struct cs_waits *cs_waits_find(const struct cs_trace *t, const struct cs_wait_user *u, char *errbuf, size_t errlen);
void cs_waits_free(struct cs_waits *w);

#endif
