/* commslice-test: trap_mpi_pointer
 * about: MPI functions are called through function pointers and a table of them
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

typedef int bcast_fn(void *, int, MPI_Datatype, int, MPI_Comm);
typedef int send_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm);

static int noisy_bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c)
{
    MPI_Barrier(c);
    return MPI_Bcast(b, n, t, root, c);
}

static bcast_fn *const bcasts[] = {MPI_Bcast, noisy_bcast};
static struct { send_fn *send; const char *name; } sends[] = {{MPI_Send, "send"}, {MPI_Bsend, "bsend"}, {MPI_Rsend,
    "rsend"}};

int main(int argc, char **argv)
{
    int n = 0, in = 0;
    static char room[4096];
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < 4; i++) {
        if (rank == i % size)
            n = (n + 3) * 2;
        bcasts[i % 2](&n, 1, MPI_INT, i % size, MPI_COMM_WORLD);
        shift(n % 90 + 1, i, 1);
    }
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 50, MPI_COMM_WORLD, &r);
        MPI_Barrier(MPI_COMM_WORLD);
        n += i + rank;
        sends[(n + i) % 3].send(&n, 1, MPI_INT, (rank + 1) % size, 50, MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        n = in;
    }
    void *b;
    int len;
    MPI_Buffer_detach(&b, &len);
    printf("rank %d: %d %s\n", rank, n, sends[n % 3].name);
    MPI_Finalize();
    return 0;
}
