/* commslice-test: converge
 * about: a loop that ends on an allreduce of real data, with a dead allreduce inside it
 * ranks: 2 3
 * gone: render energy_of
 * array: image 64
 * marks: content=3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 24
#define PIXELS (8 * 1024 * 1024)

static double *image;

static void render(double *img, int n, const double *u)
{
    for (int i = 0; i < n; i++)
        img[i] = u[1 + i % N] * (double)(i % 13);
    for (int i = 1; i < n; i++)
        img[i] += 0.5 * img[i - 1];
}

static double energy_of(const double *u)
{
    double e = 0.0;
    for (int i = 1; i <= N; i++)
        for (int k = 0; k < 2000; k++)
            e += u[i] * u[i] / (1.0 + k);
    return e;
}

/* One Jacobi step; the largest change comes back. */
static double sweep(const double *u, double *v, double source)
{
    double most = 0.0;
    for (int i = 1; i <= N; i++) {
        v[i] = 0.2 * (u[i - 1] + u[i + 1]) + source;
        double d = fabs(v[i] - u[i]);
        if (d > most)
            most = d;
    }
    return most;
}

int main(int argc, char **argv)
{
    double a[N + 2] = {0}, b[N + 2] = {0}, *u = a, *v = b, worst = 1.0, energy = 0.0, total;
    int rank, size, steps = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = rank ? rank - 1 : MPI_PROC_NULL, hi = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    while (worst > 1e-4) {
        MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, hi, 1, &u[0], 1, MPI_DOUBLE, lo, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, lo, 2, &u[N + 1], 1, MPI_DOUBLE, hi, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double mine = sweep(u, v, 1.0 + rank);
        double e = energy_of(v);
        MPI_Allreduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        energy += total;
        MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        double *t = u;
        u = v;
        v = t;
        steps++;
    }
    image = malloc(PIXELS * sizeof *image);
    render(image, PIXELS, u);
    MPI_Reduce(rank ? image : MPI_IN_PLACE, image, 100 + steps, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    printf("rank %d: %d steps, energy %.6g, pixel %.6g\n", rank, steps, energy, image[PIXELS - 1]);
    free(image);
    MPI_Finalize();
    return 0;
}
