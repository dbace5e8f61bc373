/* commslice-test: split_phase
 * about: Irecv and Ibcast in one function, the wait in another, the request in a heap object; then the data counts
 * ranks: 2 3 4
 * gone: overlap
 * array: volume 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

struct pending { MPI_Request req[3]; int *where; double *room; };

static struct pending *begin(int *where, int root, int left, int right, const int *mine)
{
    struct pending *p = malloc(sizeof *p);
    p->where = where;
    p->room = malloc(64 * sizeof *p->room);
    MPI_Irecv(&where[0], 1, MPI_INT, left, 4, MPI_COMM_WORLD, &p->req[0]);
    MPI_Ibcast(&where[1], 1, MPI_INT, root, MPI_COMM_WORLD, &p->req[1]);
    MPI_Isend(mine, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &p->req[2]);
    return p;
}

static int end(struct pending *p)
{
    int sum;
    MPI_Wait(&p->req[1], MPI_STATUS_IGNORE);
    MPI_Wait(&p->req[0], MPI_STATUS_IGNORE);
    MPI_Wait(&p->req[2], MPI_STATUS_IGNORE);
    sum = p->where[0] + p->where[1];
    free(p->room);
    free(p);
    return sum;
}

static double overlap(double *v, int n)
{
    double x = 0.0;
    for (int i = 0; i < n; i++) {
        v[i] = (double)(i % 71);
        x += v[i];
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, mine, where[2] = {0, 0}, sum = 0;
    double in[128], x = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *volume = malloc(N * sizeof *volume);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    mine = 3 + rank;
    for (int s = 0; s < 3; s++) {
        where[1] = rank * 7 + s;
        struct pending *p = begin(where, s % size, left, right, &mine);
        if (s == 1)
            x = overlap(volume, N);
        sum = end(p);
        MPI_Sendrecv(volume, sum, MPI_DOUBLE, right, 5, in, 128, MPI_DOUBLE, left, 5, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
        mine = sum % 11;
    }
    printf("rank %d: %d, %g\n", rank, sum, x);
    free(volume);
    MPI_Finalize();
    return 0;
}
