/* SPDX-License-Identifier: BSD-3-Clause
 * Local regression of what a formula leaves over; see nearby.h. */
#include "predict/methods/nearby.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"

/* Sizes of less than so many doublings off each other are one. */
static const double SAME = 0.01;
/* A point counts a quarter when it is so many doublings off, or as far as the nearest one, if that is farther. */
static const double REACH = 1;
/* So many points say that the formula is right, and, for each doubling squared, that what it is off is the same at all
 * sizes; largest logarithm of the factor, if no other is given. */
static const double TRUST = 0.2, LEVEL = 0.2, MOST = 0.7;

/* The logarithm, within what it may be. */
static double bounded(const struct cs_nearby *m, double off)
{
    double most = m->most > 0 ? m->most : MOST;
    return fmax(fmin(off, most), -most);
}

int cs_nearby_add(struct cs_nearby *m, double size, double measured_over_formula)
{
    if (!CS_MAKE_ROOM(m->point, m->n, m->cap))
        return -1;
    double off = measured_over_formula > 0 ? log(measured_over_formula) : -INFINITY;
    m->point[m->n++] = (struct cs_nearby_point){size, bounded(m, off), 1};
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const struct cs_nearby_point *x = a, *y = b;
    return (x->size > y->size) - (x->size < y->size);
}

void cs_nearby_settle(struct cs_nearby *m)
{
    int n = 0;
    if (m->n)
        qsort(m->point, (size_t)m->n, sizeof *m->point, by_size);
    for (int i = 0; i < m->n; i++) {
        struct cs_nearby_point *last = n ? &m->point[n - 1] : NULL, p = m->point[i];
        if (!last || p.size - last->size > SAME) {
            m->point[n++] = p;
            continue;
        }
        last->off += (p.off - last->off) / (last->weight + 1);
        last->weight++;
    }
    m->n = n;
}

static double farness(const struct cs_nearby *m, double size)
{
    double nearest = INFINITY;
    for (int i = 0; i < m->n; i++)
        nearest = fmin(nearest, fabs(m->point[i].size - size));
    return fmax(nearest, REACH);
}

double cs_nearby_factor(const struct cs_nearby *m, double size)
{
    double reach = farness(m, size), w0 = TRUST, w1 = 0, w2 = LEVEL, y0 = 0, y1 = 0;
    for (int i = 0; i < m->n; i++) {
        const struct cs_nearby_point *p = &m->point[i];
        double d = p->size - size, x = d / reach, w = 1 / ((1 + x * x) * (1 + x * x));
        /* Many pieces of a size say it no better than a few: all have what that size has. */
        w *= fmin(p->weight, 4);
        w0 += w;
        w1 += w * d;
        w2 += w * d * d + w * LEVEL;
        y0 += w * p->off;
        y1 += w * d * p->off;
    }
    double det = w0 * w2 - w1 * w1, off = det > 0 ? (y0 * w2 - y1 * w1) / det : 0;
    return exp(bounded(m, off));
}

void cs_nearby_free(struct cs_nearby *m)
{
    free(m->point);
    *m = (struct cs_nearby){0};
}
