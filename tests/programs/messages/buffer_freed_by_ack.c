/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: buffer_freed_by_ack
 * about: a buffer with room for one message of MPI_Bsend, freed by an acknowledgement that decides nothing: the
 * about: slice does not wait for it, and is ahead of the receiver, once with content, once with envelopes
 */
#include <mpi.h>
#include <stdlib.h>

enum { LENGTH = 20000 };

static int field[LENGTH];

/* Takes a while in the slice, too: what it gives decides how much is sent. */
static int slow(int seed)
{
    unsigned x = (unsigned)seed + 1;
    for (int i = 0; i < 20000000; i++)
        x = x * 1664525u + 1013904223u;
    return (int)(x >> 31);
}

static void sends(int to, int counts)
{
    int ack, room = LENGTH * (int)sizeof *field + MPI_BSEND_OVERHEAD + 64, had;
    void *buffer = malloc(room), *was;
    MPI_Buffer_attach(buffer, room);
    for (int i = 0; i < 4; i++) {
        field[7] = i + 1;
        MPI_Bsend(field, LENGTH - (counts ? i : 0), MPI_INT, to, 1, MPI_COMM_WORLD);
        MPI_Recv(&ack, 1, MPI_INT, to, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&was, &had);
    if (was != buffer || had != room) /* what is given back is what was attached */
        MPI_Send(field, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
    free(buffer);
}

static void receives(int from, int counts)
{
    for (int i = 0; i < 4; i++) {
        int late = slow(i), ack = 0, n;
        MPI_Status status;
        MPI_Recv(field, LENGTH, MPI_INT, from, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        MPI_Send(&ack, 1, MPI_INT, from, 2, MPI_COMM_WORLD);
        for (int k = 0; k < (counts ? LENGTH - n : field[7]) + late; k++)
            MPI_Send(field, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int counts = 0; counts < 2; counts++)
        if (rank == 0)
            sends(size - 1, counts);
        else if (rank == size - 1)
            receives(0, counts);
    MPI_Finalize();
    return 0;
}
