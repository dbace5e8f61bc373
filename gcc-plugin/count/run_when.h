/* SPDX-License-Identifier: GPL-3.0-or-later
 * When a block is run: in each iteration of a loop, or under which conditions. This needs GCC's loops and dominators.
 */
#ifndef CS_COUNT_RUN_WHEN_H
#define CS_COUNT_RUN_WHEN_H

#include "gcc-plugin/gcc/gcc-common.h"

/* The block before the loop. The whole function counts as a loop, too, before which is its first block. */
basic_block cs_block_before(const class loop *l);
/* The condition under which the edge from its block is taken, which is the last test there; NULL: none of whole
 * numbers. */
tree cs_condition_of(edge e);
/* The condition under which the edge is taken if block d, which dominates it, is run: that of the tests on the only way
 * from there. NULL_TREE: there are more ways, or other tests. */
tree cs_way_to(basic_block d, edge e);
/* From block bb up to one that is run in each iteration of l; adds the guards on the way. NULL: other things decide
 * whether bb is run. */
basic_block cs_always_run(const class loop *l, basic_block bb, vec<tree> *guards);
/* As cs_always_run(), for the whole function if it returns: where it does not, the program ends, and its last segment
 * is not recorded. */
basic_block cs_run_if_it_returns(basic_block bb, vec<tree> *guards);

#endif
