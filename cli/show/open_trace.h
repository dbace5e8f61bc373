/* SPDX-License-Identifier: BSD-3-Clause
 * Opening a trace that the user names. */
#ifndef CS_OPEN_TRACE_H
#define CS_OPEN_TRACE_H

struct cs_trace;

/* Opens the trace; first moves into it what killed ranks left in the crash buffer beside it. A merged or folded trace
 * is refused. NULL after a message. */
struct cs_trace *cs_open_trace(const char *path);

#endif
