/* commslice-test: timestep
 * about: a time-step loop ends on a computed time, whose step is an allreduce over a small live state
 * ranks: 2 3
 * gone: chemistry
 * array: species 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 16
#define N (8 * 1024 * 1024)

struct flow { double speed[CELLS], time, heat; double *species; };

static double allowed(const struct flow *f)
{
    double m = 0.0;
    for (int i = 0; i < CELLS; i++)
        m = fmax(m, fabs(f->speed[i]));
    return 0.9 / m;
}

static void accelerate(struct flow *f, double dt)
{
    for (int i = 0; i < CELLS; i++)
        f->speed[i] += dt * (1.0 + 0.1 * i);
}

static void chemistry(struct flow *f, double dt)
{
    double q = 0.0;
    for (int i = 0; i < N; i += 4) {
        f->species[i] = f->species[i] * (1.0 - 0.01 * dt) + f->speed[i % CELLS];
        q += f->species[i];
    }
    f->heat += q;
}

int main(int argc, char **argv)
{
    struct flow f = {.time = 0.0, .heat = 0.0};
    int rank, size, steps = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < CELLS; i++)
        f.speed[i] = 1.0 + rank;
    f.species = calloc(N, sizeof *f.species);
    while (f.time < 2.5) {
        double mine = allowed(&f), dt, in[64], out[64] = {f.heat};
        MPI_Allreduce(&mine, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        if (f.time + dt > 2.5)
            dt = 2.5 - f.time + 1e-12;
        accelerate(&f, dt);
        if (steps % 4 == 0)
            chemistry(&f, dt);
        int n = 1 + (int)(10.0 * dt);
        MPI_Sendrecv(out, n, MPI_DOUBLE, (rank + 1) % size, 1, in, 64, MPI_DOUBLE, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        f.time += dt;
        steps++;
    }
    MPI_Reduce(rank ? &f.heat : MPI_IN_PLACE, &f.heat, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    printf("rank %d: %d steps, heat %.8g\n", rank, steps, f.heat);
    free(f.species);
    MPI_Finalize();
    return 0;
}
