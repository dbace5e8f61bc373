/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_called_back
 * about: what a comparison, a reduction of our own and a function at exit read may have been written at any
 * about: time, also after they were made known
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void ring(int n)
{
    int out[64] = { 0 }, in[64];
    MPI_Sendrecv(out, n, MPI_INT, (rank + 1) % size, 0, in, n, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d\n", n);
}

static int sign = 1, scale = 1, *extra;

static int compare(const void *a, const void *b)
{
    return sign * (*(const int *)a - *(const int *)b);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += *extra + ((int *)in)[i];
}

static void at_end(void)
{
    ring(scale + *extra);
    MPI_Finalize();
}

static void change(void)
{
    sign = -1;
    scale = 4;
    *extra = 3;
}

static int first_sorted(void)
{
    int list[4] = { 3, 9, 5, 7 };
    qsort(list, 4, sizeof *list, compare);
    return list[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op op;
    int one = 1, all = 0;
    extra = calloc(1, sizeof *extra);
    MPI_Op_create(add, 1, &op);
    atexit(at_end);
    ring(first_sorted());
    change();
    ring(first_sorted());
    MPI_Allreduce(&one, &all, 1, MPI_INT, op, MPI_COMM_WORLD);
    ring(all);
    MPI_Op_free(&op);
    exit(0);
    MPI_Finalize();
    return 0;
}
