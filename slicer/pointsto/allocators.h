/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions of the program in place of operator new, malloc and their kin. The library calls them from inside, which no
 * graph shows and a slice does less often: what they do beside giving memory must decide no communication. */
#ifndef CS_ALLOCATORS_H
#define CS_ALLOCATORS_H

#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* Once LIVE is known: calls say() for each such function that writes, itself or by what it calls, a variable that the
 * rest of the slice reads; `name` is the function's, as people write it. The memory that they give does not count. */
void cs_allocators_check(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts,
                         void (*say)(void *arg, int func, const char *name), void *arg);

#endif
