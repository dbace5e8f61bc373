/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_alias_outside
 * about: code that the slicer does not see changes static variables, and calls static functions, by public names for
 * about: them
 * opaque: unseen_public_names.c
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
static double field[1 << 14];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

static int hidden = 1, calls;
extern int public_number __attribute__((alias("hidden")));

static int add(int k)
{
    calls += k + 5;
    return calls;
}

int public_add(int) __attribute__((alias("add")));
void outside(void);

/* Assembly may use the name of what is marked as used. */
static int counter __attribute__((used)) = 1;

static void change(void)
{
    outside();
    send(hidden);
    send(calls);
    __asm__ volatile("movl %0, counter(%%rip)" : : "r"(size + 7) : "memory");
    send(counter);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    change();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
