/* SPDX-License-Identifier: BSD-3-Clause
 * How a run begins and ends: the calls that do it, and what is done before ranks are forked and after. */
#ifndef CS_LIFECYCLE_H
#define CS_LIFECYCLE_H

#include "commlib/state/call.h"

/* Looks up what every wrapper needs; before the first call. */
void cs_lifecycle_prepare(void);

/* The calls that begin and end a run. `caller` is the return address. */
int cs_lifecycle_init(struct cs_call *c, const void *caller);
int cs_lifecycle_finalize(struct cs_call *c);
int cs_lifecycle_abort(struct cs_call *c);

#endif
