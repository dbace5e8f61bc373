/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much scanf() and its kin store. */
#ifndef CS_SCAN_SIZE_H
#define CS_SCAN_SIZE_H

#include "slicer/advise/pointer_paths.h"
#include "slicer/graph/graph.h"

/* The bytes of what the call stores, if it stores one number as its format says; -1. */
int cs_scan_size(const struct cs_graph *g, int call);
/* May the call `scan`, for this call of its function (-1: any), store what the load reads, for that one? Not if its
 * format says how much goes where, and none of it is that. Also true of what is no scanf(). */
bool cs_scan_meets(const struct cs_graph *g, struct cs_pointer_paths *paths, int scan, int scan_call, int load,
                   int load_call);

#endif
