/* commslice-test: trap_equal
 * about: loads and sums that look the same but are not: changed by a callee, a receive, an alias, arithmetic of eight
 * about: bits, or guarded by a test
 * ranks: 2 3
 * gone: heavy
 * SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box { int n, m; struct box *next; };

static int rank, size, width = 3, mail = 6, again = 7, *other = &width, table[4] = { 1, 2, 3, 4 };
static unsigned char raw[4];
static struct box first, second, third;
static union { float f; int i; } both;
static volatile int ticking = 2;
static unsigned char left = 100, two = 2;

static void shift(int count, int tag)
{
    static char out[512], in[512];
    MPI_Sendrecv(out, count, MPI_CHAR, (rank + 1) % size, tag, in, 512, MPI_CHAR, (rank + size - 1) % size, tag,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int heavy(int n)
{
    double x = n;
    for (int i = 0; i < 200000; i++) x = x * 0.999 + i;
    return (int)x;
}

static void widen(int by)
{
    width += by;
}

static void (*later)(int) = widen;

/* The same load before and after what changes it, each by another way. */
static void changed_between(int argc)
{
    MPI_Request r;
    int mine;
    shift(width, 1);
    widen(2);
    shift(width, 2);
    later(argc);
    shift(width, 3);
    *other += 1;
    shift(width, 4);
    mine = width + 5;
    shift(mail, 5);
    MPI_Irecv(&mail, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &r);
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    shift(mail, 6);
    memcpy(&width, &table[argc], sizeof width);
    shift(width, 7);
}

/* The receive is made once, and writes whenever it is started. */
static void received_again(void)
{
    MPI_Request r;
    MPI_Recv_init(&again, 1, MPI_INT, (rank + size - 1) % size, 8, MPI_COMM_WORLD, &r);
    for (int i = 0; i < 2; i++) {
        int mine = 20 + i;
        shift(again, 70 + i);
        MPI_Start(&r);
        MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 8, MPI_COMM_WORLD);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        shift(again, 72 + i);
    }
    MPI_Request_free(&r);
}

/* In a loop the load at its head is not that of the iteration before. */
static void changed_in_a_loop(void)
{
    for (int i = 0; i < 3; i++) {
        int n = width;
        if (i & 1) widen(i);
        shift(n + width, 10 + i);
    }
}

/* What is the same on both sides must not be read before it is known to be there. */
static int guarded(const struct box *b, const struct box *c, int way)
{
    int n = 1;
    if (b && way == 0) n = b->n + b->next->m;
    if (b && way == 1) n = 2 * b->n + b->next->m;
    if (c && way == 2) n = table[c->m % 4] / c->n;
    if (c && way == 3) n = table[c->m % 4] / c->n + 1;
    return n;
}

/* Nor computed: the product overflows on the ways that do not ask for it. */
static int scaled(int a, int b)
{
    int n = 4;
    if (a < 10) n = a * b + 1;
    shift(n, 20);
    if (a < 5) n = a * b + 2;
    return a > 1000 ? n + 1 : n;
}

/* A byte that was stored without a sign and is read with one; a whole number that is read as another. */
static void other_sign(void)
{
    signed char *p = (signed char *)raw;
    raw[0] = 200;
    int n = *p;
    shift(n < 0 ? 40 : 41, 30);
    unsigned char product = left * two;          /* 200: as a number of eight bits the same as -56 */
    shift(product == 200 ? 44 : 45, 32);
    both.f = 1.5f;
    shift(both.i > 7 ? 42 : 43, 31);
}

static __attribute__((noinline)) int number_in(const struct box *b)
{
    return b->n;
}

/* Stored is not loaded: another element, a part, a later iteration. */
static void stored_and_loaded(int argc)
{
    int v[4] = { 9, 8, 7, 6 };
    for (int i = 0; i < 3; i++) {
        v[i] = i + argc;
        shift(v[i + 1] + v[i], 40 + i);
    }
    first.n = 5;
    second = first;
    first.n = argc + 10;
    shift(second.n, 45);
    shift(first.n, 46);
    shift(ticking + ticking, 47);
    shift(v[0] + v[2], 48);
    shift(number_in(&second) + 3 * number_in(&first), 49);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    changed_between(argc);
    widen(1);
    shift(width, 8);
    received_again();
    width = 4;
    changed_in_a_loop();
    first = (struct box){ 3, 4, &second };
    second = (struct box){ 0, 6, NULL };
    third = (struct box){ 2, 7, NULL };
    for (int args = argc; args < 6; args += 4)
        for (int way = 0; way < 4; way++)
            shift(guarded(args < 3 ? &first : NULL, args <= 3 ? NULL : way < 2 ? &second : &third, way), 50 + way);
    shift(scaled(argc > 3 ? INT_MAX : 3, argc > 3 ? INT_MAX : 2), 60);
    shift(scaled(INT_MAX - argc, 4), 61);
    other_sign();
    stored_and_loaded(argc);
    printf("%d %d\n", width, heavy(rank) > 0);
    MPI_Finalize();
    return 0;
}
