/* SPDX-License-Identifier: BSD-3-Clause
 * What the parent says when a run cannot go on.
 * One line for each distinct state, not one for each rank. */
#ifndef CS_EMULATE_REPORT_H
#define CS_EMULATE_REPORT_H

/* Who waits where for what, after a line that says why this is told. */
void cs_emu_report_waits(const char *why);

#endif
