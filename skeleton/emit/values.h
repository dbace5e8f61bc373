/* SPDX-License-Identifier: BSD-3-Clause
 * C text of what an argument is on every rank, in every turn of its loop. */
#ifndef CS_SKELETON_VALUES_H
#define CS_SKELETON_VALUES_H

#include "skeleton/gen/symbol_args.h"

/* Element `i` of an argument on all ranks that make the call, in one symbol of the cycle: sets g->value and g->here. */
void cs_gen_spread(struct cs_gen *g, const struct cs_gen_call *c, int variant, int arg, int i);
/* C text of a scalar argument: a literal, a rule, or an element of a table. */
const char *cs_gen_scalar(struct cs_gen *g, const struct cs_gen_call *c, int arg);
/* C text of an array argument; "NULL" if it is empty everywhere. */
const char *cs_gen_array(struct cs_gen *g, const struct cs_gen_call *c, int arg);
/* The number of elements of an array argument, and the highest anywhere. */
const char *cs_gen_length(struct cs_gen *g, const struct cs_gen_call *c, int arg);
int cs_gen_longest(const struct cs_gen_call *c, int arg);
/* C text of what is in g->value where g->here, as role would have it; `name` is the argument's, and a table's. */
const char *cs_gen_pick(struct cs_gen *g, enum cs_role role, const char *name);
/* C text of a condition: true on the ranks of g->here with a value other than 0. */
const char *cs_gen_condition(struct cs_gen *g, const char *name);
/* "seconds_3[cls]" or a literal for seconds by class, of the classes in `in`; "0" if all are 0. */
const char *cs_gen_seconds(struct cs_gen *g, const double *by_class, const bool *in);

#endif
