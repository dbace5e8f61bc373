/* commslice-test: assume_value_particles
 * about: particles that drift from rank to rank decide how many are sent; an assumption says how many leave in which
 *        step. The receiver is told by a message that comes first, and its messages of particles carry nothing
 * ranks: 2 3 4
 * assume: assume_value_particles.c:73:leaving=4*(iteration>=8*rank+7)*(rank<size-1)
 * gone: drift leave
 * marks: content=2
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST (1024 * 1024)

/* A particle and what it carries. */
struct particle {
    double x, load[8];
};

static struct particle pool[MOST];
static int here, rank, size;

/* Every particle moves an eighth of a rank's part of the world. */
static double drift(void)
{
    double sum = 0;
    for (int i = 0; i < here; i++) {
        pool[i].x += 0.125;
        for (int k = 0; k < 8; k++)
            sum += pool[i].load[k] *= 0.99;
    }
    return sum;
}

/* Takes those that are beyond the rank's part out of the pool. */
static int leave(struct particle *out)
{
    int n = 0, kept = 0;
    for (int i = 0; i < here; i++) {
        if (pool[i].x >= rank + 1)
            out[n++] = pool[i];
        else
            pool[kept++] = pool[i];
    }
    here = kept;
    return rank == size - 1 ? 0 : n;
}

static void inject(unsigned *seed)
{
    for (int i = 0; i < 4; i++) {
        *seed = *seed * 1103515245 + 12345;
        memset(&pool[here], 0, sizeof pool[here]);
        pool[here].x = 0.0625 + (*seed >> 16) % 1000 * 0.00005;
        pool[here++].load[i] = 1;
    }
}

int main(int argc, char **argv)
{
    int leaving, coming;
    double energy = 0;
    unsigned seed = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct particle *out = malloc(MOST / 4 * sizeof *out);
    for (int step = 0; step < 60; step++) {
        if (rank == 0)
            inject(&seed);
        energy += drift();
        leaving = leave(out);
        if (rank < size - 1) {
            MPI_Send(&leaving, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
            if (leaving)
                MPI_Send(out, leaving * (int)sizeof *out, MPI_BYTE, rank + 1, 2, MPI_COMM_WORLD);
        }
        if (rank > 0) {
            MPI_Recv(&coming, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (coming)
                MPI_Recv(&pool[here], coming * (int)sizeof *pool, MPI_BYTE, rank - 1, 2, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            here += coming;
        }
    }
    printf("rank %d: %d particles, %g\n", rank, here, energy);
    free(out);
    MPI_Finalize();
    return 0;
}
