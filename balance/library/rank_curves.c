/* SPDX-License-Identifier: BSD-3-Clause
 * What vrp-dynamic learns from loop to loop: how long each rank took for how many items.
 * All ranks know all points, so that each cuts the same blocks without asking. */
#include "balance/library/balancer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cs_rank_curves_init(struct cs_rank_curves *c, int ranks)
{
    size_t places = (size_t)ranks * CS_CURVE_POINTS;
    c->curve = calloc((size_t)ranks, sizeof *c->curve);
    c->size = calloc(places, sizeof *c->size);
    c->seconds = calloc(places, sizeof *c->seconds);
    if (!c->curve || !c->size || !c->seconds)
        return -1;
    for (int i = 0; i < ranks; i++)
        c->curve[i] = (struct cs_time_curve){0, &c->size[i * CS_CURVE_POINTS], &c->seconds[i * CS_CURVE_POINTS]};
    return 0;
}

void cs_rank_curves_free(struct cs_rank_curves *c)
{
    free(c->curve);
    free(c->size);
    free(c->seconds);
    *c = (struct cs_rank_curves){0};
}

/* Puts a point in its place. A size that is there gets the mean of both times; when there is no room, the nearest one
 * does, since what is at hand says more than what is far. */
static void put_point(struct cs_time_curve *c, double *size, double *seconds, double n, double s)
{
    int at = 0;
    while (at < c->n && size[at] < n)
        at++;
    if (c->n == CS_CURVE_POINTS && (at == c->n || (at > 0 && n - size[at - 1] < size[at] - n)))
        at--;
    if (c->n == CS_CURVE_POINTS || (at < c->n && size[at] == n)) {
        seconds[at] = (seconds[at] * n / size[at] + s) / 2;
        size[at] = n;
        return;
    }
    memmove(&size[at + 1], &size[at], (size_t)(c->n - at) * sizeof *size);
    memmove(&seconds[at + 1], &seconds[at], (size_t)(c->n - at) * sizeof *seconds);
    size[at] = n;
    seconds[at] = s;
    c->n++;
}

void cs_rank_curves_note(struct cs_balancer *b)
{
    double own[2] = {(double)b->did.items, b->did.busy > 1e-9 ? b->did.busy : 1e-9};
    double *all = malloc(2 * (size_t)b->ranks * sizeof *all);
    if (!all) {
        fprintf(stderr, "commslice-balance: not enough memory\n");
        MPI_Abort(b->comm, 2);
    }
    MPI_Allgather(own, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, b->comm);
    for (int i = 0; i < b->ranks; i++)
        if (all[2 * i] > 0)
            put_point(&b->curves.curve[i], &b->curves.size[i * CS_CURVE_POINTS],
                      &b->curves.seconds[i * CS_CURVE_POINTS], all[2 * i], all[2 * i + 1]);
    free(all);
}
