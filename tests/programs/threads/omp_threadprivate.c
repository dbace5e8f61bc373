/* commslice-test: omp_threadprivate
 * about: a threadprivate variable keeps each thread's value from one region to the next, whatever the master stores
 * flags: -fopenmp
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { THREADS = 3 };

static int mine;
#pragma omp threadprivate(mine)
static int counts[THREADS], buf[64], in[64];

__attribute__((noinline)) static void set(void)
{
#pragma omp parallel num_threads(THREADS)
    mine = 5 * omp_get_thread_num() + 2;
}

__attribute__((noinline)) static void get(void)
{
#pragma omp parallel num_threads(THREADS)
    counts[omp_get_thread_num()] = mine;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    omp_set_dynamic(0);
    mine = 3;
    set();
    mine = 7;
    get();
    for (int k = 0; k < THREADS; k++)
        MPI_Sendrecv(buf, counts[k], MPI_INT, (rank + 1) % size, k, in, counts[k], MPI_INT, (rank + size - 1) % size, k,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp parallel num_threads(THREADS) copyin(mine)
    counts[omp_get_thread_num()] = mine;
    MPI_Sendrecv(buf, counts[2], MPI_INT, (rank + 1) % size, 9, in, counts[2], MPI_INT, (rank + size - 1) % size, 9,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d %d %d\n", rank, counts[0], counts[1], counts[2]);
    MPI_Finalize();
    return 0;
}
