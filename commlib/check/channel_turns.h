/* SPDX-License-Identifier: BSD-3-Clause
 * The channel check for turns of loops that are recorded at once: what was counted since some moment is counted so many
 * more times, as if the turns had run. Such moments are called marks, have growing numbers, and end last first. */
#ifndef CS_CHANNEL_TURNS_H
#define CS_CHANNEL_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct channel;
struct collectives;

/* With the lock held, all of them. */

/* A mark begins; its number is above 0 and above those before. Returns what the others need to know of it. */
size_t cs_channel_turns_begin(long mark);
/* Is known what was counted since this mark? */
bool cs_channel_turns_known(long mark);
/* What was counted since the newest mark, all of it unmarked calls, happens `times` more times. */
void cs_channel_turns_again(size_t began, int64_t times);
/* The mark is over, and all newer ones. `below`: the newest one that is left, 0: none. */
void cs_channel_turns_end(size_t began, long below);

/* The channel check tells what it is about to count. */
void cs_channel_turns_message(struct channel *c);
void cs_channel_turns_collective(struct collectives *c);

#endif
