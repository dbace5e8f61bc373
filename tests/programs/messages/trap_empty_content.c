/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_empty_content
 * about: a message without data and of another datatype meets a receive whose content decides, without wildcards: its
 * about: envelope is all of it, sent by a blocking call and by a persistent request
 * ranks: 2 3
 */
#include <mpi.h>

enum { ANSWER = 2, FAILED = 3, LAST = 5 };

static void take(int from, int *sum)
{
    MPI_Status s;
    double b[9];
    int n;
    MPI_Probe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_DOUBLE, &n);
    MPI_Recv(b, n, MPI_DOUBLE, from, s.MPI_TAG, MPI_COMM_WORLD, &s);
    if (n > 0)
        *sum += (int)b[0];
}

static void give(int step)
{
    double b[9] = {step + 1, 1};
    char text[4] = "no";
    if (step == 1)
        MPI_Send(text, 0, MPI_CHAR, 0, FAILED, MPI_COMM_WORLD);
    else
        MPI_Send(b, step + 2, MPI_DOUBLE, 0, ANSWER, MPI_COMM_WORLD);
}

static void last(int rank, int size)
{
    double in[9] = {0}, out[9] = {2};
    char none[4];
    MPI_Request r[3];
    MPI_Recv_init(in, 9, MPI_DOUBLE, (rank + size - 1) % size, LAST, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(out, 4, MPI_DOUBLE, (rank + 1) % size, LAST, MPI_COMM_WORLD, &r[1]);
    MPI_Send_init(none, 0, MPI_CHAR, (rank + 1) % size, LAST, MPI_COMM_WORLD, &r[2]);
    for (int k = 0; k < 4; k++) {
        MPI_Status s;
        int n;
        out[0] = k;
        MPI_Start(&r[0]);
        MPI_Start(&r[1 + k % 2]);
        MPI_Wait(&r[0], &s);
        MPI_Wait(&r[1 + k % 2], MPI_STATUS_IGNORE);
        MPI_Get_count(&s, MPI_DOUBLE, &n);
        if (n > 0)
            MPI_Send(in, (int)in[0], MPI_DOUBLE, MPI_PROC_NULL, LAST, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&r[i]);
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    double field[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; step++)
        if (rank > 0)
            give(step);
        else
            for (int from = 1; from < size; from++)
                take(from, &sum);
    MPI_Send(field, sum, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    last(rank, size);
    MPI_Finalize();
    return 0;
}
