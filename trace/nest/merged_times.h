/* SPDX-License-Identifier: BSD-3-Clause
 * Times that go from one nest to another which makes the same calls: for folding. */
#ifndef CS_MERGED_TIMES_H
#define CS_MERGED_TIMES_H

#include "trace/nest/nest.h"

/* Takes the times out of m, with a copy of the nest that they belong to: what is returned has nothing else. NULL: no
 * memory. */
struct cs_merged *cs_merged_times_out(struct cs_merged *m);
/* Gives m, whose nest makes the same calls, the times of that one. 0, or -1 and a reason. */
int cs_merged_times_in(struct cs_merged *m, struct cs_merged *from, char *errbuf, size_t errlen);

#endif
