/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much scanf() and its kin store. */
#ifndef CS_SCAN_SIZE_H
#define CS_SCAN_SIZE_H

#include "slicer/graph/graph.h"

/* The bytes of what the call stores, if it stores one number as its format says; -1. */
int cs_scan_size(const struct cs_graph *g, int call);

#endif
