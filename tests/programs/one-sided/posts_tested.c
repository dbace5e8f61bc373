/* commslice-test: posts_tested
 * about: MPI_Win_test in a loop tells that a neighbour has put a count, which is then sent
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int here[2], buffer[64];

int main(int argc, char **argv)
{
    int rank, size, flag = 0, value;
    MPI_Win win;
    MPI_Group all, to, from;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &right, &to);
    MPI_Group_incl(all, 1, &left, &from);
    MPI_Win_create(here, sizeof here, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    value = 6 + rank;
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, win);
    MPI_Win_complete(win);
    while (!flag)
        MPI_Win_test(win, &flag);
    MPI_Sendrecv(buffer, here[1], MPI_INT, right, 1, buffer + 32, 32, MPI_INT, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, here[1]);
    MPI_Win_free(&win);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
