/* commslice-test: numbers_apart
 * about: whole and real numbers share a pool of memory and a message: a header of whole numbers decides what is sent
 * about: next, the real ones behind it decide nothing
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADER = 4, CELLS = 60 };

static double *pool;
static int used;

static void *piece(int cells)
{
    if (!pool)
        pool = malloc(4096 * sizeof *pool);
    used += cells;
    return pool + used - cells;
}

static void heat(double *u, int steps)
{
    for (int k = 0; k < steps; k++)
        for (int i = 1; i < CELLS - 1; i++)
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
}

static void pack(double *message, const int *header, const double *u)
{
    int *first = (int *)message, l = 0;
    for (int i = 0; i < HEADER; i++)
        first[l++] = header[i];
    for (int i = 0; i < CELLS; i++)
        message[l++] = u[i];
}

static void unpack(double *message, int *header, double *u)
{
    int *first = (int *)message, l = 0;
    for (int i = 0; i < HEADER; i++)
        header[i] = first[l++];
    for (int i = 0; i < CELLS; i++)
        u[i] = message[l++];
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *header = piece(HEADER), to = (rank + 1) % size, from = (rank + size - 1) % size;
    double *u = piece(CELLS), *out = piece(HEADER + CELLS), *in = piece(HEADER + CELLS), sum = 0, all;
    for (int i = 0; i < HEADER; i++)
        header[i] = rank + i;
    for (int i = 0; i < CELLS; i++)
        u[i] = rank - i;
    heat(u, 100);
    pack(out, header, u);
    MPI_Sendrecv(out, HEADER + CELLS, MPI_DOUBLE, to, 1, in, HEADER + CELLS, MPI_DOUBLE, from, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    unpack(in, header, u);
    heat(u, 100);
    for (int i = 0; i < HEADER; i++)
        MPI_Sendrecv(u, header[i] + 1, MPI_DOUBLE, from, 2, in, CELLS, MPI_DOUBLE, to, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < CELLS; i++)
        sum += u[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f\n", all);
    free(pool);
    MPI_Finalize();
    return 0;
}
