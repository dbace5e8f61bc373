/* commslice-test: trap_reduce_scatter
 * about: Reduce_scatter tells each rank how many messages it will get from anywhere
 * ranks: 2 3 4
 * most-ranks: 8
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int to[8] = {0}, ones[8], expect = 0, sum = 0, block = 0;
    double buf[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        to[i] = (rank * 3 + i) % 2;
        ones[i] = 1;
    }
    MPI_Reduce_scatter(to, &expect, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        if (to[i])
            MPI_Send(buf, 5 + i, MPI_DOUBLE, i, 3, MPI_COMM_WORLD);
    for (int i = 0; i < expect; i++) {
        MPI_Status st;
        int n;
        MPI_Recv(buf, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &st);
        MPI_Get_count(&st, MPI_DOUBLE, &n);
        sum += n + st.MPI_SOURCE;        /* the order does not matter */
    }
    shift(sum + 1, 4, 1);
    for (int i = 0; i < size; i++)
        to[i] = sum + i;
    MPI_Reduce_scatter_block(to, &block, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    shift(block + 1, 5, 1);
    printf("rank %d: %d %d %d\n", rank, expect, sum, block);
    MPI_Finalize();
    return 0;
}
