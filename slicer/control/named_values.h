/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values that an assumption FILE:LINE:NAME=EXPRESSION can be about, on the program graph: arguments of MPI calls, sizes
 * of memory that is asked for, and whole numbers that a statement assigns. The plugin replaces them in GIMPLE ahead of
 * the graph (assume_value.cc); here the same is done to a stored graph, so that advise can try it. */
#ifndef CS_NAMED_VALUES_H
#define CS_NAMED_VALUES_H

#include "slicer/control/assume.h"
#include "slicer/graph/graph.h"

/* How a value is there. */
enum cs_named_kind {
    CS_NAMED_ARGUMENT, /* argument `arg` of an MPI call, a number or its address */
    CS_NAMED_WRITTEN,  /* the call writes it where argument `arg` points to */
    CS_NAMED_DEFINED,  /* the statement's def */
    CS_NAMED_STORED    /* what the statement stores */
};
/* Name (a piece of a longer text) and kind; size: bytes of the number, arg: -1 if it is none. */
struct cs_named_value {
    enum cs_named_kind kind;
    int arg, size, length;
    const char *name;
    bool of_mpi;  /* the name is that of an argument */
    bool element; /* it is one of several elements that have the name */
};
/* In a statement's `names`, in front of such a one. */
#define CS_NAME_OF_ELEMENTS "*"
/* Values of one statement, at most. */
enum { CS_NAMED_MOST = 24 };

/* The MPI call that the statement is, NULL: none. */
const struct cs_mpi_call *cs_named_call(const struct cs_graph *g, int stmt, bool *by_address);
/* Fills v and returns their number, in an order that does not change. */
int cs_named_values(const struct cs_graph *g, int stmt, struct cs_named_value v[CS_NAMED_MOST]);
/* Takes what computes the value from the graph, before any decision: a number comes in its place if the assumption is
 * one, else something of which nothing is known. The number of places; 0: nothing of that name is there. */
int cs_named_assume(struct cs_graph *g, const struct cs_assumption *a);
/* Is it about an argument of an MPI call, or about what one writes? */
bool cs_named_by_mpi(const struct cs_graph *g, const struct cs_assumption *a);
/* After the slice was decided: is the count of a call assumed whose content is transmitted? The link refuses that. */
bool cs_named_unsafe(const struct cs_graph *g, const struct cs_assumption *a);

#endif
