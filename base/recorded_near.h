/* SPDX-License-Identifier: BSD-3-Clause
 * Finds what a value nearly was in recorded runs, the same on all ranks. */
#ifndef CS_RECORDED_NEAR_H
#define CS_RECORDED_NEAR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/recorded_value.h"

/* Writes an expression that no rank of the runs v, v->also ..., of which all is known, was ever far from: a number or a
 * list that comes again, within a tenth of it; or one number for each time, if these are few, that
 * no rank's was off by more than all of it, and of which the mean of each run is within a fifth; or the mean of each
 * time, if it is typical of what ranks had then. Of the size of memory it is the largest that any rank had, else the
 * mean. False if there is none; nothing is written then. */
bool cs_recorded_near(FILE *f, const struct cs_recorded_value *v);

/* The same of the iterations of a loop, of which all ranks of each run made as many each time: all ranks still go the
 * same way then. Writes what they were in the run of most ranks, if they are within a fifth of those of the
 * others. */
bool cs_recorded_near_trips(FILE *f, const struct cs_recorded_value *v);

#endif
