/* SPDX-License-Identifier: BSD-3-Clause
 * What the parent says when a run cannot go on, and when a rank ends otherwise than it should.
 * One line for each distinct state, not one for each rank. */
#ifndef CS_STUCK_REPORT_H
#define CS_STUCK_REPORT_H

#include <stdint.h>

/* Who waits where for what, after a line that says why this is told. */
void cs_emu_report_waits(const char *why);
/* Says how a rank ended that did not end well, from its wait status. Returns the run's exit code. memory_limit: bytes,
 * 0: none. */
int cs_emu_report_end(int rank, int status, uint64_t memory_limit);

#endif
