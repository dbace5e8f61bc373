/* SPDX-License-Identifier: BSD-3-Clause
 * Opening a trace that the user names. */
#ifndef CS_OPEN_TRACE_H
#define CS_OPEN_TRACE_H

#include "base/file_kind.h"

struct cs_trace;

/* The files that a trace, and a merged or folded trace, are; of any version of their formats. */
extern const struct cs_file_kind cs_trace_kind, cs_merged_kind;

/* Opens the trace; first moves into it what killed ranks left in the crash buffer beside it. A merged or folded trace
 * is expanded first, in a file that is gone again; a program is refused. NULL after a message. */
struct cs_trace *cs_open_trace(const char *path);

#endif
