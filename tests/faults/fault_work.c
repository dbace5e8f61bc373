/* SPDX-License-Identifier: BSD-3-Clause
 * The program that the series of faults kills: calls of all kinds, in as many rounds as its first argument says; in
 * each the last rank takes as many bytes of memory as the second says. With a third one, where CHILDREN is defined, all
 * ranks have a child that never ends by itself.
 * What is received decides what is sent next, so a slice of it moves contents, too. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 512 };

static int neighbours(int rank, int size, int length)
{
    int out[2][MOST], in[2][MOST];
    MPI_Request r[4];
    for (int i = 0; i < MOST; i++)
        out[0][i] = out[1][i] = length;
    MPI_Irecv(in[0], length, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(in[1], length, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(out[0], length, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(out[1], length, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    return (in[0][0] + in[1][length - 1]) / 2;
}

static int any_order(int rank, int size)
{
    int x = rank, sum = 0;
    if (rank > 0) {
        MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        return 0;
    }
    for (int i = 1; i < size; i++) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += x;
    }
    return sum;
}

static void halves(int rank, int size)
{
    MPI_Comm half;
    int x = rank, sum;
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, half);
    MPI_Comm_free(&half);
}

/* Takes memory until there is no more, which must not hurt anybody else. */
static void grow(long bytes)
{
    char *p = malloc((size_t)bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    memset(p, 1, (size_t)bytes);
    MPI_Send(p, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, length = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long rounds = argc > 1 ? atol(argv[1]) : 10, step = argc > 2 ? atol(argv[2]) : 0;
#ifdef CHILDREN
    if (argc > 3 && fork() == 0)
        for (;;)
            pause();
#endif
    for (long i = 0; i < rounds; i++) {
        length = neighbours(rank, size, length) % (MOST - 1) + 1;
        if (i % 8 == 0)
            any_order(rank, size);
        if (i % 64 == 5)
            halves(rank, size);
        MPI_Allreduce(&length, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        length = sum;
        if (step && rank == size - 1)
            grow(step);
    }
    MPI_Finalize();
    return 0;
}
