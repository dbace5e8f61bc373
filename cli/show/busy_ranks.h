/* SPDX-License-Identifier: BSD-3-Clause
 * Which ranks send most, to whom: the sentence below the map of `commslice matrix`, and its members in JSON. */
#ifndef CS_BUSY_RANKS_H
#define CS_BUSY_RANKS_H

#include "cli/frame/json.h"
#include "trace/analyse/traffic.h"

/* Says on standard output which rank sends most and how much that is over the mean, and which pair has most; by
 * messages or by bytes. Nothing where no messages are. 0, or an exit code after a message. */
int cs_busy_ranks_print(const struct cs_traffic *s, int nranks, bool messages);
/* The same as the member `ranks_that_send`: for each rank that sends, messages, bytes and destinations. */
int cs_busy_ranks_json(struct cs_json *j, const struct cs_traffic *s, int nranks);

#endif
