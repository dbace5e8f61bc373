/* SPDX-License-Identifier: BSD-3-Clause
 * The writers of the formats, and what they share. */
#ifndef CS_EXPORT_INTERNAL_H
#define CS_EXPORT_INTERNAL_H

#include "cli/export/export.h"

/* Each writes the trace x->view.t in its format. 0, or -1 after a message. */
int cs_export_csv(struct cs_export *x);
int cs_export_chrome(struct cs_export *x);
int cs_export_ti(struct cs_export *x);
int cs_export_otf2(struct cs_export *x);
int cs_export_goal(struct cs_export *x);
int cs_export_prv(struct cs_export *x);
/* The files of those formats that make one. */
extern const struct cs_file_kind cs_csv_kind, cs_chrome_kind;

/* When an event of rank x->view.rank began, and when it ended, in ns since its MPI_Init, or with x->clock since the
 * first rank's. In a trace without times: its number, and the next. */
int64_t cs_export_enter(const struct cs_export *x, const struct cs_event *e, int64_t index);
int64_t cs_export_exit(const struct cs_export *x, const struct cs_event *e, int64_t index);

/* Calls fn for each event of rank x->view.rank inside the window, up to the limit; index is the event's number. fn
 * returns 0, or anything else, after a message, to stop. 0, or -1 after a message. */
int cs_export_rank(struct cs_export *x,
                   int (*fn)(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg), void *arg);

#endif
