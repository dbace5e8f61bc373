/* SPDX-License-Identifier: BSD-3-Clause
 * A demo: bodies that attract each other, as in nbody.c, with bodies handed out by libcommslice-balance in each step.
 * Whoever moved a body has its new place, all others have 0, so that all get it by a sum. Rank r does each body
 * SLOWNESS[r] times. usage: nbody_balanced BODIES STEPS [TECHNIQUE [SLOWNESS...]] */
#include <commslice-balance.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STEP = 1e-3, SOFT = 1e-4;

/* Bodies: x, y, z and three velocities of each, which all ranks know, and after a step. */
struct bodies {
    int n, slowness;
    double *now, *next;
};

static void begin(struct bodies *b)
{
    unsigned long seed = 12345;
    for (int i = 0; i < b->n; i++)
        for (int x = 0; x < 3; x++) {
            seed = seed * 6364136223846793005ul + 1442695040888963407ul;
            b->now[6 * i + x] = (double)(seed >> 11) / 9007199254740992.0;
        }
}

static void move(const struct bodies *b, int64_t i)
{
    const double *p = b->now + 6 * i;
    double force[3] = {0, 0, 0};
    for (int k = 0; k < b->n; k++) {
        double d[3], far = SOFT;
        for (int x = 0; x < 3; x++) {
            d[x] = b->now[6 * k + x] - p[x];
            far += d[x] * d[x];
        }
        for (int x = 0; x < 3; x++)
            force[x] += d[x] / (far * sqrt(far));
    }
    for (int x = 0; x < 3; x++) {
        double speed = p[3 + x] + STEP * force[x] / b->n;
        b->next[6 * i + 3 + x] = speed;
        b->next[6 * i + x] = p[x] + STEP * speed;
    }
}

/* Bodies that this rank got. */
static void move_some(int64_t first, int64_t count, void *state)
{
    const struct bodies *b = state;
    for (int64_t i = first; i < first + count; i++)
        for (int again = 0; again < b->slowness; again++)
            move(b, i);
}

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    struct bodies b = {.n = argc > 1 ? atoi(argv[1]) : 1000, .slowness = argc > 4 + me ? atoi(argv[4 + me]) : 1};
    int steps = argc > 2 ? atoi(argv[2]) : 10;
    size_t numbers = 6 * (size_t)b.n;
    b.now = calloc(numbers + 1, sizeof *b.now);
    b.next = calloc(numbers + 1, sizeof *b.next);
    begin(&b);
    for (int s = 0; s < steps; s++) {
        memset(b.next, 0, numbers * sizeof *b.next);
        if (cs_balance_for(b.n, move_some, &b, MPI_COMM_WORLD, argc > 3 ? argv[3] : NULL))
            MPI_Abort(MPI_COMM_WORLD, 2);
        MPI_Allreduce(b.next, b.now, (int)numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (me == 0)
        printf("first body at %.6f %.6f %.6f\n", b.now[0], b.now[1], b.now[2]);
    MPI_Finalize();
    return 0;
}
