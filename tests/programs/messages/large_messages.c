/* commslice-test: large_messages
 * about: point to point with large counts: MPI_Get_count_c, MPI_Get_elements_c, buffered sends, persistent requests and
 * about: matched probes; what comes back decides what is sent next
 * ranks: 2 3 4
 * gone: work
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4096

static double zone[N], halo[N];
static char room[N];

static void work(int part)
{
    for (int i = 0; i < N; i++)
        zone[i] = zone[i] * 0.5 + i % (part + 6);
}

/* Sends to the next rank what the one before has sent, and one more. Returns how much comes of that. */
static MPI_Count buffered(int next, int before, MPI_Count n)
{
    MPI_Count got, elements, attached;
    MPI_Status st;
    void *given;
    MPI_Buffer_attach_c(room, sizeof room);
    MPI_Bsend_c(zone, n, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
    MPI_Recv_c(halo, N, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &st);
    MPI_Get_count_c(&st, MPI_DOUBLE, &got);
    MPI_Buffer_detach_c(&given, &attached);
    MPI_Request r;
    MPI_Isend_c(zone, got + (given == room) + attached / N, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &r);
    MPI_Recv_c(halo, N, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &st);
    MPI_Get_elements_c(&st, MPI_DOUBLE, &elements);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    return elements;
}

/* A probe tells how much to take; what is in it, how much to send back. */
static MPI_Count matched(int next, int before, MPI_Count n)
{
    MPI_Message m;
    MPI_Status st;
    MPI_Request r;
    MPI_Count got, more[2] = {n, 2 * n}, back[2];
    MPI_Issend_c(more, 1 + n % 2, MPI_COUNT, next, 3, MPI_COMM_WORLD, &r);
    MPI_Mprobe(before, 3, MPI_COMM_WORLD, &m, &st);
    MPI_Get_count_c(&st, MPI_COUNT, &got);
    MPI_Mrecv_c(back, got, MPI_COUNT, &m, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Ssend_c(zone, 0, MPI_DOUBLE, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
    MPI_Isend_c(zone, back[got - 1], MPI_DOUBLE, next, 4, MPI_COMM_WORLD, &r);
    MPI_Mprobe(before, 4, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
    MPI_Request s;
    MPI_Imrecv_c(halo, N, MPI_DOUBLE, &m, &s);
    MPI_Wait(&s, &st);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Get_count_c(&st, MPI_DOUBLE, &got);
    return got;
}

static void persistent(int next, int before, MPI_Count n)
{
    MPI_Request q[4];
    MPI_Send_init_c(zone, n, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &q[0]);
    MPI_Recv_init_c(halo, N, MPI_DOUBLE, before, 5, MPI_COMM_WORLD, &q[1]);
    MPI_Ssend_init_c(zone, n + 1, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &q[2]);
    MPI_Recv_init_c(halo + N / 2, N / 2, MPI_DOUBLE, before, 6, MPI_COMM_WORLD, &q[3]);
    for (int step = 0; step < 3; step++) {
        work(step);
        MPI_Startall(4, q);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&q[i]);
}

static MPI_Count exchanged(int next, int before, MPI_Count n)
{
    MPI_Status st;
    MPI_Count got, value = n + 3;
    MPI_Request r;
    MPI_Sendrecv_replace_c(&value, 1, MPI_COUNT, next, 7, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_c(zone, value, MPI_DOUBLE, next, 8, halo, N, MPI_DOUBLE, before, 8, MPI_COMM_WORLD, &st);
    MPI_Get_count_c(&st, MPI_DOUBLE, &got);
    MPI_Isendrecv_c(zone, got + 1, MPI_DOUBLE, next, 9, halo, N, MPI_DOUBLE, before, 9, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace_c(halo, 5, MPI_DOUBLE, next, 10, before, 10, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    return got;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    work(rank);
    MPI_Count n = buffered(next, before, 2 + rank);
    n = matched(next, before, n);
    persistent(next, before, n);
    n = exchanged(next, before, n);
    printf("rank %d: %lld\n", rank, (long long)n);
    MPI_Finalize();
    return 0;
}
