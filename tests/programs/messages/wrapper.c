/* commslice-test: wrapper
 * about: one wrapper of send and receive serves live numbers and dead fields from the same call sites
 * ranks: 2 3 4
 * gone: flux
 * array: mesh 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)
#define CHECK(call) do { if ((call) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 9); } while (0)

struct comm { int rank, size, calls; long bytes; };

static int pass(struct comm *c, const void *out, void *in, int n, MPI_Datatype t, int distance)
{
    MPI_Status st;
    int got, size;
    CHECK(MPI_Sendrecv(out, n, t, (c->rank + distance) % c->size, distance, in, n, t,
                       (c->rank + c->size - distance) % c->size, distance, MPI_COMM_WORLD, &st));
    MPI_Get_count(&st, t, &got);
    MPI_Type_size(t, &size);
    c->calls++;
    c->bytes += (long)got * size;
    return got;
}

/* The mesh is never an argument of the wrapper, only a small copy of its edge is. */
static double flux(double *m, int n)
{
    double f = 0.0;
    for (int i = 1; i < n; i++) {
        m[i] = 0.5 * m[i - 1] + i % 12;
        f += m[i];
    }
    return f;
}

int main(int argc, char **argv)
{
    struct comm c = {0};
    int next[2], mine[2];
    double edge[64] = {0}, other[64], total = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c.size);
    double *mesh = calloc(N, sizeof *mesh);
    total = flux(mesh, N);
    mine[0] = 4;
    mine[1] = 1;
    for (int s = 0; s < 5; s++) {
        mine[0] = mine[0] * 5 % 47 + 1;
        mine[1] = (s + 1) % c.size;
        pass(&c, mine, next, 2, MPI_INT, 1);
        pass(&c, edge, other, next[0], MPI_DOUBLE, next[1]);
        edge[s] = other[0] + 1.0;
    }
    printf("rank %d: %d calls %ld bytes, %g\n", c.rank, c.calls, c.bytes, total);
    free(mesh);
    MPI_Finalize();
    return 0;
}
