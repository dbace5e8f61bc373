/* SPDX-License-Identifier: BSD-3-Clause
 * Finds by which rule a rank's number, and how many ranks there are, make what a value was in recorded runs. */
#ifndef CS_RECORDED_RULE_H
#define CS_RECORDED_RULE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/recorded_value.h"

/* Writes an expression (base/expression.h) that gives what each rank had in each of the runs v, v->also ..., of which
 * all is known: the same on all; a sum of multiples of rank, size, rank==0 and rank==size-1; the rank so much further
 * in a ring; by its place in a grid (base/recorded_grid.h); a number for each rank around it in one
 * (base/recorded_around.h); or one such rule for the first rank, one for the last and
 * one for those between, each time or in their order. False if there is none, or if so few ranks follow it that it may
 * be chance; nothing is written then. */
bool cs_recorded_rule(FILE *f, const struct cs_recorded_value *v);

#endif
