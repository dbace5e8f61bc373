/* commslice-test: trap_reduce_local
 * about: MPI_Reduce_local runs an operation of the program's own, which counts
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int seen, largest;

static void note(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    seen = 1;
    for (int i = 0; i < *len; i++) {
        if (a[i] > largest) largest = a[i];
        b[i] += a[i];
    }
}

int main(int argc, char **argv)
{
    int a[3] = { 5, 9, 2 }, b[3] = { 1, 1, 1 }, data[16] = { 0 };
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Op_create(note, 1, &op);
    MPI_Reduce_local(a, b, 3, MPI_INT, op);
    if (seen) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(data, largest, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, b[0] + b[1] - b[2], MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    printf("%d %d\n", largest, b[1]);
    MPI_Finalize();
    return 0;
}
