/* commslice-test: hollow_envelopes
 * about: of long messages only lengths and senders matter, not content, however they are sent and received: blocking,
 * about: with requests, persistent, buffered, synchronous, in place, found by probes, with gaps and backwards in memory
 * ranks: 2 3 4
 * array: data 64
 * array-engine: emulate
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG = 1 << 20 };
static double data[8 * LONG];
static int rank, size, sum;

/* What the length and sender of a message decide: how long the next one is. */
static void heard(const MPI_Status *st, MPI_Datatype type)
{
    int n;
    MPI_Get_count(st, type, &n);
    sum = (sum + n + 3 * st->MPI_SOURCE) % 1000;
}

static void blocking(int to, int from)
{
    MPI_Status st;
    MPI_Sendrecv(data, LONG / 4 + rank + sum, MPI_DOUBLE, to, 1, data + LONG, LONG, MPI_DOUBLE, from, 1, MPI_COMM_WORLD,
                 &st);
    heard(&st, MPI_DOUBLE);
    MPI_Sendrecv_replace(data, 1000, MPI_DOUBLE, to, 2, from, 2, MPI_COMM_WORLD, &st);
    heard(&st, MPI_DOUBLE);
}

static void requests(int to, int from)
{
    MPI_Request r[3];
    MPI_Status st[3];
    MPI_Irecv(data, LONG, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(data + LONG, 5000 + sum, MPI_DOUBLE, to, 3, MPI_COMM_WORLD, &r[1]);
    MPI_Issend(data + LONG, 0, MPI_DOUBLE, to, 4, MPI_COMM_WORLD, &r[2]);
    MPI_Recv(data, LONG, MPI_DOUBLE, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, r, st);
    heard(&st[0], MPI_DOUBLE);
}

/* 32 MB that nobody has received yet. */
static void ahead(int to, int from)
{
    MPI_Request r[4];
    MPI_Status st;
    for (int i = 0; i < 4; i++)
        MPI_Isend(data, LONG - sum - i, MPI_DOUBLE, to, 11, MPI_COMM_WORLD, &r[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++) {
        MPI_Recv(data + LONG, LONG, MPI_DOUBLE, from, 11, MPI_COMM_WORLD, &st);
        heard(&st, MPI_DOUBLE);
    }
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
}

static void persistent(int to, int from)
{
    MPI_Request r[2];
    MPI_Status st[2];
    MPI_Recv_init(data, LONG, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(data + LONG, 70000 + rank, MPI_DOUBLE, to, 5, MPI_COMM_WORLD, &r[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, r);
        MPI_Waitall(2, r, st);
        heard(&st[0], MPI_DOUBLE);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

/* Every second number; and numbers from the last one to the first. */
static void gaps(int to, int from)
{
    MPI_Datatype gaps, backwards, resized;
    MPI_Status st;
    MPI_Type_vector(1000 + sum, 1, 2, MPI_DOUBLE, &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_vector(2, 1, -1, MPI_DOUBLE, &backwards);
    MPI_Type_create_resized(backwards, -8, -16, &resized);
    MPI_Type_commit(&resized);
    MPI_Sendrecv(data, 1, gaps, to, 6, data + LONG, LONG, MPI_DOUBLE, from, 6, MPI_COMM_WORLD, &st);
    heard(&st, MPI_DOUBLE);
    MPI_Sendrecv(data + LONG, 100 + rank, resized, to, 7, data + 2 * LONG, 1000, resized, from, 7, MPI_COMM_WORLD, &st);
    heard(&st, resized);
    MPI_Type_free(&gaps);
    MPI_Type_free(&backwards);
    MPI_Type_free(&resized);
}

static void probes(int to, int from)
{
    MPI_Status st;
    MPI_Message m;
    int bytes = 2 * (8 * LONG + MPI_BSEND_OVERHEAD);
    void *room = malloc((size_t)bytes);
    MPI_Buffer_attach(room, bytes);
    MPI_Bsend(data, LONG / 2 + sum, MPI_DOUBLE, to, 8, MPI_COMM_WORLD);
    MPI_Mprobe(from, 8, MPI_COMM_WORLD, &m, &st);
    heard(&st, MPI_DOUBLE);
    MPI_Mrecv(data, LONG, MPI_DOUBLE, &m, &st);
    MPI_Bsend(data, 2 * sum, MPI_DOUBLE, to, 9, MPI_COMM_WORLD);
    MPI_Probe(from, 9, MPI_COMM_WORLD, &st);
    heard(&st, MPI_DOUBLE);
    MPI_Recv(data, LONG, MPI_DOUBLE, from, 9, MPI_COMM_WORLD, &st);
    MPI_Buffer_detach(&room, &bytes);
    free(room);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 8 * LONG; i++)
        data[i] = i + rank;
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int i = 0; i < 3; i++) {
        blocking(to, from);
        requests(to, from);
        ahead(to, from);
        persistent(to, from);
        gaps(to, from);
        probes(to, from);
    }
    MPI_Send(data, sum, MPI_DOUBLE, to, 10, MPI_COMM_WORLD);
    MPI_Recv(data, 1000, MPI_DOUBLE, from, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    if (rank == 0)
        printf("%d\n", sum);
    return 0;
}
