/* commslice-test: trap_user_op
 * about: a reduction with a user function: the callback must stay and also what it reads
 * ranks: 2 3 4
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

static int modulus = 1;

static void mix(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int *a = in, *b = inout, bytes;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *len * bytes / (int)sizeof(int); i++)
        b[i] = (a[i] + b[i] + a[i] * b[i]) % modulus;
}

static void idle(void *in, void *inout, int *len, MPI_Datatype *type)
{
    double *a = in, *b = inout;
    for (int i = 0; i < *len; i++)
        b[i] += type ? a[i] : 0.0;
}

int main(int argc, char **argv)
{
    int mine[2], all[2];
    double x = 1.0, y;
    MPI_Op op, dead;
    MPI_Datatype pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    modulus = 31;
    MPI_Op_create(mix, 1, &op);
    MPI_Op_create(idle, 1, &dead);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    mine[0] = rank + 1;
    mine[1] = 2 * rank + 5;
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, dead, MPI_COMM_WORLD);
    MPI_Allreduce(mine, all, 1, pair, op, MPI_COMM_WORLD);
    shift(all[0] + 1, all[1], 1);
    shift(all[1] + 1, all[0], 1);
    MPI_Op_free(&op);
    MPI_Op_free(&dead);
    MPI_Type_free(&pair);
    printf("rank %d: %d %d %g\n", rank, all[0], all[1], y);
    MPI_Finalize();
    return 0;
}
