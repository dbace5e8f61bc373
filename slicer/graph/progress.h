/* SPDX-License-Identifier: GPL-3.0-or-later
 * The line that shows how far a long link has come, on standard error. One for the process. */
#ifndef CS_PROGRESS_H
#define CS_PROGRESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on, what takes longer than some seconds is shown, if standard error is a terminal or COMMSLICE_PROGRESS is
 * 1. */
void cs_progress_start(void);
/* Says what is done, and how much of it: "points-to, 1.23 million steps". Cheap: it may be called for each step. */
void cs_progress(const char *phase, int64_t n, const char *what);
/* Takes the line away; nothing is shown any more. */
void cs_progress_end(void);

#ifdef __cplusplus
}
#endif

#endif
