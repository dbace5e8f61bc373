/* SPDX-License-Identifier: BSD-3-Clause
 * What the two halves of the profile share.
 * Private to them; profile.h has the way in. */
#ifndef CS_PROFILE_INTERNAL_H
#define CS_PROFILE_INTERNAL_H

#include "trace/analyse/profile.h"

/* Fills in inits and ninits. 0, or -1: not enough memory. */
int cs_profile_inits(struct cs_profile *p);

#endif
