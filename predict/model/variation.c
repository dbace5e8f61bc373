/* SPDX-License-Identifier: BSD-3-Clause
 * Variation from time to time; see variation.h. */
#include "predict/model/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where cells end. */
static const double cell_end[CS_VARIATION_CELLS] = {0.1, 0.2, 0.3,  0.4,  0.5,  0.6,   0.7,
                                                    0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1};
/* Fewer ranks or pieces say nothing of single ones. */
enum { LEAST_RANKS = 4, LEAST_PIECES = 40 };
/* More pieces than that count no more; one half, or less, that takes twice or half as long. */
static const double ENOUGH = 1000;

double cs_chance(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The mean of each cell, of n numbers in order, and 1 of all together. A number at the border of two is in both, by its
 * parts. */
static void fill_cells(const double *off, int n, struct cs_variation *v)
{
    double begin = 0, all = 0;
    for (int c = 0; c < CS_VARIATION_CELLS; c++) {
        double from = begin * n, to = cell_end[c] * n, sum = 0;
        for (int i = (int)from; i < n && i < to; i++)
            sum += off[i] * (fmin(i + 1, to) - fmax(i, from));
        v->cell[c] = sum / (to - from);
        all += sum / n;
        begin = cell_end[c];
    }
    for (int c = 0; c < CS_VARIATION_CELLS; c++)
        v->cell[c] = fmax(v->cell[c] - all + 1, c ? v->cell[c - 1] : 0); /* rounding must not put cells out of order */
}

/* By what share each time is off what its rank and all at that time say; set in `off`. */
static void take_off(const double *times, int nranks, int ntimes, double *off)
{
    /* What is taken off has in it what is looked for, one of so many parts. */
    double more = sqrt((double)nranks / (nranks - 1) * ntimes / (ntimes - 1));
    for (int r = 0; r < nranks; r++) {
        double sum = 0;
        for (int k = 0; k < ntimes; k++)
            sum += times[r * ntimes + k];
        for (int k = 0; k < ntimes; k++)
            off[r * ntimes + k] = sum > 0 ? times[r * ntimes + k] * ntimes / sum : 1;
    }
    for (int k = 0; k < ntimes; k++) {
        double sum = 0;
        for (int r = 0; r < nranks; r++)
            sum += off[r * ntimes + k];
        for (int r = 0; r < nranks; r++)
            off[r * ntimes + k] = sum > 0 ? (off[r * ntimes + k] * nranks / sum - 1) * more : 0;
    }
}

bool cs_variation_of(double *off, int n, struct cs_variation *v)
{
    *v = (struct cs_variation){.pieces = n};
    if (n < LEAST_PIECES)
        return false;
    qsort(off, (size_t)n, sizeof *off, by_size);
    fill_cells(off, n, v);
    return true;
}

int cs_variation_learn(const double *times, int nranks, int ntimes, struct cs_variation *v)
{
    int n = nranks * ntimes;
    double together = 0, alone = 0, sum = 0;
    if (nranks < LEAST_RANKS || ntimes < CS_VARIATION_TIMES || n < LEAST_PIECES)
        return 1;
    double *off = malloc((size_t)n * sizeof *off);
    if (!off)
        return -1;
    take_off(times, nranks, ntimes, off);
    for (int i = 0; i < n; i++) {
        sum += times[i];
        alone += off[i] * off[i];
        together += i % ntimes ? off[i] * off[i - 1] : 0;
    }
    cs_variation_of(off, n, v);
    v->ns = sum / n;
    v->correlation = alone > 0 ? fmin(fmax(together / alone * ntimes / (ntimes - 1), 0), 0.99) : 0;
    free(off);
    return 0;
}

double cs_variation_next(const struct cs_variation *v, struct cs_variation_place *at)
{
    double a = cs_chance(&at->state), b = cs_chance(&at->state);
    double new = sqrt(-2 * log(1 - a)) * cos(2 * acos(-1) * b);
    at->z = at->begun ? v->correlation * at->z + sqrt(1 - v->correlation * v->correlation) * new : new;
    at->begun = 1;
    double share = 0.5 * erfc(-at->z / sqrt(2));
    int c = 0;
    while (c < CS_VARIATION_CELLS - 1 && share >= cell_end[c])
        c++;
    return v->cell[c];
}

struct cs_variation cs_variation_about(const struct cs_variation *v, int n, double ns)
{
    struct cs_variation all = {0};
    double weights = 0;
    for (int i = 0; i < n; i++) {
        double off = log2(fmax(v[i].ns, 1) / fmax(ns, 1)),
               w = fmin(v[i].pieces, ENOUGH) / (1 + off * off) / (1 + off * off);
        weights += w;
        all.pieces += v[i].pieces;
        all.correlation += w * v[i].correlation;
        for (int c = 0; c < CS_VARIATION_CELLS; c++)
            all.cell[c] += w * v[i].cell[c];
    }
    all.ns = ns;
    all.correlation /= weights > 0 ? weights : 1;
    for (int c = 0; c < CS_VARIATION_CELLS; c++)
        all.cell[c] /= weights > 0 ? weights : 1;
    return all;
}
