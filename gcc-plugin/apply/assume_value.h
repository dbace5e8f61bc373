/* SPDX-License-Identifier: GPL-3.0-or-later
 * Assumptions about values, FILE:LINE:NAME=EXPRESSION, in GIMPLE: ahead of slicing, an argument of an MPI call or what
 * is assigned to a variable is replaced, so that nobody needs what computed it. The instrumented original gets its own
 * value back, and counts how far off the assumption is. */
#ifndef CS_ASSUME_VALUE_H
#define CS_ASSUME_VALUE_H

#include "gcc-plugin/gcc/gcc-common.h"
#include "slicer/control/assume.h"
#include "slicer/graph/graph.h"

/* How a value comes to where it is assumed. */
enum cs_value_kind {
    CS_VALUE_ARGUMENT, /* argument `arg` of the call `stmt`, by value or by the address of a variable */
    CS_VALUE_DEFINED,  /* `stmt` computes `actual` */
    CS_VALUE_STORED,   /* the assignment `stmt` stores `actual` */
    CS_VALUE_WRITTEN   /* the call `stmt` writes the place `actual` */
};
/* A place of the program that an assumption is about. */
struct cs_value_place {
    int assumption;
    cgraph_node *node;
    gimple *stmt;
    enum cs_value_kind kind;
    int arg;       /* ARGUMENT: its number */
    bool is_count; /* ARGUMENT: of elements */
    tree actual;   /* the original's: operand, name or place */
    tree type;     /* of the value */
    tree assumed;  /* a name or constant of that type */
    gimple *put;   /* WRITTEN: the store of `assumed` behind the call */
};

/* Replaces values before the program is lowered, and adds to *places. `index`: number of the assumption. Returns how
 * many there are; 0 after a cause was written to err. */
int cs_value_assume(const struct cs_assumption *a, int index, vec<cs_value_place> *places, char *err, size_t errlen);
/* Gives the original its values back, after the slice was decided. */
void cs_value_restore(const vec<cs_value_place> *places);
/* Instrumented original, the current function: counts in three int64 for each assumption how often the value was
 * another one, how often the place was come to, and the largest difference in millionths of the original's value.
 * counter(i, k): counter k of assumption i. True if anything was added. */
bool cs_value_check(const vec<cs_value_place> *places, cgraph_node *node, tree (*counter)(int i, int k));
/* Finds where this FILE:LINE:NAME has a value in the original, and adds to *places. How many there are. */
int cs_value_find(const char *text, int index, vec<cs_value_place> *places);
/* Instrumented original, the current function: notes in CS_SEEN_COUNTERS int64 of each such value what it is (struct
 * cs_value_seen of commlib/state/own_slice.h), and calls what the variable `tell` points to with where that is.
 * counter(i, k): counter k of value i. True if anything was added. */
bool cs_value_observe(const vec<cs_value_place> *places, cgraph_node *node, tree (*counter)(int i, int k), tree tell);
/* The type of that variable: the recorder may change it at any time. */
tree cs_value_tell_type();
/* Appends that call; `noted` is the first of the value's int64, or a number that is told in place of its address. */
void cs_seq_tell(gimple_seq *seq, tree noted, tree tell);
/* Statement of the graph that a place is, -1 if it has none. */
int cs_value_stmt(const struct cs_value_place *p);
/* The first place where an assumed count is that of a message whose content is transmitted, NULL: none. It could be
 * larger than the buffer. */
const struct cs_value_place *cs_value_unsafe(const struct cs_graph *g, const vec<cs_value_place> *places);

#endif
