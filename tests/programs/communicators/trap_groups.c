/* commslice-test: trap_groups
 * about: groups, translated ranks, Comm_create, Comm_compare and an intercommunicator decide peers
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

int main(int argc, char **argv)
{
    MPI_Group world, some, odd;
    MPI_Comm sub, inter;
    int ranks[8], n = 0, there, zero = 0, me, result, remote;
    double buf[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = size - 1; i >= 0; i--)
        if (i != 1)
            ranks[n++] = i;
    MPI_Group_incl(world, n, ranks, &some);
    MPI_Group_excl(world, n, ranks, &odd);
    MPI_Comm_create(MPI_COMM_WORLD, some, &sub);
    MPI_Group_translate_ranks(some, 1, &zero, world, &there);
    shift(3 + there, 1, 1);
    if (sub != MPI_COMM_NULL) {
        MPI_Comm_rank(sub, &me);
        MPI_Comm_compare(sub, MPI_COMM_SELF, &result);
        MPI_Bcast(buf, 10 + n + (result == MPI_UNEQUAL), MPI_DOUBLE, n - 1, sub);
        /* local leader is the old rank size - 1, or 0 where there are two */
        MPI_Intercomm_create(sub, 0, MPI_COMM_WORLD, 1, 7, &inter);
        MPI_Comm_remote_size(inter, &remote);
        if (me == 0)
            MPI_Send(buf, 5 + remote, MPI_DOUBLE, 0, 8, inter);
        MPI_Comm_free(&sub);
    } else {
        MPI_Status st;
        MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, there, 7, &inter);
        MPI_Comm_remote_size(inter, &remote);
        MPI_Recv(buf, 64, MPI_DOUBLE, 0, 8, inter, &st);
    }
    MPI_Comm_free(&inter);
    shift(2 + remote, 2, 1);
    MPI_Group_free(&world);
    MPI_Group_free(&some);
    MPI_Group_free(&odd);
    printf("rank %d: %d %d\n", rank, there, remote);
    MPI_Finalize();
    return 0;
}
