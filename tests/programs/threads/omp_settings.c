/* commslice-test: omp_settings
 * about: omp_set_num_threads, omp_set_schedule and omp_set_dynamic decide how many threads there are and who does what
 * flags: -fopenmp
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static int buf[64], in[64], first[8], rank, size;

static void exchange(int count, int tag)
{
    MPI_Sendrecv(buf, count, MPI_INT, (rank + 1) % size, tag, in, count, MPI_INT, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void settings(int threads, int chunk)
{
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
    omp_set_schedule(omp_sched_static, chunk);
}

__attribute__((noinline)) static int team(void)
{
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
        omp_set_num_threads(2); /* of teams that this thread makes itself */
        n++;
    }
    return n;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    settings(3, 5);
    exchange(team(), 1);
    exchange(omp_get_max_threads(), 2);
    omp_sched_t kind = omp_sched_dynamic;
    int chunk = 1;
    omp_get_schedule(&kind, &chunk);
    exchange((int)(kind & 7) + chunk, 5);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 30; i++)
        if (i % 5 == 0 && i < 15)
            first[omp_get_thread_num()] = i;
    for (int k = 0; k < 3; k++)
        exchange(first[k] + 1, 10 + k);
    settings(4, 1);
    exchange(team(), 3);
    exchange(omp_in_parallel() + omp_get_level() + 1, 4);
    printf("rank %d: %d %d %d, %d\n", rank, first[0], first[1], first[2], omp_get_max_threads());
    MPI_Finalize();
    return 0;
}
