/* commslice-test: trap_op_effect
 * about: operations of the user's that do more than reduce: which ranks ran one, and with how many elements, decides
 * about: tags and counts; the reductions' results decide nothing
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int ran, widest;

static void watched_sum(void *in, void *inout, int *len, MPI_Datatype *type)
{
    double *a = in, *b = inout;
    (void)type;
    ran = 1;
    for (int i = 0; i < *len; i++)
        b[i] += a[i];
}

static void note_width(int n)
{
    if (n > widest)
        widest = n;
}

static void watched_max(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    note_width(*len);
    for (int i = 0; i < *len; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void ring(int rank, int size, int tag, int count)
{
    double out[16] = {0}, in[16];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, tag, in, 16, MPI_DOUBLE, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, some, most, many[3] = {1, 2, 3}, all[3];
    double x[2] = {1, 2}, y[2];
    MPI_Op sum, max;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(watched_sum, 1, &sum);
    MPI_Op_create(watched_max, 0, &max);
    MPI_Reduce(x, y, 2, MPI_DOUBLE, sum, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&ran, &some, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    ring(rank, size, 10 + some, 1);
    MPI_Allreduce(many, all, 3, MPI_INT, max, MPI_COMM_WORLD);
    MPI_Allreduce(&widest, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    ring(rank, size, 20, 1 + most);
    printf("%d: %d %d %g\n", rank, some, most, y[0] + all[0]);
    MPI_Op_free(&sum);
    MPI_Op_free(&max);
    MPI_Finalize();
    return 0;
}
