/* SPDX-License-Identifier: BSD-3-Clause
 * How steps of a chain of reasons need each other, in words. A clause has the step before it as its subject ("its
 * value, n, is used by"), and the next step as its object. */
#ifndef CS_WHY_CLAUSE_H
#define CS_WHY_CLAUSE_H

#include <stddef.h>

#include "cli/show/why_chain.h"

/* Writes to buf, of n bytes, how the steps are needed by the next one, `to`. Returns buf. */
const char *cs_why_clause(const struct cs_slice_info *s, struct cs_sources *lines, const struct cs_why_group *group,
                          const struct cs_why_step *to, char *buf, size_t n);
/* Writes to buf that a file or stream is changed by way of others; never: as it
 * seems, the next step, `to`, does not find it so. */
void cs_why_state_clause(const struct cs_slice_info *s, const struct cs_why_step *to, bool never, char *buf, size_t n);

#endif
