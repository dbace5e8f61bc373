/* commslice-test: omp_tasks
 * about: tasks, task loops and their reductions decide counts; other tasks compute and go
 * flags: -fopenmp
 * ranks: 2 3
 * gone: smooth
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { N = 64 };

static int buf[64], in[64];
static double field[N];

__attribute__((noinline)) static void smooth(int i)
{
    field[i] = field[i] * 0.5 + i;
}

__attribute__((noinline)) static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void exchange(int count, int tag, int rank, int size)
{
    MPI_Sendrecv(buf, count, MPI_INT, (rank + 1) % size, tag, in, count, MPI_INT, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, f = 0, sum = 0, order = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange(fib(5), 1, rank, size); /* tasks of no team run at once */
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        f = fib(7);
#pragma omp taskloop reduction(+ : sum) grainsize(5)
        for (int i = 0; i < 20; i++)
            sum += i % 4;
#pragma omp task depend(out : order)
        order = order * 2 + 3;
#pragma omp task depend(inout : order)
        order = order * 2 + 5;
    }
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
        smooth(i);
    }
    exchange(f, 2, rank, size);
    exchange(sum, 3, rank, size);
    exchange(order, 4, rank, size);
    printf("rank %d: %d %d %d %g\n", rank, f, sum, order, field[N - 1]);
    MPI_Finalize();
    return 0;
}
