/* SPDX-License-Identifier: GPL-3.0-or-later
 * Expressions of the user (base/expression.h) as GIMPLE, and the few statements that this takes. */
#ifndef CS_EXPRESSION_GIMPLE_H
#define CS_EXPRESSION_GIMPLE_H

#include "base/expression.h"
#include "gcc-plugin/gcc/gcc-common.h"

/* Appends name <- a op b, or name <- op a where b is null. Returns the name. */
tree cs_seq_compute(gimple_seq *seq, tree type, tree_code op, tree a, tree b);
/* Appends a conversion, if one is needed. */
tree cs_seq_convert(gimple_seq *seq, tree type, tree value);
/* Appends name <- place in memory. */
tree cs_seq_load(gimple_seq *seq, tree place);
/* A variable of the program that lives as long as it, of zeros or of `init`. */
tree cs_static_variable(const char *name, tree type, tree init);

/* Appends what computes the expression. If it asks for the iteration, it counts one, or `step`, if that is not null, in
 * `counter`, a static long long; null: in one of its own. Returns a long long. The function that the statements go to
 * is the current one. */
tree cs_seq_expression(gimple_seq *seq, const cs_expr *e, tree step = NULL_TREE, tree counter = NULL_TREE);

#endif
