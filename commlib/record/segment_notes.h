/* SPDX-License-Identifier: BSD-3-Clause
 * What calls added to segments since a turn of a loop began, so that further turns can be added without running. */
#ifndef CS_SEGMENT_NOTES_H
#define CS_SEGMENT_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/counters.h"

/* Calls between two sites, `times` of them, and what the counters came to in all of these: the sums from `sum` on,
 * ascending by counter. Notes of two turns, whose first call is a note of its own; all others of the same sites may be
 * one:
 *     begin | 9 -> 7 once | 7 -> 9 400 times | 9 -> 7 399 times | begin | 9 -> 7 once | ... */
struct cs_segment_note {
    int from, to, nsums;
    size_t sum;
    uint64_t times;
};
/* In place of `to`: no call, but a turn begins, and the counters have gone on by so much since the call at `from`. */
enum { CS_NOTE_BEGIN = -2 };

/* Are calls to be noted? Not before a turn has begun, nor once there are too many notes. */
bool cs_segment_notes_wanted(void);
/* Notes calls, whose sums come next. */
void cs_segment_note(int from, int to, uint64_t times);
/* A new note: of calls, or, with CS_NOTE_BEGIN, of a turn, after which calls are to be noted. Its place: later notes
 * have later ones. */
size_t cs_segment_note_apart(int from, int to, uint64_t times);
/* Adds a sum of what was noted last, which come ascending by counter; nothing if notes are not wanted. */
void cs_segment_note_sum(int counter, uint64_t sum);
/* The turn that began there is over, and nobody asks for it any more: its notes become some of the turn around it. */
void cs_segment_notes_join(size_t place);
/* Calls are not to be noted any more; what was is forgotten. */
void cs_segment_notes_end(void);

/* Where the note and all later ones are, *n of them, until the next one is made. NULL: they are forgotten. */
const struct cs_segment_note *cs_segment_notes_from(size_t place, int *n);
const struct cs_count *cs_segment_note_sums(const struct cs_segment_note *note);

#endif
