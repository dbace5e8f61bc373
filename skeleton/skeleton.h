/* SPDX-License-Identifier: BSD-3-Clause
 * From the merged form of a run to a C program that communicates as the run did, with loops K times shorter.
 * docs/reference/skeletons.md has the rules: what is divided, where computing time goes, why the program cannot
 * deadlock. */
#ifndef CS_SKELETON_SKELETON_H
#define CS_SKELETON_SKELETON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/nest/nest.h"

/* What kind of program is wanted. The strings are the caller's. */
struct cs_skeleton_options {
    int64_t scale;      /* K, at least 1 */
    bool force;         /* K may be larger than any trip count: then loops run twice */
    double work_rate;   /* turns of the work loop a second where the times come from (cs_skeleton_work_rate); 0: no
                           computation */
    const char *source; /* what the program is made from, for its comments */
    const char *times;  /* where its times come from, one line; NULL: from the trace itself */
    const struct cs_trace
        *trace; /* that m and its times were made of: gaps vary as they did there; NULL: each is as long as the mean */
    const char *program; /* name of the program, for its messages */
};

/* What was done, for the user. */
struct cs_skeleton_report {
    bool times;              /* computation is replayed */
    int divided, two, whole; /* loops that run K times fewer iterations; of fewer than K, that run two; and others */
    int unmatched;   /* of the others, those that run K times or more but whose iterations are not matched in themselves
                      */
    int64_t longest; /* highest trip count of the original */
    char note[256];  /* what the user should know, one line; empty: nothing */
};

/* Writes the program. 0, or -1 and a one-line reason: a call that it cannot make again, or K is too large. report may
 * be NULL. */
int cs_skeleton_write(const struct cs_merged *m, const struct cs_skeleton_options *o, FILE *out,
                      struct cs_skeleton_report *report, char *errbuf, size_t errlen);

/* Turns of the generated program's work loop in a second of this machine, measured for about a fifth of a second, while
 * so many processes in all (no more than there are processors) work. */
double cs_skeleton_work_rate(int nranks);

#endif
