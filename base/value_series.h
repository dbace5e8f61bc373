/* SPDX-License-Identifier: BSD-3-Clause
 * What a value was each time, in little room: lists of numbers that are repeated. It is made number by number
 * (value_series.c), so that a program may tell what a value is millions of times, and read again (series_text.c). */
#ifndef CS_VALUE_SERIES_H
#define CS_VALUE_SERIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* value[at] .. value[at + length - 1], and then again from the first, `times` numbers in all; of the last run length is
 * times as long as nothing is known to come again. */
struct cs_series_run {
    int at, length;
    int64_t times;
};
/* All begins with 0. Its arrays are its own. */
struct cs_series {
    int64_t times;
    int n, cap, nruns, cap_runs;
    int64_t *value;
    struct cs_series_run *run;
    bool unknown; /* too irregular, or memory was out: only times is kept */
};

void cs_series_add(struct cs_series *s, int64_t v);
/* Numbers that an expression for it needs room for, about. */
int64_t cs_series_room(const struct cs_series *s);
/* "7,9,(0,2)x150,0": numbers, and lists that are there so many times. */
void cs_series_print(FILE *f, const struct cs_series *s);
/* Reads that, and what continues a list after it; *at is then behind it. False: it is no such text, or memory is out.
 */
bool cs_series_read(struct cs_series *s, const char **at);
/* Are they the same numbers in the same lists? */
bool cs_series_same(const struct cs_series *a, const struct cs_series *b);
double cs_series_mean(const struct cs_series *s);
/* An expression of `iteration` (base/expression.h) that gives the numbers in their order, and then goes on with the
 * last list: pick(iteration,0,2), or where there are several, by which of them it is. */
void cs_series_expression(FILE *f, const struct cs_series *s);
void cs_series_free(struct cs_series *s);

#ifdef __cplusplus
}
#endif
#endif
