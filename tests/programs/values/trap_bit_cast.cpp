/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_bit_cast
 * about: registers become a struct in one step: assigned, returned, and with a pointer in it
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>
#include <cstdint>

static int rank, size;
static double field[1 << 14];

extern "C" {
static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

struct Two { int a, b; };
struct Holder { int *p; long k; };
static int hidden = 2;

static Two make(long l)
{
    return __builtin_bit_cast(Two, l);
}

static void casts()
{
    long l = ((long)(size + 4) << 32) | 7;
    Two t = __builtin_bit_cast(Two, l), some[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    send(t.b);
    send(make(l).b + 1);
    some[size % 3] = __builtin_bit_cast(Two, l + 1);
    send(some[0].b + 2 * some[1].b + 3 * some[2].b + 5 * some[0].a + 7 * some[1].a + 9 * some[2].a);
    unsigned __int128 both = (unsigned __int128)size << 64 | (uintptr_t)&hidden;
    Holder h = __builtin_bit_cast(Holder, both);
    *h.p = 17;
    send(hidden + (int)h.k);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    casts();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
