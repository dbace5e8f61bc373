/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which rows and columns of an array loops write and read, by their bounds: not those of a halo, which is written, and
 * what is inside, which is read. For people who ask why something is kept: two that say nothing of each other may be
 * the same, and a variable that is no loop's has one value. */
#ifndef CS_INDEX_RANGES_H
#define CS_INDEX_RANGES_H

#include <stdbool.h>

#include "slicer/advise/pointer_paths.h"
#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

struct cs_index_ranges;

/* flow: what calls what; callers: of each function the calls of it; and where pointers
 * point; they must stay. The caller frees it. */
struct cs_index_ranges *cs_index_ranges_start(const struct cs_graph *g, const struct cs_need_flow *flow,
                                              const struct cs_intlist *callers, struct cs_pointer_paths *paths);
void cs_index_ranges_free(struct cs_index_ranges *r);
/* May the store write an element that the load reads, if both mean one array? store_call, load_call: for which call of
 * its function each runs, -1: for any; bind: what is known of a counter where the load reads, -1. */
bool cs_index_ranges_meet(struct cs_index_ranges *r, int store, int store_call, int load, int load_call, int bind);

/* Does the loop round the store write all elements that the load reads, if both mean one array, and no condition keeps
 * it from that? */
bool cs_index_ranges_cover(struct cs_index_ranges *r, int store, int load);
/* The load reads one element of the inner dimension, as x(3, i), with that known of a counter, -1: nothing. The store
 * writes that one only when its own counter has a number, as m of x(m, i) has 3: that, for this call; -1: it is not so.
 */
int cs_index_ranges_bind(struct cs_index_ranges *r, int store, int call, int load, int bind);
/* Does that counter tell which element of the inner dimension the load reads? */
bool cs_index_ranges_is_bound(struct cs_index_ranges *r, int load, int bind);
/* Does the statement hand on a value from turn to turn of the counter's loop? Behind it, that had another number. */
bool cs_index_ranges_goes_on(const struct cs_index_ranges *r, int stmt, int bind);

/* Is what the store writes, or the load reads, one row or column of its array, or a part of each element? */
bool cs_index_ranges_is_slice(struct cs_index_ranges *r, int stmt);
/* Do two stores to one array write other rows or columns, each for any call? */
bool cs_index_ranges_apart(struct cs_index_ranges *r, int store, int other);
/* The other store is in a loop that counts by more than one: does this one not surely begin where that one does, as the
 * loop for what is left over there? */
bool cs_index_ranges_is_rest(struct cs_index_ranges *r, int store, int other);
/* Of a load or store, for this call of its function, -1 for any: the element of an array of numbers that its index
 * begins from, as offset(3) of `buffer(offset(3) + i)`; -1: there is none. */
int cs_index_ranges_part(struct cs_index_ranges *r, int stmt, int call);
/* Are they different elements of one array? */
bool cs_index_ranges_other_part(const struct cs_index_ranges *r, int part, int other);
/* The first load that was asked for and reads the same rows and columns as this one, for any call; -1: they are not
 * known. */
int cs_index_ranges_like(struct cs_index_ranges *r, int load);

#endif
