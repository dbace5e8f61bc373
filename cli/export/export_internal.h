/* SPDX-License-Identifier: BSD-3-Clause
 * The writers of the formats, and what they share. */
#ifndef CS_EXPORT_INTERNAL_H
#define CS_EXPORT_INTERNAL_H

#include "cli/export/export.h"

int cs_export_csv(struct cs_export *x);
int cs_export_chrome(struct cs_export *x);
int cs_export_ti(struct cs_export *x);
int cs_export_otf2(struct cs_export *x);

/* When an event began and how long it took, in ns; without times its number and one. */
int64_t cs_export_enter(const struct cs_export *x, const struct cs_event *e, int64_t index);
int64_t cs_export_exit(const struct cs_export *x, const struct cs_event *e, int64_t index);

/* Calls fn for each event of rank x->view.rank inside the window, with its number. Prints the error of a damaged trace.
 * 0 or -1. */
int cs_export_rank(struct cs_export *x,
                   int (*fn)(struct cs_export *x, const struct cs_event *e, int64_t index, void *arg), void *arg);

#endif
