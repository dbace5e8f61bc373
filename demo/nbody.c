/* SPDX-License-Identifier: BSD-3-Clause
 * A demo: bodies that attract each other. All ranks know all bodies, and each moves its own; in each step rank 0
 * collects them and sends all to all. usage: nbody BODIES STEPS */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const double STEP = 1e-3, SOFT = 1e-4;
static int me, ranks;

/* Bodies: places, and velocities of the rank's own. */
struct bodies {
    int n, first, own;
    double *place, *speed; /* x, y, z of each */
    int *count, *start;    /* numbers of each rank */
};

static void share(struct bodies *b)
{
    for (int r = 0, at = 0; r < ranks; at += b->count[r++]) {
        b->count[r] = 3 * (b->n / ranks + (r < b->n % ranks));
        b->start[r] = at;
    }
    b->first = b->start[me] / 3;
    b->own = b->count[me] / 3;
}

static void begin(struct bodies *b)
{
    unsigned long seed = 12345;
    for (int i = 0; i < 3 * b->n; i++) {
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        b->place[i] = (double)(seed >> 11) / 9007199254740992.0;
    }
}

static void pull(struct bodies *b)
{
    for (int i = b->first; i < b->first + b->own; i++) {
        double *p = b->place + 3 * i, force[3] = {0, 0, 0};
        for (int k = 0; k < b->n; k++) {
            double d[3], far = SOFT;
            for (int x = 0; x < 3; x++) {
                d[x] = b->place[3 * k + x] - p[x];
                far += d[x] * d[x];
            }
            for (int x = 0; x < 3; x++)
                force[x] += d[x] / (far * sqrt(far));
        }
        for (int x = 0; x < 3; x++)
            b->speed[3 * (i - b->first) + x] += STEP * force[x] / b->n;
    }
}

static void move(struct bodies *b)
{
    for (int i = 0; i < 3 * b->own; i++)
        b->place[3 * b->first + i] += STEP * b->speed[i];
}

int main(int argc, char **argv)
{
    struct bodies b = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    b.n = argc > 1 ? atoi(argv[1]) : 1000;
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    b.place = calloc(3 * (size_t)b.n + 1, sizeof *b.place);
    b.speed = calloc(3 * (size_t)b.n + 1, sizeof *b.speed);
    b.count = calloc((size_t)ranks, sizeof *b.count);
    b.start = calloc((size_t)ranks, sizeof *b.start);
    share(&b);
    double *own = calloc(3 * (size_t)b.own + 1, sizeof *own);
    if (me == 0)
        begin(&b);
    MPI_Bcast(b.place, 3 * b.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int s = 0; s < steps; s++) {
        pull(&b);
        move(&b);
        for (int i = 0; i < 3 * b.own; i++)
            own[i] = b.place[3 * b.first + i];
        MPI_Gatherv(own, 3 * b.own, MPI_DOUBLE, b.place, b.count, b.start, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(b.place, 3 * b.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (me == 0)
        printf("first body at %.6f %.6f %.6f\n", b.place[0], b.place[1], b.place[2]);
    MPI_Finalize();
    return 0;
}
