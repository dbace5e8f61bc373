/* SPDX-License-Identifier: BSD-3-Clause
 * Evaluates the expression for each rank and time; recorded_off.h. */
#include "base/recorded_off.h"

#include <stdlib.h>

#include "base/expression.h"
#include "base/recorded_walk.h"

/* Numbers of a rank that are looked at, at most. */
enum { SEARCHED = 512 };

static double off(int64_t is, int64_t was)
{
    return is == was ? 0 : was == 0 ? 1 : llabs(is - was) / (double)llabs(was);
}

/* The largest share for one rank of `size`. */
static double rank_off(const struct cs_recorded_rank *r, int rank, int size, const struct cs_expr *e)
{
    struct cs_recorded_walk w = {.r = r};
    struct cs_expr_values at = {.rank = rank, .size = size};
    double most = 0;
    for (int64_t was; w.seen < SEARCHED && cs_recorded_next(&w, 1, &was); at.iteration++) {
        double now = off(cs_expr_value(e, &at), was);
        most = now > most ? now : most;
    }
    return most;
}

double cs_recorded_off(const struct cs_recorded_value *v, const char *expression)
{
    char err[128];
    struct cs_expr *e = malloc(sizeof *e);
    double most = e && !cs_expr_parse(expression, e, err, sizeof err) ? 0 : 1;
    for (; v && most < 1; v = v->also)
        for (int i = 0; i < v->nranks; i++) {
            double now = rank_off(&v->by_rank[i], i, v->nranks, e);
            most = now > most ? now : most;
        }
    free(e);
    return most;
}
