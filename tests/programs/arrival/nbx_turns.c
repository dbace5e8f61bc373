/* commslice-test: nbx_turns
 * about: a nonblocking consensus (NBX): polls MPI_Iprobe and an MPI_Ibarrier; one rank a round has messages for some of
 * about: the others, who do not know how many; what each has got in all decides the size of its last message
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#define TAG 7

/* Takes what comes until all ranks have been in the barrier. */
static int take_until(MPI_Request *barrier, int tag)
{
    int got = 0, done = 0, there;
    while (!done) {
        double in[4];
        MPI_Status st;
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &st);
        if (there) {
            MPI_Recv(in, 4, MPI_DOUBLE, st.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            got++;
        }
        MPI_Test(barrier, &done, MPI_STATUS_IGNORE);
    }
    return got;
}

static int exchange(int rank, int size, int round)
{
    double data[4] = {rank};
    MPI_Request req[8], barrier;
    int n = rank == round % size ? round : 0;
    for (int i = 0; i < n; i++)
        MPI_Issend(data, 1 + i % 3, MPI_DOUBLE, (rank + 1 + i % (size - 1)) % size, TAG + round % 2, MPI_COMM_WORLD,
                   &req[i]);
    MPI_Waitall(n, req, MPI_STATUSES_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    return take_until(&barrier, TAG + round % 2);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int got = 0;
    char last[64];
    for (int round = 0; round < 6; round++)
        got += exchange(rank, size, round);
    MPI_Sendrecv(last, got, MPI_CHAR, (rank + 1) % size, 1, last + 32, 32, MPI_CHAR, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
