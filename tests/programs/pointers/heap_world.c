/* commslice-test: heap_world
 * about: one heap object holds parameters, neighbours and the big arrays; only some members are live
 * ranks: 2 3 4
 * stdin: 5 12 0.75 3\n
 * gone: init_fields advance diagnose
 * array: u 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct params { double cfl; int nx, every, nsteps; };

struct world {
    double time, energy;
    double *u, *v;
    struct params p;
    struct { int rank, size, nb[2]; MPI_Comm comm; } mpi;
    struct { double history[64]; int n; } stats;
    double *halo[2];
};

static struct world *create(MPI_Comm comm)
{
    struct world *w = calloc(1, sizeof *w);
    int ip[3];
    w->mpi.comm = comm;
    MPI_Comm_rank(comm, &w->mpi.rank);
    MPI_Comm_size(comm, &w->mpi.size);
    if (w->mpi.rank == 0 &&
        scanf("%d %d %lf %d", &w->p.nsteps, &w->p.nx, &w->p.cfl, &w->p.every) != 4)
        MPI_Abort(comm, 3);
    ip[0] = w->p.nsteps;
    ip[1] = w->p.nx;
    ip[2] = w->p.every;
    MPI_Bcast(&w->p.cfl, 1, MPI_DOUBLE, 0, comm);
    MPI_Bcast(ip, 3, MPI_INT, 0, comm);
    w->p.nsteps = ip[0];
    w->p.nx = ip[1];
    w->p.every = ip[2];
    w->mpi.nb[0] = w->mpi.rank ? w->mpi.rank - 1 : MPI_PROC_NULL;
    w->mpi.nb[1] = w->mpi.rank + 1 < w->mpi.size ? w->mpi.rank + 1 : MPI_PROC_NULL;
    size_t n = (size_t)w->p.nx * 699050;
    w->u = malloc(n * sizeof *w->u);
    w->v = malloc(n * sizeof *w->v);
    for (int s = 0; s < 2; s++)
        w->halo[s] = calloc(w->p.nx, sizeof *w->halo[s]);
    return w;
}

static void init_fields(struct world *w)
{
    for (int i = 0; i < w->p.nx * 699050; i++) {
        w->u[i] = w->mpi.rank;
        w->v[i] = i % 3;
    }
}

static void exchange(struct world *w)
{
    for (int s = 0; s < 2; s++)
        MPI_Sendrecv(w->u, w->p.nx, MPI_DOUBLE, w->mpi.nb[s], s, w->halo[1 - s], w->p.nx, MPI_DOUBLE, w->mpi.nb[1 - s],
            s,
                     w->mpi.comm, MPI_STATUS_IGNORE);
}

static void advance(struct world *w)
{
    int n = w->p.nx * 699050 / 8;
    double *t = w->u;
    for (int i = 1; i < n; i++)
        w->v[i] = w->p.cfl * (w->u[i] + w->u[i - 1]) + w->halo[0][i % w->p.nx];
    w->u = w->v;
    w->v = t;
    w->time += w->p.cfl;
}

static void diagnose(struct world *w)
{
    double e = 0.0;
    for (int i = 0; i < 1000; i++)
        e += w->u[i] * w->u[i];
    w->energy = e;
    w->stats.history[w->stats.n++] = e;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct world *w = create(MPI_COMM_WORLD);
    init_fields(w);
    for (int s = 1; s <= w->p.nsteps; s++) {
        exchange(w);
        advance(w);
        if (s % w->p.every == 0) {
            diagnose(w);
            MPI_Allreduce(MPI_IN_PLACE, &w->energy, 1, MPI_DOUBLE, MPI_SUM, w->mpi.comm);
        }
    }
    printf("rank %d: time %g energy %g history %d\n", w->mpi.rank, w->time, w->energy, w->stats.n);
    free(w->halo[0]);
    free(w->halo[1]);
    free(w->u);
    free(w->v);
    free(w);
    MPI_Finalize();
    return 0;
}
