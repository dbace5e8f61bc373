/* commslice-test: halo_by_put
 * about: halos by MPI_Put between fences, MPI_Get, and between posts and starts: what is in them decides nothing, so
 * about: calls are only recorded
 * ranks: 2 3 4
 * gone: relax
 * array: field 16
 * array-engine: emulate
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define N (2 * 1024 * 1024)
static double field[N + 2];

static void relax(void)
{
    for (int i = 1; i <= N; i++)
        field[i] = 0.5 * field[i] + 0.25 * (field[i - 1] + field[i + 1]) + i % 7;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Win win;
    MPI_Group all, sides;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Win_create(field, sizeof field, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int step = 0; step < 5; step++) {
        relax();
        MPI_Put(&field[1], 1, MPI_DOUBLE, left, N + 1, 1, MPI_DOUBLE, win);
        MPI_Put(&field[N], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_fence(step < 4 ? 0 : MPI_MODE_NOSUCCEED, win);
    }
    int near[2], n = 0;
    if (left != MPI_PROC_NULL)
        near[n++] = left;
    if (right != MPI_PROC_NULL)
        near[n++] = right;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, n, near, &sides);
    for (int step = 0; step < 3; step++) {
        relax();
        MPI_Win_post(sides, 0, win);
        MPI_Win_start(sides, 0, win);
        MPI_Get(&field[0], 1, MPI_DOUBLE, left, N / 2, 1, MPI_DOUBLE, win);
        MPI_Accumulate(&field[N], 1, MPI_DOUBLE, right, N / 4, 1, MPI_DOUBLE, MPI_SUM, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    }
    MPI_Win_free(&win);
    MPI_Group_free(&sides);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
