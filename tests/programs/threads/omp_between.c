/* commslice-test: omp_between
 * about: what is read before a region and again behind it is not the same value: threads have changed it in between
 * flags: -fopenmp
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static int buf[64], in[64], count, rank, size;

static void exchange(int n, int tag)
{
    MPI_Sendrecv(buf, n, MPI_INT, (rank + 1) % size, tag, in, n, MPI_INT, (rank + size - 1) % size, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void grow(int *n, int by)
{
    struct {
        int *n, by;
    } both = {n, by};
#pragma omp parallel num_threads(3)
    {
#pragma omp atomic
        *both.n += both.by;
    }
}

int main(int argc, char **argv)
{
    int own = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = 2;
    exchange(count, 1);
    grow(&count, 2);
    exchange(count, 2);
    exchange(own, 3);
    grow(&own, 3);
    exchange(own, 4);
    for (int k = 0; k < 2; k++) {
        int before = count, tag = 10 + 2 * k;
#pragma omp parallel for num_threads(2) schedule(dynamic)
        for (int i = 0; i < 5; i++)
            if (i % 2) {
#pragma omp critical
                count++;
            }
        exchange(before, tag);
        exchange(count, tag + 1);
    }
    printf("rank %d: %d %d\n", rank, count, own);
    MPI_Finalize();
    return 0;
}
