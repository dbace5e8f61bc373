/* commslice-test: made_for_argument
 * about: routines that store new memory through their argument, also one inside the other, and for members of a struct:
 * about: what one call makes decides a count, what the others make decides nothing
 * ranks: 2 3
 * gone: heat
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct array {
    int n;
    double *data;
};
struct domain {
    struct array plan, field, flux;
};

static void make(struct array *a, int n)
{
    a->data = malloc(n * sizeof *a->data);
    if (!a->data)
        exit(1);
    a->n = n;
}

static void set_up(struct domain *d, int n)
{
    make(&d->plan, n);
    make(&d->field, n);
    make(&d->flux, n);
}

static void new_vector(int n, double **out)
{
    *out = calloc(n, sizeof **out);
    if (!*out)
        exit(1);
}

/* What decides nothing. */
static void heat(double *a, const double *b, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5 + b[i] + 1;
}

int main(int argc, char **argv)
{
    struct domain d;
    double *lengths, *work;
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    set_up(&d, n);
    new_vector(n, &lengths);
    new_vector(n, &work);
    for (int i = 0; i < n; i++) {
        d.plan.data[i] = i + rank;
        d.field.data[i] = d.flux.data[i] = rank;
        lengths[i] = 2 * i;
    }
    heat(d.field.data, d.flux.data, n);
    heat(work, d.field.data, n);
    int count = (int)d.plan.data[3] + (int)lengths[2];
    double out[64] = {0}, in[64];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, 1, in, 64, MPI_DOUBLE, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d sent %d\n", rank, count);
    free(lengths);
    free(work);
    MPI_Finalize();
    return 0;
}
