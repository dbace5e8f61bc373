/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_init
 * about: initialisers of many elements, of many levels, of an array that is longer than its type, of members inside
 * about: bytes
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

static int more;

static int three(void)
{
    return 3 + more;
}

static int five(void)
{
    return 5 + more;
}

#define FOUR(x) x, x, x, x
#define MANY(x) FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(x))))))
static int (*table[])(void) = { MANY(three), three, five };
static int numbers[] = { MANY(7), 8, 99 };

#define LEVEL(n, below) struct l##n { int x; struct l##below in; }
struct l0 { int (*call)(void); int number; };
LEVEL(1, 0);
LEVEL(2, 1);
LEVEL(3, 2);
LEVEL(4, 3);
LEVEL(5, 4);
LEVEL(6, 5);
LEVEL(7, 6);
LEVEL(8, 7);
LEVEL(9, 8);
LEVEL(10, 9);
LEVEL(11, 10);
LEVEL(12, 11);
LEVEL(13, 12);
LEVEL(14, 13);
static struct l14 deep = { 1, { 2, { 3, { 4, { 5, { 6, { 7, { 8, { 9, { 10, { 11, { 12, { 13, { 14, { five,
    42 } } } } } } } } } } } } } } };

static struct { int n, more[]; } open = { 3, { 1, 2, 3 } };

struct __attribute__((packed)) packed { unsigned low : 4; unsigned long wide : 64; unsigned high : 4; };
static struct packed bits = { 1, 2, 3 };

static void set_byte(void *where, int i, int value)
{
    ((unsigned char *)where)[i] = value;
}

static void starts(void)
{
    more = size;
    send(table[4097]());
    send(table[size]());
    send(numbers[4097] + (numbers[4096 + (size & 1)] == 8 ? 1 : 2));
    struct l14 *d = &deep;
    send(d->in.in.in.in.in.in.in.in.in.in.in.in.in.in.call());
    send(d->in.in.in.in.in.in.in.in.in.in.in.in.in.in.number);
    int i = size - 1, *p = &open.n, copy[4];
    open.more[i] = 30 + size;
    send(open.more[i] + p[1]);
    __builtin_memcpy(copy, &open, sizeof copy);
    send(copy[3] + 1);
    set_byte(&bits, 8, 16 + size);
    send((int)(bits.wide >> 60) + 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    starts();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
