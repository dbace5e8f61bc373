/* SPDX-License-Identifier: BSD-3-Clause
 * What a recorded run teaches of how times vary: its pieces by segment, rank and time. */
#ifndef CS_RUN_VARIATION_H
#define CS_RUN_VARIATION_H

#include "predict/model/observations.h"

/* Adds the variation of each segment in the run that was observed last, whose trace this is, and what the first time
 * of each of its rows took. Of a run of more than 64
 * ranks the first ones are looked at, of a segment the first 500 times. 0, or -1: no memory. */
int cs_observe_variation(struct cs_observations *o, const struct cs_trace *t);

#endif
