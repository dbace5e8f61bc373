/* commslice-test: persistent
 * about: persistent requests, started as often as a broadcast number says, then rebuilt with other counts
 * ranks: 2 3
 * gone: work
 * array: zone 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

struct link { MPI_Request req[4]; int n; double in[2][64]; };

static void build(struct link *l, double *zone, int lo, int hi, int count)
{
    l->n = 0;
    MPI_Recv_init(l->in[0], count, MPI_DOUBLE, lo, 1, MPI_COMM_WORLD, &l->req[l->n++]);
    MPI_Recv_init(l->in[1], count, MPI_DOUBLE, hi, 2, MPI_COMM_WORLD, &l->req[l->n++]);
    MPI_Send_init(zone, count, MPI_DOUBLE, hi, 1, MPI_COMM_WORLD, &l->req[l->n++]);
    MPI_Ssend_init(zone + count, count, MPI_DOUBLE, lo, 2, MPI_COMM_WORLD, &l->req[l->n++]);
}

static void work(double *z, int part)
{
    for (int i = part * (N / 8); i < (part + 1) * (N / 8); i++)
        z[i] = z[i] * 0.5 + i % 6;
}

int main(int argc, char **argv)
{
    int rank, size, plan[2] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        plan[0] = 4;
        plan[1] = 21;
    }
    MPI_Bcast(plan, 2, MPI_INT, 0, MPI_COMM_WORLD);
    int lo = rank ? rank - 1 : MPI_PROC_NULL, hi = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double *zone = calloc(N, sizeof *zone);
    struct link l = {.n = 0};
    for (int phase = 0; phase < 2; phase++) {
        build(&l, zone, lo, hi, plan[1] + phase * 10);
        for (int s = 0; s < plan[0] + phase; s++) {
            work(zone, s);
            if (s % 2) {
                MPI_Startall(l.n, l.req);
            } else {
                for (int i = 0; i < l.n; i++)
                    MPI_Start(&l.req[i]);
            }
            MPI_Waitall(l.n, l.req, MPI_STATUSES_IGNORE);
            zone[s] += l.in[0][s] + l.in[1][s];
        }
        for (int i = 0; i < l.n; i++)
            MPI_Request_free(&l.req[i]);
    }
    printf("rank %d: %g\n", rank, zone[3] + zone[N / 8]);
    free(zone);
    MPI_Finalize();
    return 0;
}
