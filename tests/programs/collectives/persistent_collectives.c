/* commslice-test: persistent_collectives
 * about: persistent collectives: a broadcast number says how often the others are started; one is built anew with the
 * about: counts that an exchange has told
 * ranks: 2 3 4
 * gone: work
 * array: zone 64
 * marks: content=2
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static void work(double *z, int part)
{
    for (int i = part * (N / 8); i < (part + 1) * (N / 8); i++)
        z[i] = z[i] * 0.5 + i % 6;
}

/* How much each rank has for each other one decides what is sent. */
static void exchange(double *zone, int rank, int size)
{
    int counts[4], theirs[4], at[4], theirs_at[4];
    MPI_Request q;
    MPI_Alltoall_init(counts, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < size; i++)
            counts[i] = (rank + 2 * i + turn) % 4;
        MPI_Start(&q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        for (int i = 0; i < size; i++) {
            at[i] = 4 * i;
            theirs_at[i] = 100 + 4 * i;
        }
        MPI_Request r;
        MPI_Alltoallv_init(zone, counts, at, MPI_DOUBLE, zone, theirs, theirs_at, MPI_DOUBLE, MPI_COMM_WORLD,
                           MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Request_free(&r);
    }
    MPI_Request_free(&q);
}

int main(int argc, char **argv)
{
    int rank, size, plan = 0;
    double sum[3] = {0}, own[3] = {1, 2, 3};
    MPI_Request tell, q[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *zone = calloc(N, sizeof *zone);
    MPI_Bcast_init(&plan, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &tell);
    MPI_Allreduce_init(own, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
    MPI_Gather_init(own, 3, MPI_DOUBLE, zone + 8, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &q[2]);
    for (int phase = 0; phase < 2; phase++) {
        if (rank == 0)
            plan = 3 + 2 * phase; /* read when it is started */
        MPI_Start(&tell);
        MPI_Wait(&tell, MPI_STATUS_IGNORE);
        for (int s = 0; s < plan; s++) {
            work(zone, s);
            own[0] = zone[s];
            if (s % 2)
                MPI_Startall(3, q);
            else
                for (int i = 0; i < 3; i++) /* ranks start them in different orders */
                    MPI_Start(&q[(i + rank) % 3]);
            MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
            zone[s] += sum[0];
        }
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&q[i]);
    MPI_Request_free(&tell);
    exchange(zone, rank, size);
    printf("rank %d: %d %g\n", rank, plan, zone[3]);
    free(zone);
    MPI_Finalize();
    return 0;
}
