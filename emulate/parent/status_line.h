/* SPDX-License-Identifier: BSD-3-Clause
 * The status line, "commslice: 12 of 64 ranks done, ...", which the parent writes to standard error. Only if
 * COMMSLICE_PROGRESS=1, which tells that this is a terminal. */
#ifndef CS_STATUS_LINE_H
#define CS_STATUS_LINE_H

/* Updates the line, a few times a second, beginning after two seconds: ranks done (`done`), events, events per second,
 * time left. Cheap enough for every turn of the parent's loop. */
void cs_emu_status_line(int done);
/* Erases the line. */
void cs_emu_status_line_end(void);

#endif
