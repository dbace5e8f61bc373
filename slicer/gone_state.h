/* SPDX-License-Identifier: GPL-3.0-or-later
 * Attribute callbacks of Fortran are given `extra_state` by reference: MPICH keeps the address of what the call that
 * made the key was given. If that is a variable of a procedure that has returned, they read what is there by then. */
#ifndef CS_GONE_STATE_H
#define CS_GONE_STATE_H

#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* Once LIVE is known: calls say() for each call that makes a key of a local variable, whose value a kept statement of
 * another procedure reads, where calls that run callbacks are made while the variable's procedure does not run. */
void cs_gone_state_check(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts,
                         void (*say)(void *arg, int stmt), void *arg);

#endif
