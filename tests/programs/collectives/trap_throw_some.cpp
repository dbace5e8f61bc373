// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_throw_some
// about: some ranks throw, in a function without arguments, and so come to another site of the same broadcast
// ranks: 2 3
// most-ranks: 9
#include <cstdio>
#include <mpi.h>

static int who;

static void __attribute__((noinline)) check()
{
    if (who == 0)
        throw 1;
}

static void __attribute__((noinline)) around()
{
    check();
}

int main(int argc, char **argv)
{
    int size, got = 0;
    double field[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &who);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        around();
        MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } catch (int) {
        int mine = 7 * size;
        MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (who == 1)
        MPI_Send(field, got, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    if (who == 0)
        MPI_Recv(field, 64, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::printf("rank %d: %d\n", who, got);
    MPI_Finalize();
    return 0;
}
