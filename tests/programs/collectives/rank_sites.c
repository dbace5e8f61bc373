/* commslice-test: rank_sites
 * about: ranks meet in collectives at different call sites; a dead broadcast comes before each live one
 * ranks: 2 3 4
 * gone: weather
 * array: sky 64
 * marks: content=2
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static double weather(double *s, int n)
{
    double t = 0.0;
    for (int i = 0; i < n; i++) {
        s[i] = (double)(i % 59) * 0.25;
        t += s[i];
    }
    return t;
}

static void boss(double *sky, int *plan)
{
    plan[0] = 3;
    plan[1] = 17;
    MPI_Bcast(sky, 50, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(plan, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(MPI_IN_PLACE, sky, plan[1], MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void hand(double *sky, int *plan)
{
    MPI_Bcast(sky, 50, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(plan, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(sky, NULL, plan[1], MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, plan[2] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *sky = malloc(N * sizeof *sky), t = weather(sky, N);
    if (rank == 0)
        boss(sky, plan);
    else
        hand(sky, plan);
    for (int i = 0; i < plan[0]; i++)
        MPI_Sendrecv_replace(sky, plan[1] + i, MPI_DOUBLE, (rank + 1) % size, i, (rank + size - 1) % size, i,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d %d, %g\n", rank, plan[0], plan[1], t + sky[0]);
    free(sky);
    MPI_Finalize();
    return 0;
}
