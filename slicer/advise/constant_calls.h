/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a function does not do for a call that passes it constants, or what is known where it calls: kind(0) runs
 * nothing of `if (kind == 1)`, nor does `if (k != 1) kind(k)`. For people who ask why something is kept: that nobody
 * changes in between what is behind a pointer is taken for granted. */
#ifndef CS_CONSTANT_CALLS_H
#define CS_CONSTANT_CALLS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* By call, on first use: of each block of the function that it calls whether control cannot come there for it. */
struct cs_constant_calls {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    bool **skipped, *known;
};

/* Free *c in any case. */
void cs_constant_calls_start(struct cs_constant_calls *c, const struct cs_graph *g, const struct cs_need_flow *flow);
void cs_constant_calls_free(struct cs_constant_calls *c);
/* Is anything skipped for the call? */
bool cs_constant_call_skips(struct cs_constant_calls *c, int call);
/* Is the statement skipped for it, in the function that it calls? False if it is in another one. */
bool cs_constant_call_skips_stmt(struct cs_constant_calls *c, int call, int stmt);
/* Can control go, for it, from one block of the function that it calls to the other, which comes behind it? */
bool cs_constant_call_takes(struct cs_constant_calls *c, int call, int from, int to);

#endif
