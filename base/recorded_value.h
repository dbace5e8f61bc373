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
 * own. */
struct cs_recorded_value {
    char *place; /* FILE:LINE:NAME */
    long long least, most, mean, times;
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
/* Was it always the same on each rank, or is it known in its order? */
bool cs_recorded_value_exact(const struct cs_recorded_value *v);
/* Is it so different from time to time that its mean says nothing of it? */
bool cs_recorded_value_spreads(const struct cs_recorded_value *v);
/* The expression for it, malloced; NULL: memory is out. A number, if all ranks had the same; a + b * rank, if
 * that gives what each rank always had; what each had in its order, as a + b * iteration or pick(iteration, ...); if
 * that is not known, a number if all were nearly the same in the mean, else what each had in the mean. What ranks have
 * differently is in pick(rank, ...): on more ranks it begins again. */
char *cs_recorded_value_expression(const struct cs_recorded_value *v);
/* The expression for FILE:LINE:NAME, the first n characters of `place`, from what `commslice info` prints of a trace;
 * malloced. NULL: it says nothing of it, or memory is out. */
char *cs_recorded_value_find(FILE *info, const char *place, size_t n);

#ifdef __cplusplus
}
#endif

#endif
