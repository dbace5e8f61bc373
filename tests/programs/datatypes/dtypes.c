/* commslice-test: dtypes
 * about: derived datatypes whose size depends on broadcast data, built in a helper and kept in an array
 * ranks: 2 3 4
 * gone: evolve
 * array: grid 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define ROW 2048
#define N (ROW * 4096)

struct particle { int id; double x[3]; char kind; };

static void evolve(double *g)
{
    for (int i = ROW; i < N; i++)
        g[i] = 0.5 * g[i - ROW] + i % 9;
}

static MPI_Datatype column(int rows, int width)
{
    MPI_Datatype t;
    MPI_Type_vector(rows, width, ROW, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    return t;
}

static void particle_type(MPI_Datatype *t, int ndim)
{
    int len[3] = {1, ndim, 1};
    MPI_Aint off[3] = {offsetof(struct particle, id), offsetof(struct particle, x), offsetof(struct particle, kind)};
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, raw;
    MPI_Type_create_struct(3, len, off, types, &raw);
    MPI_Type_create_resized(raw, 0, sizeof(struct particle), t);
    MPI_Type_commit(t);
    MPI_Type_free(&raw);
}

int main(int argc, char **argv)
{
    int rank, size, cfg[3] = {1, 1, 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        cfg[0] = 6;
        cfg[1] = 2;
        cfg[2] = 3;
    }
    MPI_Bcast(cfg, 3, MPI_INT, 0, MPI_COMM_WORLD);

    double *grid = calloc(N, sizeof *grid), *halo = calloc(ROW * 32, sizeof *halo);
    struct particle swarm[8] = {{0, {0, 0, 0}, 'a'}}, taken[8];
    evolve(grid);

    MPI_Datatype types[4];
    types[0] = column(cfg[0], cfg[1]);
    particle_type(&types[1], cfg[2]);
    int blen[4] = {1, 2, 3, 4}, bdis[4] = {0, 4, 8, 16};
    for (int i = 0; i < 4; i++)
        blen[i] += cfg[1];
    MPI_Type_indexed(cfg[2], blen, bdis, MPI_DOUBLE, &types[2]);
    MPI_Type_commit(&types[2]);
    MPI_Type_contiguous(2, types[2], &types[3]);
    MPI_Type_commit(&types[3]);

    void *out[4] = {grid + 1, swarm, grid, grid}, *in[4] = {halo, taken, halo, halo};
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int k = 0; k < 4; k++)
        MPI_Sendrecv(out[k], 1 + k % 2, types[k], right, k, in[k], 1 + k % 2, types[k], left, k, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    /* the handle is freed and means something else from here on */
    MPI_Type_free(&types[0]);
    types[0] = column(cfg[0] + 1, 1);
    MPI_Sendrecv(grid, 2, types[0], left, 9, halo, 2, types[0], right, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; k++)
        MPI_Type_free(&types[k]);
    printf("rank %d: %g %c\n", rank, grid[N - 1] + halo[0], taken[0].kind);
    free(grid);
    free(halo);
    MPI_Finalize();
    return 0;
}
