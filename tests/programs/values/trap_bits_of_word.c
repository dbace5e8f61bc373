/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_bits_of_word
 * about: a word is written whole and read by its bit-fields, and the other way round: what one of them holds is not
 * about: what the word holds
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>

union parts { struct { int a : 4, b : 4, c : 24, d; } s; long w; };
union fields { struct { long a : 4, b : 4, c : 56; } s; long w; };

static int rank, size, pay[2048];

static void meet(int n)
{
    MPI_Bcast(pay, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
    printf("%d\n", n & 1023);
}

static void put(union parts *p, long w)
{
    p->w = w;
}

static int second(const union parts *p)
{
    return p->s.b;
}

static int same(const union fields *f)
{
    return f->w == 3;
}

static int alike(const union fields *f)
{
    return f->w == 0x333;
}

static void compare(const union fields *f)
{
    meet(same(f) ? 77 : 78);
    meet(alike(f) ? 71 : 72);
}

int main(int argc, char **argv)
{
    union parts p;
    union fields f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    put(&p, 0x23);
    meet(second(&p) + 40);
    f.s.a = 3;
    f.s.b = 3;
    f.s.c = 3;
    compare(&f);
    f.s.b = f.s.c = 0;
    compare(&f);
    int own = rank + 60, got = 0;
    MPI_Sendrecv(&own, 1, MPI_INT, (rank + 1) % size, 2, &got, 1, MPI_INT, (rank + size - 1) % size, second(&p),
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    meet(got);
    MPI_Finalize();
    return 0;
}
