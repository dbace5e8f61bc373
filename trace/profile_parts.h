/* SPDX-License-Identifier: BSD-3-Clause
 * What the two halves of the profile share.
 * Private to them; profile.h has the way in. */
#ifndef CS_TRACE_PROFILE_PARTS_H
#define CS_TRACE_PROFILE_PARTS_H

#include "profile.h"

/* Fills in inits and ninits. 0, or -1: not enough memory. */
int cs_profile_inits(struct cs_profile *p);

#endif
