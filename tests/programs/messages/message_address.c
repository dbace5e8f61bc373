/* commslice-test: message_address
 * about: addresses go through messages: to the rank itself, to another one and back, and through a packed buffer. What
 * about: they point to decides counts, and nothing else names it where it is read
 * ranks: 1 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

struct job {
    int (*size)(int);
    int *arg;
};

static int rank, size;
static char data[256];

static int twice(int x) { return 2 * x; }
static int more(int x) { return x + 9; }

static void share(struct job *j)
{
    MPI_Bcast(data, j->size(*j->arg), MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void to_itself(void)
{
    int cell = 20;
    struct job out = {twice, &cell}, in;
    MPI_Sendrecv(&out, sizeof out, MPI_BYTE, rank, 4, &in, sizeof in, MPI_BYTE, rank, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    cell += 5;
    share(&in);
}

static void there_and_back(void)
{
    int cell = 30, left = (rank + size - 1) % size, right = (rank + 1) % size;
    struct job out = {more, &cell}, guest, in;
    MPI_Sendrecv(&out, sizeof out, MPI_BYTE, right, 5, &guest, sizeof guest, MPI_BYTE, left, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&guest, sizeof guest, MPI_BYTE, left, 6, &in, sizeof in, MPI_BYTE, right, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    cell += 7;
    share(&in);
}

static void packed(void)
{
    int cell = 40, at = 0;
    char buffer[64];
    struct job out = {twice, &cell}, in;
    MPI_Pack(&out, sizeof out, MPI_BYTE, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
    at = 0;
    MPI_Unpack(buffer, sizeof buffer, &at, &in, sizeof in, MPI_BYTE, MPI_COMM_WORLD);
    cell += 3;
    share(&in);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    to_itself();
    there_and_back();
    packed();
    MPI_Finalize();
    return 0;
}
