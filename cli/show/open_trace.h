/* SPDX-License-Identifier: BSD-3-Clause
 * Opening a trace that the user names. */
#ifndef CS_OPEN_TRACE_H
#define CS_OPEN_TRACE_H

struct cs_trace;

/* Opens it, after what killed ranks left beside it was saved; NULL after a message. A merged or folded trace is
 * refused.
 */
struct cs_trace *cs_open_trace(const char *path);

#endif
