/* commslice-test: bcast_loop
 * about: rank 0 reads limits and broadcasts them; they end loops with equal collectives in them, of which one decides
 * about: counts and one does not
 * ranks: 2 3 4
 * stdin: 5 0.08 3\n
 * gone: weigh
 * array: mass 64
 * marks: content=4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

struct limits { int steps, every; double until; };
static struct limits limits;
static MPI_Comm world;
static int rank, size;

static double weigh(double *m, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        m[i] += i % 17;
        s += m[i];
    }
    return s;
}

static void read_limits(void)
{
    if (rank == 0 && scanf("%d %lf %d", &limits.steps, &limits.until, &limits.every) != 3)
        MPI_Abort(world, 1);
    MPI_Bcast(&limits.steps, 2, MPI_INT, 0, world);
    MPI_Bcast(&limits.until, 1, MPI_DOUBLE, 0, world);
}

/* The largest of all ranks. */
static double largest(double x)
{
    double all;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, world);
    return all;
}

int main(int argc, char **argv)
{
    static double time, out[64], in[64];
    int *plan = malloc(sizeof *plan);
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    read_limits();
    *plan = rank == 0 ? 2 * limits.every : 0;
    MPI_Bcast(plan, 1, MPI_INT, 0, world);
    double *mass = calloc(N, sizeof *mass), sum = 0.0;
    for (int step = 0; step < limits.steps && time < limits.until; step++) {
        time += largest(0.01 * (rank + step));
        if (step % limits.every == 0) {
            double mine = weigh(mass, N), all;
            MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, world);
            sum += all;
        }
        for (int i = 0; i < *plan; i++)
            MPI_Sendrecv(out, i + step, MPI_DOUBLE, (rank + 1) % size, i, in, 64, MPI_DOUBLE, (rank + size - 1) % size,
                i, world, MPI_STATUS_IGNORE);
    }
    printf("rank %d: time %g, sum %g\n", rank, time, sum);
    free(mass);
    free(plan);
    MPI_Comm_free(&world);
    MPI_Finalize();
    return 0;
}
