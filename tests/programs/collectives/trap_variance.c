/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_variance
 * about: ranks part at branches that do not look it: under an outer branch, on a status, on where a result was put
 * ranks: 2 3 4
 * most-ranks: 8
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size, flag, found[8];

/* Both sites are one broadcast; what the root sends at one is the count that the others get at the other. */
static int exchange(int root_side, int mine)
{
    int got = 0;
    if (root_side)
        MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return root_side ? 0 : got;
}

/* Each branch on `steps` is the same for all who come to it, but they come to different ones. */
static int nested(int steps)
{
    int mine = 3 * size, got = 0;
    if (rank == 0) {
        if (steps > 4)
            MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else if (steps > 4) {
        MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return got;
}

static int by_store(int steps)
{
    if (rank == 0)
        if (steps > 4)
            flag = 5;
    return exchange(flag == 5, 4 * size);
}

static int by_status(void)
{
    int x = 0;
    MPI_Request r[2];
    MPI_Status s[2];
    MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&size, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, s);
    return exchange(s[0].MPI_SOURCE == 1 % size, 5 * x);
}

static int by_place(void)
{
    int one = 1;
    MPI_Allreduce(&one, &found[rank], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return exchange(found[0], 6 * size);
}

int main(int argc, char **argv)
{
    double field[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count[4] = { nested(size + 3), by_store(size + 3), by_status(), by_place() };
    for (int i = 0; i < 4; i++) {
        if (rank == 1)
            MPI_Send(field, count[i], MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(field, 64, MPI_DOUBLE, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("rank %d: %d %d %d %d\n", rank, count[0], count[1], count[2], count[3]);
    MPI_Finalize();
    return 0;
}
