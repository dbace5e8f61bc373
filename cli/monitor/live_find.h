/* SPDX-License-Identifier: BSD-3-Clause
 * Finds runs that can be watched, and removes what dead ones have left. */
#ifndef CS_LIVE_FIND_H
#define CS_LIVE_FIND_H

#include "live/live_state.h"

/* The run of this name, or with a process of this number; NULL: the only one that is there. 0, or an exit code after a
 * message; if there are several, after a list of them. l is to be unmapped. */
int cs_live_find(const char *run, struct cs_live_run *l);
/* The name of the run. Returns buf. */
const char *cs_live_run_name(const struct cs_live_run *l, char buf[256]);

#endif
