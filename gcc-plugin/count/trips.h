/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often a loop goes round, as an expression, and its sum over the loops around it: what a slice counts without
 * running them. */
#ifndef CS_COUNT_TRIPS_H
#define CS_COUNT_TRIPS_H

#include "gcc-plugin/gcc/gcc-common.h"

/* A number of iterations: an unsigned 64-bit expression, of names and places that are valid on the edge `at`, or 0
 * where one of the guards, which are truth values, does not hold. */
struct cs_trips {
    edge at;
    tree count;
    auto_vec<tree> guards;
};

/* The edge from a loop's header into the loop if the header ends in the test that leaves the loop; else NULL. An
 * iteration begins behind this test, or with the header. */
edge cs_tested_first(const class loop *l);
/* Fills in *t for the loop of the current function, on the edge that enters the loop. False if it is not known there.
 * This needs GCC's loops, with preheaders, and its analysis of scalar evolutions. */
bool cs_trips_of(class loop *l, cs_trips *t);
/* How often the loop's latch is run, each time that the loop is entered, as an expression. False if it is not known. */
bool cs_latch_executions(class loop *l, tree *n);
/* Replaces *t by its sum over all iterations of the loop that `at` is in, on the edge that enters that. False, and *t
 * as it was, if that has no closed form. */
bool cs_trips_sum(cs_trips *t);
/* Takes guards out of the count, which is a name: c ? n : 0 is n with guard c. */
void cs_trips_split(cs_trips *t);
/* Gives the current function a first block, for cs_trips_at_entry(). Before GCC's loops are there. */
void cs_trips_begin();
/* *t, whose `at` is in no loop, as a value that the first block computes; the program's own statements come behind it.
 * NULL_TREE if it depends on what the function does before. */
tree cs_trips_at_entry(const cs_trips *t);

#endif
