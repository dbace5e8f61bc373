/* SPDX-License-Identifier: BSD-3-Clause
 * How far an expression is from what a value was in recorded runs. */
#ifndef CS_RECORDED_OFF_H
#define CS_RECORDED_OFF_H

#include "base/recorded_value.h"

/* The largest share by which the expression is off what a rank of the runs v, v->also ... had, each time that is known;
 * where it is not, off the rank's mean. 0.1: it is off by a tenth of what it should be; 1 for what is off from 0, and
 * for a text that is no expression. */
double cs_recorded_off(const struct cs_recorded_value *v, const char *expression);

#endif
