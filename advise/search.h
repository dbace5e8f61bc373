/* SPDX-License-Identifier: GPL-3.0-or-later
 * Searches for assumptions that shrink a slice: trials lead on to further ones, in about the processor time of a link.
 */
#ifndef CS_SEARCH_H
#define CS_SEARCH_H

#include "advise/trial.h"
#include "advise/unchanged.h"

/* Bytes of an assumption as text, with the 0 at its end; lists of a search. */
enum { CS_ASSUMPTION_TEXT = 320, CS_LISTS_MOST = 8 };

/* Assumptions that are tried together, a[0] to a[n - 1] and those of `with` (the search's own, NULL: none), and what
 * came of it. `stmt` is the branch (-1: none), `source` the MPI call that brings what the branch asks for, or -1:
 * numbers of statements of the stored graph. */
struct cs_tried {
    int n;
    struct {
        char text[CS_ASSUMPTION_TEXT];
        int stmt, source, named; /* named: number of the value, -1: it is about no value */
    } a[CS_PLAN_MOST];
    const struct cs_unchanged *with;
    bool untried; /* the result is an estimate */
    struct cs_trial result;
};

/* The whole search: the program, the trials so far, tried[0] to tried[n - 1] in the order of the rounds, and what they
 * may cost. The caller sets `program`, `effects`, `hints`, `at_once`, `seconds` and `any_size`, all else begins with 0;
 * cs_search_free() frees what it owns, which hints are not. */
struct cs_trials {
    struct cs_stored_program program;
    struct cs_effects *effects;
    struct cs_trial base;    /* without any further assumption */
    struct cs_learnt learnt; /* what was known of constants: by the link, then by the base */
    struct cs_tried *tried;
    int n, cap;
    double seconds;                          /* of the processor, for all trials; 0: about those of the link */
    bool given;                              /* the user has said so: they are measured, and else by counts */
    double counted;                          /* those of all trials that have ended, by counts */
    int ntrials;                             /* that have ended */
    bool cut;                                /* more would have been tried, had there been time */
    bool over;                               /* the time was made longer, for a last trial */
    bool tried_all;                          /* all that the recorded run always did, together */
    bool any_size;                           /* runs of several numbers of ranks were recorded */
    double each, first;                      /* that the last trials took, and the base */
    struct cs_unchanged all;                 /* what the recorded run always did */
    int at_once;                             /* trials that run at a time */
    char **hints;                            /* what a recorded run did, NULL at the end */
    const char *trips;                       /* what stands for N in a trial: no slice depends on it */
    struct cs_unchanged with[CS_LISTS_MOST]; /* lists for tried sets, the first nwith */
    int nwith;
};

/* Tries the program as it is, and what follows from that. False: it cannot be sliced again. */
bool cs_search_run(struct cs_trials *s);
void cs_search_free(struct cs_trials *s);

#endif
