/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_thunk_struct
 * about: structs by value go to and come from virtual functions of a second base class
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

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

struct Parts { int a, b, c, d, e; };
struct First {
    virtual int one(int) { return 1; }
    int x = 0;
};
struct Second {
    virtual int use(Parts p, int k) { return p.a + k; }
    virtual Parts change(Parts p) { return p; }
    int y = 2;
};
struct Both : First, Second {
    int one(int k) override { return k; }
    int use(Parts p, int k) override { return p.b + k + x; }
    Parts change(Parts p) override
    {
        p.c += y;
        return p;
    }
};

static int call(Second *s, Parts p, int k)
{
    return s->use(p, k);
}

static void through_second()
{
    Both both;
    Second *s = &both;
    Parts p = {size, size + 1, size + 2, size + 3, 9};
    send(call(s, p, 3));
    Parts q = s->change(p);
    send(q.c);
    send(q.d + q.e);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    through_second();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
