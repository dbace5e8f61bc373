/* commslice-test: trap_reaching
 * about: stores that look replaced but are not: one way only, bit-fields, persistent receives, callbacks, helpers; and
 * about: ones that are
 * ranks: 2 3
 * gone: heavy
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, limit, width, seen, mode = 1;
static struct { unsigned low : 3, high : 5; } bits;

static void shift(int count, int tag)
{
    static char out[256], in[256];
    MPI_Sendrecv(out, count, MPI_CHAR, (rank + 1) % size, tag, in, 256, MPI_CHAR, (rank + size - 1) % size, tag,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int heavy(int n)
{
    double x = n;
    for (int i = 0; i < 200000; i++) x = x * 0.999 + i;
    return (int)x;
}

static int order(const void *a, const void *b)
{
    seen += limit;                               /* what the callback reads was stored before qsort was called */
    return *(const int *)a - *(const int *)b;
}

static void helper(int *p)
{
    *p += 2;
    if (mode) shift(*p, 3);
}

static void keeps(int *p, int on)
{
    if (on) *p = 17;
}

int main(int argc, char **argv)
{
    int n = 5, i, got = 0, mine, v[3] = { 3, 1, 2 };
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    limit = 4;
    width = heavy(3);                            /* replaced before anybody looks */
    width = 6;
    shift(width, 10);
    for (int least = 5; least >= 0; least -= 5) {    /* there is only one argument: the second time the stores happen */
        if (argc > least) n = 9;
        shift(n, 1);
        keeps(&n, argc > least);
        shift(n + 1, 2);
    }
    helper(&n);
    shift(n, 4);
    n = heavy(n);                                /* nobody looks */
    bits.low = 5;
    bits.high = 9;
    shift(bits.low + bits.high, 5);
    qsort(v, 3, sizeof *v, order);
    shift(1 + seen % 50 + v[0], 6);
    MPI_Recv_init(&got, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &r);
    for (i = 0; i < 3; i++) {
        got = 0;                                 /* the receive writes it again when it is started */
        mine = 10 + 3 * i;
        MPI_Start(&r);
        MPI_Send(&mine, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        shift(got, 8);
    }
    MPI_Request_free(&r);
    for (i = 0; i < 2; i++) heavy(i);
    for (i = 0; i < 2; i++) shift(1 + i, 9);
    printf("rank %d: %d %d %d\n", rank, seen, got, i);
    MPI_Finalize();
    return 0;
}
