/* commslice-test: neighbours
 * about: a finite-element solver: lists of neighbours, whose receives, sends and waits are loops of their own, in a
 * about: loop of a live length
 * ranks: 2 3 4
 * most-ranks: 16
 * gone: product
 * array: matrix 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)
#define MOST 15

struct list { int n, rank[MOST], length[MOST]; };

static double *matrix, *halo[MOST], *face;

/* Every other rank is a neighbour; how much they share falls with their distance. */
static void find_neighbours(struct list *l, int me, int ranks)
{
    l->n = 0;
    for (int r = 0; r < ranks && l->n < MOST; r++) {
        if (r == me)
            continue;
        l->rank[l->n] = r;
        l->length[l->n++] = 100 / abs(r - me);
    }
}

static void exchange(const struct list *l)
{
    MPI_Request request[MOST];
    for (int i = 0; i < l->n; i++)
        MPI_Irecv(halo[i], l->length[i], MPI_DOUBLE, l->rank[i], 99, MPI_COMM_WORLD, &request[i]);
    for (int i = 0; i < l->n; i++)
        MPI_Send(face, l->length[i], MPI_DOUBLE, l->rank[i], 99, MPI_COMM_WORLD);
    for (int i = 0; i < l->n; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
}

static double dot(double mine)
{
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double product(const struct list *l, int step)
{
    double sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += matrix[(i * 31 + step) % N] * halo[i % l->n][i % 10];
    return sum;
}

int main(int argc, char **argv)
{
    struct list l;
    int me, ranks, steps = 0;
    double rho, energy = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    matrix = malloc(N * sizeof *matrix);
    face = calloc(100, sizeof *face);
    for (int i = 0; i < MOST; i++)
        halo[i] = calloc(100, sizeof **halo);
    for (int i = 0; i < N; i++)
        matrix[i] = 1.0 / (i + 1);
    find_neighbours(&l, me, ranks);
    if (me == 0)
        steps = 20;
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    exchange(&l);
    rho = dot(1.0);
    for (int i = 1; i <= steps; i++) {
        if (i > 1)
            rho = dot(energy);
        exchange(&l);
        energy = product(&l, i) + rho * 1e-9;
        dot(energy);
    }
    if (me == 0)
        printf("%d steps\n", steps);
    MPI_Finalize();
    return 0;
}
