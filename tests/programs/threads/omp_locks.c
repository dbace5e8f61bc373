/* commslice-test: omp_locks
 * about: whether a lock is free decides communication, after regions that set it and give it free
 * flags: -fopenmp
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static int buf[64], in[64];
static omp_lock_t lock, other;
static omp_nest_lock_t nest;
static double work;

int main(int argc, char **argv)
{
    int rank, size, count = 0, tried[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    omp_init_lock(&lock);
    omp_init_lock(&other);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(3)
    {
        omp_set_lock(&lock);
        work += 1.0;
        omp_unset_lock(&lock);
    }
    omp_set_lock(&other);
    tried[0] = omp_test_lock(&lock);
    tried[1] = omp_test_lock(&other);
    omp_set_nest_lock(&nest);
    count = omp_test_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_lock(&lock);
    omp_unset_lock(&other);
#pragma omp parallel num_threads(3)
    {
        omp_set_lock(&lock);
        count += 2;
        omp_unset_lock(&lock);
    }
    count += 10 * tried[0] + 20 * tried[1];
    MPI_Sendrecv(buf, count, MPI_INT, (rank + 1) % size, 1, in, count, MPI_INT, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d %g\n", rank, count, work);
    omp_destroy_lock(&lock);
    omp_destroy_lock(&other);
    omp_destroy_nest_lock(&nest);
    MPI_Finalize();
    return 0;
}
