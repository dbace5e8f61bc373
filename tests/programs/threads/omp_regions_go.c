/* commslice-test: omp_regions_go
 * about: regions that only compute go, also where another region asks for its thread's number and that decides tags
 * flags: -fopenmp
 * ranks: 2 3
 * gone: heat dot step relax
 * array: field 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)
#define THREADS 3

static double *field, *next;

__attribute__((noinline)) static double heat(int i)
{
    return i ? field[i - 1] + i % 7 : 1.0;
}

__attribute__((noinline)) static double dot(int i)
{
    return field[i] * next[i];
}

__attribute__((noinline)) static void step(int i)
{
    next[i] = field[i] / 2;
}

__attribute__((noinline)) static void relax(int i)
{
    field[i] = (field[i] + next[i]) / 2;
}

static double compute(void)
{
    double sum = 0.0, most = 0.0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp for schedule(dynamic, 4096) reduction(+ : sum)
        for (int i = 0; i < N; i++) {
            step(i);
            sum += dot(i);
        }
#pragma omp single
        field[0] = heat(1);
#pragma omp for schedule(guided) nowait
        for (int i = 1; i < N; i++)
            relax(i);
#pragma omp barrier
#pragma omp critical
        if (field[1] > most)
            most = field[1];
        omp_set_lock(&lock);
        most += omp_get_thread_num() ? 0.0 : 1.0;
        omp_unset_lock(&lock);
    }
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int k = 0; k < 8; k++) {
#pragma omp task firstprivate(k)
        field[k] = heat(k);
    }
    omp_destroy_lock(&lock);
    return sum + most;
}

int main(int argc, char **argv)
{
    int rank, size, tags[THREADS] = {0}, team = 0, in;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field = calloc(N, sizeof *field);
    next = calloc(N, sizeof *next);
    double sum = compute();
#pragma omp parallel num_threads(THREADS)
    {
        tags[omp_get_thread_num()] = 10 * omp_get_thread_num() + omp_get_num_threads();
#pragma omp atomic
        team++;
    }
    for (int k = 0; k < team; k++)
        MPI_Sendrecv(field, k + 1, MPI_DOUBLE, (rank + 1) % size, tags[k], next, k + 1, MPI_DOUBLE,
                     (rank + size - 1) % size, tags[k], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += compute();
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, omp_get_thread_num(), &in, 1, MPI_INT, (rank + size - 1) % size,
                 omp_get_num_threads() - 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d threads, sum is a number: %d\n", rank, team, sum == sum);
    MPI_Finalize();
    return 0;
}
