/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops over calls: how deep in loops a block is, counting those around the calls of its function, and which branches
 * decide over calls whether it is run. */
#ifndef CS_LOOP_NESTS_H
#define CS_LOOP_NESTS_H

#include "slicer/control/control_dependence.h"
#include "slicer/graph/graph.h"
#include "slicer/graph/storage.h"
#include "slicer/model/model.h"

enum { CS_DEEP = 100 }; /* deeper than any nest: in recursion, or where callers are not known */

/* Of the whole program. By function: callers, the calls of it; depth, the loops around its calls, the most of them;
 * talks, if it may make MPI calls that are recorded; in_talk, if one of the loops around its calls does. Of its blocks:
 * own, the loops of the function that a block is in; own_talk, if one of them makes such calls. */
struct cs_loop_nests {
    const struct cs_graph *g;
    const struct cs_cdep *cdep;
    struct cs_intlist *callers;
    int *depth;
    bool *talks, *in_talk;
    int **own;
    bool **own_talk;
};

void cs_loop_nests_find(struct cs_loop_nests *n, const struct cs_graph *g, const struct cs_models *ms,
                        const struct cs_cdep *cdep);
void cs_loop_nests_free(struct cs_loop_nests *n);
/* How many loops the block is in. */
int cs_loop_nests_depth(const struct cs_loop_nests *n, int func, int block);
/* Is it in a loop in which MPI calls are made? */
bool cs_loop_nests_talk(const struct cs_loop_nests *n, int func, int block);
/* By function, arrays by block: those whose branches decide whether the block is run, in its function and around the
 * calls of that; NULL for other functions. cs_loop_nests_around_free() frees it. */
bool **cs_loop_nests_around(const struct cs_loop_nests *n, int func, int block);
void cs_loop_nests_around_free(const struct cs_loop_nests *n, bool **around);

#endif
