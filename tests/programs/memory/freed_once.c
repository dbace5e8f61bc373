/* commslice-test: freed_once
 * about: what frees tables once, at the end, goes, though one function makes all of them; what frees them in every
 * about: step stays
 * ranks: 2 3
 * gone: give_up
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

enum { STEPS = 12, ROOM = 4096 };

struct table {
    int n, *at;
};

/* Neighbours and how much goes to each of them. */
struct plan {
    struct table to, from, count;
};

__attribute__((noinline)) static void extend(struct table *t, int n)
{
    int *more = calloc((size_t)n, sizeof *more);
    if (!more)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < t->n; i++)
        more[i] = t->at[i];
    free(t->at);
    t->at = more;
    t->n = n;
}

__attribute__((noinline)) static void set_up(struct plan *p, int rank, int size)
{
    extend(&p->to, 2);
    extend(&p->from, 2);
    extend(&p->count, 2);
    for (int k = 0; k < 2; k++) {
        p->to.at[k] = (rank + 1 + k) % size;
        p->from.at[k] = (rank + 2 * size - 1 - k) % size;
        p->count.at[k] = 10 + 5 * k;
    }
}

__attribute__((noinline)) static void give_up(struct plan *p)
{
    free(p->count.at);
    free(p->from.at);
    free(p->to.at);
}

__attribute__((noinline)) static int share(int step, int k)
{
    struct table parts = {0, NULL};
    extend(&parts, ROOM);
    for (int i = 0; i < ROOM; i++)
        parts.at[i] = (i * 31 + step) % 17;
    int mine = parts.at[(step * 7 + k) % ROOM];
    free(parts.at);
    return mine;
}

int main(int argc, char **argv)
{
    static double field[64];
    struct plan p = {{0, NULL}, {0, NULL}, {0, NULL}};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    set_up(&p, rank, size);
    for (int step = 0; step < STEPS; step++)
        for (int k = 0; k < 2; k++) {
            int n = p.count.at[k] + share(step, k);
            MPI_Sendrecv_replace(field, n, MPI_DOUBLE, p.to.at[k], step, p.from.at[k], step, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
        }
    give_up(&p);
    MPI_Finalize();
    return 0;
}
