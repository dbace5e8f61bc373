/* SPDX-License-Identifier: BSD-3-Clause
 * How a run goes on from its beginning to its end, in a fixed number of bins, from its loop nest alone: what is in a
 * loop is dealt out iteration by iteration only if an iteration is longer than a bin, so the time this takes does not
 * grow with the events. The axis is the share of all calls that have been made, in the order of the nest; or of the
 * time, where the nest has times. */
#ifndef CS_PHASES_H
#define CS_PHASES_H

#include "trace/analyse/profile.h"

/* What a rank does, as far as phases tell it apart. DELAYED: it was ready and others ran, or the recorder wrote; only
 * a trace tells that. */
enum cs_doing {
    CS_DOING_POINT,
    CS_DOING_WAIT,
    CS_DOING_COLLECTIVE,
    CS_DOING_OTHER,
    CS_DOING_OUTSIDE,
    CS_DOING_DELAYED,
    CS_DOING_COUNT
};
enum cs_doing cs_doing_of(int call);

/* What happens in one stretch of the run, by what ranks are doing (enum cs_doing). */
struct cs_run_phase {
    double calls[CS_DOING_COUNT]; /* of all ranks; of OUTSIDE and DELAYED none */
    double bytes, handed;         /* of point-to-point sends; of collectives */
    double ns[CS_DOING_COUNT];    /* time of all ranks; 0 where the nest has no times */
};

/* Fills n bins. 0, or -1: not enough memory. */
int cs_phases_make(const struct cs_profile *p, bool by_time, int n, struct cs_run_phase *bin);

#endif
