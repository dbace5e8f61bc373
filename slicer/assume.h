/* SPDX-License-Identifier: GPL-3.0-or-later
 * Assumptions of the user: FILE:LINE=never or =always cuts the branch at that line, so its inputs are no longer LIVE.
 * Each is stored in the slice and checked on the original (DESIGN.md, "Assumptions"). */
#ifndef CS_SLICER_ASSUME_H
#define CS_SLICER_ASSUME_H

#include <stddef.h>

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cs_assumption {
    char file[256];              /* as given: a path or the end of one */
    int line;
    bool always;                 /* else never */
};

/* Reads "FILE:LINE=never|always". 0, or -1 with a one-line cause in err. */
int cs_assume_parse(const char *text, struct cs_assumption *a, char *err, size_t errlen);

/* Called for every branch that the assumption decides: `edge` (0 or 1) of the COND statement `stmt` is not taken. */
typedef void cs_assume_fn(void *arg, int stmt, int edge);

/* Cuts the branches at the line: marks edges as never taken. Returns the number of branches decided, 0 if nothing matches. */
int cs_assume_apply(struct cs_graph *g, const struct cs_assumption *a, cs_assume_fn *fn, void *arg);

#ifdef __cplusplus
}
#endif
#endif
