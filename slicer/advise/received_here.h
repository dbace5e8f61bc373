/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads of what a call received on every way to them: other calls, which receive into the same buffer elsewhere in the
 * program, are hardly those whose message is read there. */
#ifndef CS_RECEIVED_HERE_H
#define CS_RECEIVED_HERE_H

#include <stdbool.h>

#include "slicer/control/dom.h"
#include "slicer/graph/graph.h"

/* By function, on first use. */
struct cs_received_here {
    const struct cs_graph *g;
    struct cs_dom *dom;
    bool *known;
};

/* The graph must stay. Free *r in any case. */
void cs_received_here_start(struct cs_received_here *r, const struct cs_graph *g);
void cs_received_here_free(struct cs_received_here *r);
/* Does the one statement run on every way to the other, in one function? */
bool cs_runs_before_always(struct cs_received_here *r, int stmt, int other);

#endif
