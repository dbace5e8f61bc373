/* commslice-test: freed_dearly
 * about: what gives memory back stays where all that it needs stays anyway, but goes where that turns out not to be
 * about: needed, as ways with the same value come together
 * ranks: 2 3
 * gone: norm
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double field[512];
static int checks;

static double norm(void)
{
    double sum = 0, most = 0, least = 1e9, turns = 0, before = field[511], low = 0, high = 0;
    for (int i = 0; i < 512; i++) {
        double here = field[i], change = here - before;
        sum += here * here;
        if (here > most)
            most = here;
        if (here < least)
            least = here;
        if (change * (before - least) < 0)
            turns += 1 / (1 + most - here);
        if (i % 3 == 1)
            low += here * change + turns;
        else
            high -= change / (2 + most - least) + low;
        before = here + 0.125 * change - turns / 64;
    }
    return sum + most * least + turns / 3 - low * high + before;
}

/* How many numbers a step of this kind sends. */
static int numbers(int kind, double rest)
{
    if (kind == 0)
        return 4;
    if (kind == 1) {
        checks++;
        if (rest > 0) {
            field[1] /= rest;
            return 3;
        }
        field[0] += 1;
        return 3;
    }
    return 7;
}

int main(int argc, char **argv)
{
    int rank, size, peer;
    double out[32] = {0}, in[32] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peer = rank < size / 2 * 2 ? rank ^ 1 : MPI_PROC_NULL;
    for (int i = 0; i < 512; i++)
        field[i] = rank + i;
    for (int step = 0; step < 6; step++) {
        double rest = norm();
        int *now = malloc(1000 * sizeof *now), *next = malloc(1000 * sizeof *next);
        for (int i = 0; i < 1000; i++)
            now[i] = i * step % 11;
        for (int i = 0; i < 1000; i++)
            next[i] = now[(i * 7) % 1000] + 1;
        int n = numbers(step % 3, rest) + next[step + 5];
        MPI_Sendrecv(out, n, MPI_DOUBLE, peer, 6, in, n, MPI_DOUBLE, peer, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        field[n] += in[0];
        if (rest > 1e6) { /* which of them is freed first, the data decide */
            int *other = now;
            now = next;
            next = other;
        }
        field[step] += now[3];
        free(now);
        free(next);
    }
    printf("%d checks, %g\n", checks, field[3]);
    MPI_Finalize();
    return 0;
}
