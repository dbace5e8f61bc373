/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_read_late
 * about: what is read when it is used and not when it is named: a persistent message, a string of the environment, a
 * about: stream in memory
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void ring(int n)
{
    int out[64] = { 0 }, in[64];
    MPI_Sendrecv(out, n, MPI_INT, (rank + 1) % size, 0, in, n, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d\n", n);
}

#include <string.h>
static char text[16] = "COUNT=1", memory[16] = "5";
static int parcel = 1, got;

static void change(void)
{
    strcpy(text, "COUNT=6");
    strcpy(memory, "4");
    parcel = 3;
}

static int from_environment(void)
{
    return atoi(getenv("COUNT"));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request q[2];
    FILE *f = fmemopen(memory, sizeof memory, "r");
    int n = 0;
    setvbuf(f, NULL, _IONBF, 0);
    putenv(text);
    MPI_Send_init(&parcel, 1, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init(&got, 1, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, &q[1]);
    ring(from_environment());
    change();
    MPI_Startall(2, q);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    ring(got);
    ring(from_environment());
    if (fscanf(f, "%d", &n) == 1)
        ring(n);
    fclose(f);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    MPI_Finalize();
    return 0;
}
