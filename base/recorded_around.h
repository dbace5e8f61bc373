/* SPDX-License-Identifier: BSD-3-Clause
 * Rules of lists that have a number for each rank around one in a grid of ranks: which rank that is, or how much goes
 * there. */
#ifndef CS_RECORDED_AROUND_H
#define CS_RECORDED_AROUND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/recorded_value.h"

/* Writes an expression (base/expression.h) that gives what each rank had each time in each of the runs v, v->also ...,
 * of three numbers of ranks or more: the ranks around it, over and over; or numbers that only the way from one rank to
 * the other decides, others perhaps in each round of all ranks around it. False if there is none; nothing is written
 * then. */
bool cs_recorded_around(FILE *f, const struct cs_recorded_value *v);

#endif
