/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counters of loop iterations, one for each loop of the program's source, in the order of functions and their flow
 * graphs. They begin as calls that add to a counter, which the slicer decides on like on any other statement, and end
 * as additions to a variable. */
#ifndef CS_COUNT_H
#define CS_COUNT_H

#include "gcc-plugin/gcc/gcc-common.h"

#include <string>
#include <vector>

/* Where a counter is. `ordinal` tells those of one line of a function apart. */
struct cs_counter {
    std::string file, func;
    int line, ordinal;
};

/* The function that stands for an addition: commslice_count(number of the counter, amount, over how many loops
 * that is a sum). */
#define CS_COUNT_CALL "commslice_count"

/* Where a loop is counted: in each iteration, for tests; when it begins, if its iterations are known then; or before
 * the nest that it is in begins, if that has a closed form. */
enum cs_count_where { CS_COUNT_EACH, CS_COUNT_LOOPS, CS_COUNT_NESTS };

struct cs_effects;

/* Puts counters into the whole program, before functions are copied. `fx` says what libraries' functions do. */
void cs_count_insert(cs_count_where where, const struct cs_effects *fx);
/* All counters, by number. */
const std::vector<cs_counter> &cs_counters();
/* The type of the variable that holds them and a word that says which may have changed, NULL_TREE if there are none;
 * where it is made, before cs_count_expand(). */
tree cs_count_variable_type();
void cs_count_into(tree variable);
/* Turns the calls that are left in the current function into additions. True if there were any. */
bool cs_count_expand();

#endif
