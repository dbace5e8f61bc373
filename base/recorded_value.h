/* SPDX-License-Identifier: BSD-3-Clause
 * What a value was in a recorded run of an instrumented original, and the assumption that says so. */
#ifndef CS_RECORDED_VALUE_H
#define CS_RECORDED_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/value_series.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of all ranks: it was there so many times, from least to most. by_rank: of each rank its mean, and whether it was
 * always that, or all its values in their order; a rank that never came there has the mean of all. Its arrays are its
 * own, and so is the chain of the same place in other recorded runs. */
struct cs_recorded_value {
    char *place; /* FILE:LINE:NAME */
    long long least, most, mean, times;
    struct cs_recorded_value *also; /* in the next recorded run; NULL: none */
    bool any_size;                  /* the expression is to hold on any number of ranks */
    bool polled, decided;           /* how often it was there depends on when messages came; what it was does */
    int nranks;
    struct cs_recorded_rank {
        long long mean;
        bool constant, in_order;
        struct cs_series each; /* if in_order */
    } * by_rank;
};

/* Reads such a line of a trace's run info (commlib/record/seen_values.h). *is: it is one. False: memory is out. */
bool cs_recorded_value_read(struct cs_recorded_value *v, const char *line, bool *is);
void cs_recorded_value_free(struct cs_recorded_value *v);
/* Was it always the same on each rank, or is it known in its order? For any number of ranks, is there a rule, too? */
bool cs_recorded_value_exact(const struct cs_recorded_value *v);
/* Does how often it was there, or what it was, depend on when messages came, in any of the runs? */
bool cs_recorded_value_polled(const struct cs_recorded_value *v);
/* Is it so different from time to time that its mean says nothing of it, or is it another one as messages come? */
bool cs_recorded_value_spreads(const struct cs_recorded_value *v);
/* Writes what the rank had, as an expression of `iteration`. */
void cs_recorded_rank_print(FILE *f, const struct cs_recorded_rank *r);
/* The expression for it, malloced; NULL: memory is out. A number, if all ranks had the same; a + b * rank, if
 * that gives what each rank always had; what each had in its order, as a + b * iteration or pick(iteration, ...); if
 * that is not known, a number if all were nearly the same in the mean, else what each had in the mean. What ranks have
 * differently is in pick(rank, ...): on more ranks it begins again. For any number of ranks it is a rule that all runs
 * follow (base/recorded_rule.h), or what all ranks were near to (base/recorded_near.h), or a number if all ranks of all
 * runs were nearly the same in the mean; where there is none of these it is empty, and so it is if it was another one
 * as messages came. */
char *cs_recorded_value_expression(const struct cs_recorded_value *v);
/* The expression for FILE:LINE:NAME, the first n characters of `place`, from what `commslice info` prints of a trace;
 * malloced. NULL: it says nothing of it, or memory is out. */
char *cs_recorded_value_find(FILE *info, const char *place, size_t n);

#ifdef __cplusplus
}
#endif

#endif
