/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_section_first
 * about: numbers and functions in a section's variables; one of the functions is the first one that the slicer meets
 * ranks: 2 3
 * gone: heat
 */
#include <mpi.h>
#include <stdio.h>

struct step { int id; int (*count)(int); };

#define STEP __attribute__((section("steps"), used, aligned(16)))

static int at_the_top(int k)
{
    return 4;
}

static int rank, size;
static double field[1 << 14];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

static int in_the_middle(int k)
{
    return 2 * k + 1;
}

static int at_the_end(int k);
static STEP const struct step first = { 2, at_the_top }, second = { 3, in_the_middle }, third = { 5, at_the_end };
extern const struct step __start_steps[], __stop_steps[];

int main(int argc, char **argv)
{
    int count = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    for (const struct step *s = __start_steps; s < __stop_steps; s++) {
        count = 3 * count % 50 + s->id + s->count(count);
        MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", count);
    }
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

static int at_the_end(int k)
{
    return 7;
}
