/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_own_options
 * about: functions with optimisation options of their own, by pragma and attribute, that would merge them with others
 * about: before the slicer sees them
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

static int number = 1, other = 2;

__attribute__((optimize("O0"))) static int plain(int k)
{
    number += k;
    return number;
}

#pragma GCC push_options
#pragma GCC optimize("O3,ipa-cp,inline-functions,ipa-sra,tree-tail-merge,thread-jumps")
static int inner(int *p, int unused, int k)
{
    (void)unused;
    *p += k;
    return *p * 2;
}

static int outer(int k)
{
    return inner(&number, 5, k) + inner(&other, 6, k);
}
#pragma GCC pop_options

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    send(plain(size));
    send(outer(2));
    send(number + other);
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
