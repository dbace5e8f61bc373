/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counts of a function that are known when it begins, at the places where it is called: there they may be summed up
 * over the loops of the caller. */
#ifndef CS_LIFT_H
#define CS_LIFT_H

#include "gcc-plugin/gcc/gcc-common.h"

#include <map>
#include <vector>

/* `amount` is a value that the first block of the function computes. */
struct cs_lifted {
    int id;
    tree amount;
    int loops;
    location_t at;
};

/* Chooses the functions whose counts may be lifted, and gives all functions, each behind those that it calls. Where
 * functions call each other in a circle, one of them is behind all the others. */
const std::vector<cgraph_node *> &cs_lift_choose();
/* May the counts of the function be counted where it is called? */
bool cs_lift_may(cgraph_node *node);
/* Can the value of the function's first block be computed from what its callers know? */
bool cs_lift_can(tree value);
/* The value in the function that is current, in front of the call: appends the statements that compute it. `copied` has
 * the names of the callee that were copied in front of this call before. */
tree cs_lift_copy(gimple_seq *seq, tree value, gcall *call, tree callee, std::map<tree, tree> *copied);

#endif
