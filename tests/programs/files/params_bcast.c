/* commslice-test: params_bcast
 * about: rank 0 reads a parameter file; a live broadcast beside a dead one
 * ranks: 2 3 4
 * files: params.txt=# a comment line\ngamma 1.4\nshift 1\nsteps 5\ncfl 0.25\nchunk 40\nviscosity 0.001\n
 * gone: hydro
 * array: state 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N (8 * 1024 * 1024)

static int steps = 1, chunk = 1, shift = 0;
static double gamma_, cfl, viscosity;

static int read_params(const char *name)
{
    char line[128], key[32];
    double value;
    FILE *f = fopen(name, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#' || sscanf(line, "%31s %lf", key, &value) != 2)
            continue;
        if (!strcmp(key, "steps"))
            steps = (int)value;
        else if (!strcmp(key, "chunk"))
            chunk = (int)value;
        else if (!strcmp(key, "shift"))
            shift = (int)value;
        else if (!strcmp(key, "gamma"))
            gamma_ = value;
        else if (!strcmp(key, "cfl"))
            cfl = value;
        else if (!strcmp(key, "viscosity"))
            viscosity = value;
    }
    fclose(f);
    return 0;
}

static void hydro(double *s, int from, int to)
{
    for (int i = from; i < to; i++)
        s[i] = s[i] * gamma_ + cfl * (i % 17) - viscosity;
}

__attribute__((noinline)) static int beside(int rank, int size, int way)
{
    return (rank + size + way * (shift % size)) % size;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && read_params("params.txt") != 0) {
        fprintf(stderr, "no params.txt\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    int ip[3] = {steps, chunk, shift};
    double dp[3] = {gamma_, cfl, viscosity};
    MPI_Bcast(dp, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(ip, 3, MPI_INT, 0, MPI_COMM_WORLD);
    steps = ip[0];
    chunk = ip[1];
    shift = ip[2];
    gamma_ = dp[0];
    cfl = dp[1];
    viscosity = dp[2];

    double *state = calloc(N, sizeof *state), *halo = malloc((chunk + steps) * sizeof *halo);
    int to = beside(rank, size, 1), from = beside(rank, size, -1);
    for (int s = 0; s < steps; s++) {
        hydro(state, s * (N / steps), (s + 1) * (N / steps));
        MPI_Sendrecv(state, chunk + s, MPI_DOUBLE, to, s, halo, chunk + s, MPI_DOUBLE, from, s, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        memcpy(state, halo, (chunk + s) * sizeof *halo);
    }
    printf("rank %d: %d steps of %d, %g\n", rank, steps, chunk, state[0] + state[N / 2]);
    free(halo);
    free(state);
    MPI_Finalize();
    return 0;
}
