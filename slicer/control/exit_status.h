/* SPDX-License-Identifier: GPL-3.0-or-later
 * Programs in which a handler that runs at exit gets the exit status (on_exit): there no end is an error by its status
 * alone, as the handler may communicate by it. */
#ifndef CS_EXIT_STATUS_H
#define CS_EXIT_STATUS_H

#include "slicer/graph/graph.h"
#include "slicer/model/effects.h"

/* In such a program, makes each constant status of a call that ends it a number of which nothing is known. In others,
 * changes nothing. Comes before error exits are looked for. */
void cs_exit_status_hide(struct cs_graph *g, const struct cs_effects *fx);

#endif
