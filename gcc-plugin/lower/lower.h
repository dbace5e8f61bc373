/* SPDX-License-Identifier: GPL-3.0-or-later
 * GIMPLE of the whole program -> program graph.
 * Statements carry their graph number + 1 in gimple_uid, blocks theirs in `order`, so that decisions find their way
 * back. */
#ifndef CS_LOWER_H
#define CS_LOWER_H

#include "gcc-plugin/gcc/gcc-common.h"
#include "slicer/graph/graph.h"

/* One lowered function. */
struct cs_lowered {
    cgraph_node *node;
    int func;
    vec<basic_block> order; /* graph block number -> GIMPLE block */
};

/* The whole program: its graph, which it owns, the functions that have a body, in the order of lowering, and by object
 * the declaration of the variable, null where it is none. */
struct cs_program {
    struct cs_graph *graph;
    vec<cs_lowered> funcs;
    vec<tree> variables;
};

/* Lowers every function that has a body. */
void cs_lower_program(struct cs_program *p);
void cs_program_free(struct cs_program *p);

/* While C++ is compiled, before any pass over the whole object: small functions of the library's headers are to go into
 * their callers. */
void cs_inline_small();
/* At the link: what is not in its callers by now need not be. GCC would refuse a call of such a function that it only
 * finds later, behind a pointer. */
void cs_inlining_is_done();
/* While a file is compiled: variables in sections that the program names are to stay, in the order in which the
 * original has them. */
void cs_keep_sections();
/* At the link: GCC would put functions that run before main into one, in the opposite order. A callback of
 * PLUGIN_OVERRIDE_GATE. */
void cs_start_functions_stay(void *gate, void *);

/* The name of the variable or member that a place in memory is, or is an element of; null: it has none. */
tree cs_assigned_name(tree t);

#endif
