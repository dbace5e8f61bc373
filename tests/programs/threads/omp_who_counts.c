/* commslice-test: omp_who_counts
 * about: what each thread has done decides counts: loops, sections, single, atomic, critical, ordered
 * flags: -fopenmp
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { THREADS = 4, N = 37 };

static int buf[4 * N], in[4 * N];
static int by_thread[THREADS], found, ordered_last, best = -1, parts[3], once;

/* Work is shared here by whoever calls it: a team, or one thread alone. */
__attribute__((noinline)) static void share(const int *weight)
{
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < N; i++)
        if (weight[i] % 3 == 1) {
#pragma omp atomic
            found++;
        }
#pragma omp sections
    {
#pragma omp section
        parts[0] += weight[1];
#pragma omp section
        parts[1] += weight[2];
#pragma omp section
        parts[2] += weight[3];
    }
#pragma omp single
    once += 2;
}

static void exchange(int count, int tag, int rank, int size)
{
    MPI_Sendrecv(buf, count, MPI_INT, (rank + 1) % size, tag, in, count, MPI_INT, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, weight[N];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        weight[i] = i * 7 % 11;
    share(weight);
    exchange(found, 1, rank, size);
#pragma omp parallel num_threads(THREADS)
    {
        share(weight);
#pragma omp for schedule(static, 3)
        for (int i = 0; i < N; i++)
            by_thread[omp_get_thread_num()] += weight[i];
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < N; i++) {
            int w = weight[i];
#pragma omp ordered
            ordered_last = ordered_last * 3 % 23 + w;
        }
#pragma omp critical(most)
        if (by_thread[omp_get_thread_num()] > best)
            best = by_thread[omp_get_thread_num()];
    }
    exchange(found, 2, rank, size);
    for (int k = 0; k < THREADS; k++)
        exchange(by_thread[k] % 40 + 1, 10 + k, rank, size);
    exchange(ordered_last, 3, rank, size);
    exchange(best, 4, rank, size);
    exchange(parts[0] + parts[1] + parts[2] + once, 5, rank, size);
    printf("rank %d: %d %d %d %d %d\n", rank, found, ordered_last, best, parts[0] + parts[1], once);
    MPI_Finalize();
    return 0;
}
