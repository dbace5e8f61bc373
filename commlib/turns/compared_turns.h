/* SPDX-License-Identifier: BSD-3-Clause
 * Loops whose turns may be alike: what turns begin with, what they see of counters, and for how many further turns that
 * goes on in the same way (api/repeated_turns.h). Where two turns of a loop begin with the same, those from the first
 * to the second are a period: all later ones do the same again, as long as what they see of counters is the same. */
#ifndef CS_COMPARED_TURNS_H
#define CS_COMPARED_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/repeated_turns.h"

/* Of a counter: what it is in the next turn, what it was in the turn that others are compared with, how it goes on. */
struct cs_turn_counter {
    cs_turns_number now, was, step;
    long how;
};
/* What was seen of a counter since then: once each. */
struct cs_turn_seen {
    int counter;
    long is, with, how;
};
#define CS_TURN_SEEN_MOST 32

/* One loop. All zero: nothing is known. */
struct cs_compared_turns {
    struct cs_turn_counter counter[CS_TURNS_COUNTERS_MOST];
    struct cs_turn_seen seen[CS_TURN_SEEN_MOST];
    long now[CS_TURNS_VALUES_MOST], was[CS_TURNS_VALUES_MOST]; /* values */
    int ncounters, nseen, nnow, nwas;
    bool lost; /* more was seen, or told, than there is room for */
    bool has_was;
    int64_t turns; /* since the turn that is compared with */
    int64_t next;  /* after so many turns that will be another one */
};

/* Takes what the program tells, all but HEAD. */
void cs_compared_tell(struct cs_compared_turns *t, long a, long b, long c, long how);
/* The next turn begins. How many turns from there on are whole periods, of *period turns each; 0: none. */
int64_t cs_compared_head(struct cs_compared_turns *t, int64_t *period);
/* After that: shall the next turn be the one that others are compared with? */
bool cs_compared_is_due(const struct cs_compared_turns *t);
/* So be it, and `skipped` turns have been recorded. */
void cs_compared_begin(struct cs_compared_turns *t, int64_t skipped);
/* What was told of the turn that begins is forgotten. */
void cs_compared_next(struct cs_compared_turns *t);

#endif
