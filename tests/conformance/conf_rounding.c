/* SPDX-License-Identifier: BSD-3-Clause
 * Sums of floating-point numbers, bit by bit: whoever decides on one must decide the same under both engines. The
 * numbers are such that the order of additions shows.
 *
 * ranks: 5 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conf_kit.h"

enum { FEW = 3, MANY = 5000, MOST = 200000 };

/* A number between -1 and 1 that depends on the rank and the place. */
static double number(int of, int i)
{
    uint64_t x = (uint64_t)(of + 1) * 0x9e3779b97f4a7c15u + (uint64_t)i * 0xbf58476d1ce4e5b9u;
    x ^= x >> 31;
    x *= 0x94d049bb133111ebu;
    x ^= x >> 29;
    return (double)(int64_t)x / 9.3e18;
}

/* One line that has all bits of all numbers in it: their hash (FNV-1a). */
static void say_bits(const char *what, const void *data, size_t bytes)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    say("%s %016llx", what, (unsigned long long)h);
}

static double *mine(int n)
{
    double *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = number(rank, i);
    return x;
}

static void allreduce_of(int n)
{
    double *x = mine(n), *y = calloc((size_t)n, sizeof *y);
    MPI_Allreduce(x, y, n, MPI_DOUBLE, MPI_SUM, WORLD);
    say_bits("sum", y, (size_t)n * sizeof *y);
    MPI_Allreduce(x, y, n, MPI_DOUBLE, MPI_PROD, WORLD);
    say_bits("product", y, (size_t)n * sizeof *y);
    free(x);
    free(y);
}

static void allreduce_few(void)
{
    allreduce_of(FEW);
}
static void allreduce_many(void)
{
    allreduce_of(MANY);
}
static void allreduce_most(void)
{
    allreduce_of(MOST);
}

static void allreduce_of_two_to_four(void)
{
    for (int n = 2; n <= 4; n++) {
        MPI_Comm part;
        double *x = mine(MANY), y[MANY];
        MPI_Comm_split(WORLD, rank < n, 0, &part);
        MPI_Allreduce(x, y, FEW, MPI_DOUBLE, MPI_SUM, part);
        say_bits("few", y, FEW * sizeof *y);
        MPI_Allreduce(x, y, MANY, MPI_DOUBLE, MPI_SUM, part);
        say_bits("many", y, sizeof y);
        MPI_Reduce(x, y, MANY, MPI_DOUBLE, MPI_SUM, 1 % (rank < n ? n : size - n), part);
        say_bits("at 1", y, sizeof y);
        MPI_Comm_free(&part);
        free(x);
    }
}

static void reduce_of(int n)
{
    double *x = mine(n), *y = calloc((size_t)n, sizeof *y);
    for (int root = 0; root < size; root++) {
        MPI_Reduce(x, y, n, MPI_DOUBLE, MPI_SUM, root, WORLD);
        if (rank == root)
            say_bits("sum", y, (size_t)n * sizeof *y);
    }
    free(x);
    free(y);
}

static void reduce_few(void)
{
    reduce_of(FEW);
}
static void reduce_many(void)
{
    reduce_of(MANY);
}

static void scans(void)
{
    double *x = mine(MANY), *y = calloc(MANY, sizeof *y);
    MPI_Scan(x, y, FEW, MPI_DOUBLE, MPI_SUM, WORLD);
    say_bits("few", y, FEW * sizeof *y);
    MPI_Scan(x, y, MANY, MPI_DOUBLE, MPI_SUM, WORLD);
    say_bits("many", y, MANY * sizeof *y);
    memset(y, 0, MANY * sizeof *y);
    MPI_Exscan(x, y, MANY, MPI_DOUBLE, MPI_SUM, WORLD);
    say_bits("before", y, MANY * sizeof *y);
    free(x);
    free(y);
}

static void reduce_scatters(int n)
{
    double *x = mine(n * size), *y = calloc((size_t)n, sizeof *y);
    int *counts = malloc((size_t)size * sizeof *counts);
    for (int i = 0; i < size; i++)
        counts[i] = n;
    MPI_Reduce_scatter_block(x, y, n, MPI_DOUBLE, MPI_SUM, WORLD);
    say_bits("block", y, (size_t)n * sizeof *y);
    MPI_Reduce_scatter(x, y, counts, MPI_DOUBLE, MPI_SUM, WORLD);
    say_bits("counts", y, (size_t)n * sizeof *y);
    free(x);
    free(y);
    free(counts);
}

static void reduce_scatter_few(void)
{
    reduce_scatters(FEW);
}
static void reduce_scatter_many(void)
{
    reduce_scatters(MANY);
}
static void reduce_scatter_most(void)
{
    reduce_scatters(MOST / 4);
}

static void nonblocking(void)
{
    double *x = mine(MANY), *y = calloc(MANY, sizeof *y);
    MPI_Request q;
    for (int n = FEW; n <= MANY; n += MANY - FEW) {
        MPI_Iallreduce(x, y, n, MPI_DOUBLE, MPI_SUM, WORLD, &q);
        MPI_Wait(&q, IGNORE);
        say_bits("allreduce", y, (size_t)n * sizeof *y);
        MPI_Ireduce(x, y, n, MPI_DOUBLE, MPI_SUM, 2, WORLD, &q);
        MPI_Wait(&q, IGNORE);
        if (rank == 2)
            say_bits("reduce", y, (size_t)n * sizeof *y);
        MPI_Iscan(x, y, n, MPI_DOUBLE, MPI_SUM, WORLD, &q);
        MPI_Wait(&q, IGNORE);
        say_bits("scan", y, (size_t)n * sizeof *y);
    }
    free(x);
    free(y);
}

const struct conf_case conf_cases[] = {
    CASE(allreduce_few),       CASE(allreduce_many),      CASE(allreduce_most), CASE(allreduce_of_two_to_four),
    CASE(reduce_few),          CASE(reduce_many),         CASE(scans),          CASE(reduce_scatter_few),
    CASE(reduce_scatter_many), CASE(reduce_scatter_most), CASE(nonblocking),    END_OF_CASES,
};
