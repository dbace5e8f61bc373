/* commslice-test: trap_bottom
 * about: MPI_BOTTOM with absolute addresses: the received variables are named nowhere in the receive
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

struct control { int count, tag; };

static struct control live;
static double dead[8];

int main(int argc, char **argv)
{
    int *extra = malloc(sizeof *extra);
    int len[3] = {2, 1, 8};
    MPI_Aint at[3];
    MPI_Datatype part[3] = {MPI_INT, MPI_INT, MPI_DOUBLE}, t;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *extra = 0;
    if (rank == 0) {
        live.count = 13;
        live.tag = 40 + size;
        *extra = 3;
        dead[2] = 1.5;
    }
    MPI_Get_address(&live, &at[0]);
    MPI_Get_address(extra, &at[1]);
    MPI_Get_address(dead, &at[2]);
    MPI_Type_create_struct(3, len, at, part, &t);
    MPI_Type_commit(&t);
    MPI_Bcast(MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD);
    for (int i = 0; i < *extra; i++)
        shift(live.count + i, live.tag, 1);
    /* the same through a message */
    live.count += rank;
    if (rank == 0)
        MPI_Send(MPI_BOTTOM, 1, t, 1, 2, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(MPI_BOTTOM, 1, t, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&t);
    shift(live.count, 5, 1);
    printf("rank %d: %d %d %d %g\n", rank, live.count, live.tag, *extra, dead[2]);
    free(extra);
    MPI_Finalize();
    return 0;
}
