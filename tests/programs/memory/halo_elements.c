/* commslice-test: halo_elements
 * about: each element of an array of structs holds its requests, sizes and payload: waiting for the requests of one
 * about: reads no payload, nor does the payload of unknown length reach the sizes
 * ranks: 2 3 4
 * gone: norm
 * marks: content=0
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct side {
    double out[16], in[16];
    MPI_Request q[2];
    MPI_Status st[2];
    int peer, n;
};
struct domain {
    int nsides;
    struct side *sides;
    double u[64];
};

double norm(const double *u)
{
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += u[i] * u[i];
    return sqrt(sum);
}

static void start(struct side *s, struct domain *d)
{
    for (int i = 0; i < s->n; i++)
        s->out[i] = d->u[i] / norm(d->u);
    MPI_Irecv(s->in, s->n, MPI_DOUBLE, s->peer, 1, MPI_COMM_WORLD, &s->q[0]);
    MPI_Isend(s->out, s->n, MPI_DOUBLE, s->peer, 1, MPI_COMM_WORLD, &s->q[1]);
}

static void finish(struct side *s, struct domain *d)
{
    MPI_Waitall(2, s->q, s->st);
    for (int i = 0; i < s->n; i++)
        d->u[i] += s->in[i];
}

int main(int argc, char **argv)
{
    struct domain d;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    d.nsides = 1 + (size % 2 == 0);
    d.sides = malloc(d.nsides * sizeof *d.sides);
    for (int k = 0; k < d.nsides; k++) {
        d.sides[k].peer = k ? rank ^ 1 : (size - rank) % size;
        d.sides[k].n = 4 + 3 * k;
    }
    for (int i = 0; i < 64; i++)
        d.u[i] = i + rank;
    for (int step = 0; step < 3; step++) {
        for (int k = 0; k < d.nsides; k++)
            start(&d.sides[k], &d);
        for (int k = 0; k < d.nsides; k++)
            finish(&d.sides[k], &d);
    }
    printf("%g\n", norm(d.u));
    free(d.sides);
    MPI_Finalize();
    return 0;
}
