/* SPDX-License-Identifier: GPL-3.0-or-later
 * Slices a stored program under further assumptions, each time in a process of its own, so that nothing has to be
 * undone and two trials run at once. */
#ifndef CS_TRIAL_H
#define CS_TRIAL_H

#include "slicer/advise/candidates.h"
#include "slicer/advise/choice.h"
#include "slicer/slice.h"
#include "slicer/model/effects.h"
#include "slicer/text/stored.h"

/* Plans that a trial gives back, and assumptions that are said to be to blame, at most. */
enum { CS_TRIAL_PLANS = 32, CS_REFUSED_MOST = 64 };

/* What the slice is like. Statements are numbers of the stored graph. */
struct cs_trial {
    int status;                             /* 0; -1: no such slice can be made */
    double seconds;                         /* of the processor that it takes about, by counts: each time the same */
    int nrefused, refused[CS_REFUSED_MOST]; /* then the numbers of the job's assumptions that are to blame */
    bool kept_all;                          /* pointers could not be followed within the budget */
    int kept, total, sites, contents; /* statements; MPI calls that may be events, and those that transmit content */
    int nplans;
    struct cs_plan plans[CS_TRIAL_PLANS];     /* what to try next, best first */
    int source[CS_TRIAL_PLANS][CS_PLAN_MOST]; /* the MPI call that brings what the branch asks for, -1: none */
    /* Statements that may be kept with those of the job's list that are chosen, and with these and the first plan. */
    int may_keep, may_keep_with_plan;
    bool chosen[CS_CHOICE_MOST], chosen_with_plan[CS_CHOICE_MOST];
    bool unused[CS_CHOICE_MOST]; /* by assumption of the job: it is about a value or a loop that nothing kept needs */
};

/* A slice of one statement in so many is so small that one looks no further. */
enum { CS_SMALL_PART = 8 };

static inline bool cs_small_enough(int kept, int total)
{
    return kept <= total / CS_SMALL_PART;
}

/* One trial: the stored program's own assumptions, and these. */
struct cs_trial_job {
    const struct cs_stored_program *program;
    const struct cs_effects *effects;
    char *const *hints; /* what is known of a recorded run (cs_candidates_find), NULL at the end */
    int n;
    const char **assumes; /* n of them, the caller's */
    bool any_size;        /* what is chosen is to hold on any number of ranks */
    bool look;            /* for plans, and for what to choose of the list */
    int nlist;
    char *const *list;        /* assumptions that could be made, too: nlist of them, the caller's */
    struct cs_learnt *learnt; /* what is known from the start, the caller's */
    bool learn;               /* sets *learnt to what is known in the end, for trials with further assumptions */
    struct cs_trial result;
};

/* Runs all jobs, `at_once` at a time. */
void cs_trials_run(struct cs_trial_job *jobs, int n, int at_once);

#endif
