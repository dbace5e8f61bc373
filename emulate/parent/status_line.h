/* SPDX-License-Identifier: BSD-3-Clause
 * The line on the terminal that says how far a run is.
 * Only for the parent, and only when standard error is a terminal: COMMSLICE_PROGRESS=1 says that. */
#ifndef CS_STATUS_LINE_H
#define CS_STATUS_LINE_H

/* Ranks done, events, events per second, time left; after two seconds, a few times a second. Cheap enough for every
 * turn of the parent. */
void cs_emu_status_line(int done);
/* Takes the line away. */
void cs_emu_status_line_end(void);

#endif
