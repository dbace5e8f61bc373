/* SPDX-License-Identifier: BSD-3-Clause
 * The counters of a trace and of a slice, for people and as JSON. */
#ifndef CS_SHOW_COUNTERS_H
#define CS_SHOW_COUNTERS_H

#include <stdbool.h>

#include "cli/show/slice_info.h"
#include "trace/trace.h"

/* Prints what the loops of all ranks came to, those that are not counted last; with `json` also each rank's segments.
 * CS_EXIT_OK, or CS_EXIT_ERROR with a message: `path`, the trace's name, has no counters, or not the same ones on all
 * ranks. */
int cs_counters_print(const struct cs_trace *t, const char *path, bool json);

/* Prints which loops of a slice are not counted; `all`: however many. Nothing for one without counters. */
void cs_counters_print_slice(const struct cs_slice_info *s, bool all);

#endif
