/* SPDX-License-Identifier: BSD-3-Clause
 * C text of an argument's value on every rank, in every iteration of its loop. */
#ifndef CS_SKELETON_VALUES_H
#define CS_SKELETON_VALUES_H

#include "skeleton/gen/symbol_args.h"

/* Sets g->here to the ranks that make the call, and g->value to element `i` of its argument `arg` there, in one symbol
 * (variant) of the cycle. */
void cs_gen_spread(struct cs_gen *g, const struct cs_gen_call *c, int variant, int arg, int i);
/* C text of a scalar argument: a literal, a rule, or an element of a table. */
const char *cs_gen_scalar(struct cs_gen *g, const struct cs_gen_call *c, int arg);
/* C text of an array argument; "NULL" if it is empty everywhere. */
const char *cs_gen_array(struct cs_gen *g, const struct cs_gen_call *c, int arg);
/* C text of the number of elements of an array argument; the highest number on any rank. */
const char *cs_gen_length(struct cs_gen *g, const struct cs_gen_call *c, int arg);
int cs_gen_longest(const struct cs_gen_call *c, int arg);
/* C text of g->value on the ranks of g->here, written as this role needs it; `name` is the table's, if there is one. */
const char *cs_gen_pick(struct cs_gen *g, enum cs_role role, const char *name);
/* C text of a condition: true on the ranks of g->here with a value other than 0. */
const char *cs_gen_condition(struct cs_gen *g, const char *name);
/* C text of by_class[cls], for the classes in `in`: a literal, or "seconds_3[cls]"; "0" if all are 0. */
const char *cs_gen_seconds(struct cs_gen *g, const double *by_class, const bool *in);

#endif
