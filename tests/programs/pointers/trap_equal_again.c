/* commslice-test: trap_equal_again
 * about: a broadcast makes a variable equal on all ranks, but not this one: partly, elsewhere, undone, of some ranks,
 * about: on another way, at another time
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, v[3], x3[3], x4[4], x5[5], x8[8], x9[9], x10[10], x11[11], x15[15];
static jmp_buf back;

/* Each part of the program has a K of its own, so that its collectives meet none of the others'. */
#define EQUAL(K, x, comm) MPI_Bcast(x, K, MPI_INT, 0, comm)

/* Ranks part here: the root broadcasts K numbers at one place, the others at another. */
#define PART(K, root_side)                                       \
    do {                                                         \
        double mine[K] = {(K) + 1.0}, got[K] = {0};              \
        if (root_side) {                                         \
            MPI_Bcast(mine, K, MPI_DOUBLE, 0, MPI_COMM_WORLD);   \
            got[0] = 31;                                         \
        } else                                                   \
            MPI_Bcast(got, K, MPI_DOUBLE, 0, MPI_COMM_WORLD);    \
        around((got[0] > 99 ? 99 : (int)got[0]) + (got[1] != 0));\
    } while (0)

/* Every rank sends as many bytes as it was told. */
static void around(int n)
{
    char out[64] = {0}, in[64];
    MPI_Sendrecv(out, n & 31, MPI_CHAR, (rank + 1) % size, 7, in, 64, MPI_CHAR, (rank + size - 1) % size, 7,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void partly(void)
{
    v[0] = v[1] = v[2] = rank;
    EQUAL(2, v, MPI_COMM_WORLD);
    PART(2, v[2] == 0);
}

static void of_itself(void)
{
    MPI_Comm alone;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    x3[0] = rank;
    EQUAL(3, x3, alone);
    PART(3, x3[0] == 0);
    MPI_Comm_free(&alone);
}

static void sometimes(int often)
{
    x4[0] = rank;
    if (often)
        EQUAL(4, x4, MPI_COMM_WORLD);
    PART(4, x4[0] == 0);
}

static void to_itself(MPI_Request *receive)
{
    MPI_Request send;
    MPI_Isend(&rank, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &send);
    MPI_Wait(receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void later(void)
{
    MPI_Request r;
    MPI_Recv_init(x5, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &r);
    x5[0] = 1;
    EQUAL(5, x5, MPI_COMM_WORLD);
    MPI_Start(&r);
    to_itself(&r);
    PART(5, x5[0] == 0);
    MPI_Request_free(&r);
    EQUAL(11, x11, MPI_COMM_WORLD);
    MPI_Irecv(x11, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &r);
    to_itself(&r);
    PART(11, x11[0] == 0);
}

/* The innermost makes its caller's variable equal; there are others of the same name. */
static void inner(int depth, int *callers)
{
    int x6[6] = {rank};
    if (depth)
        inner(depth - 1, x6);
    else
        EQUAL(6, callers, MPI_COMM_WORLD);
    if (depth == 2)
        PART(6, x6[0] == 0);
}

struct node { int x[7]; struct node *next; };

static void one_of_many(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->x[0] = rank;
        n->next = list;
        list = n;
    }
    EQUAL(7, list->x, MPI_COMM_WORLD);
    PART(7, list->next->x[0] == 0);
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
}

static void set_deep(int *p) { *p = rank; }
static void set(int *p, int really)
{
    if (really)
        set_deep(p);
}

static int compare(const void *a, const void *b)
{
    x9[0] = rank;
    return *(const int *)a - *(const int *)b;
}

static void undone(void)
{
    int two[2] = {2, 1};
    EQUAL(8, x8, MPI_COMM_WORLD);
    set(x8, size > 1);
    PART(8, x8[0] == 0);
    EQUAL(9, x9, MPI_COMM_WORLD);
    qsort(two, 2, sizeof *two, compare);
    PART(9, x9[0] == 0);
    around(two[0] + 2 * two[1]);
}

static void next_round(void)
{
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            PART(10, x10[0] == 0);
        EQUAL(10, x10, MPI_COMM_WORLD);
        x10[0] = rank;
    }
}

/* The root's first broadcast is the others' second, and so on: what they get is not what the root has. */
static void skewed(void)
{
    short c = 7, d = 0, x = 9;
    if (rank == 0)
        MPI_Bcast(&c, 1, MPI_SHORT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&x, 1, MPI_SHORT, 0, MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Bcast(&d, 1, MPI_SHORT, 0, MPI_COMM_WORLD);
    PART(13, x == 9);
    around(x);
}

struct two { int a, b; };
static struct two make(void)
{
    struct two t = {rank, 1};
    return t;
}

static void jumped_over(void)
{
    x15[0] = rank;
    if (setjmp(back) == 0) {
        if (size > 2)
            longjmp(back, 1);
        EQUAL(15, x15, MPI_COMM_WORLD);
    }
    PART(15, x15[0] == 0);
}

static void equal16(int *x) { EQUAL(16, x, MPI_COMM_WORLD); }

static void by_pointer(void (*f)(int *), int *x)
{
    *x = rank;
    f(x);
}

/* All ways to the read pass a broadcast in this function, but not in its callers. */
static void far_below(int *x, int deep)
{
    if (deep)
        far_below(x, deep - 1);
    else
        PART(17, x[0] == 0);
}

static void far_up(int early)
{
    int x17[17] = {rank};
    if (early) {
        EQUAL(17, x17, MPI_COMM_WORLD);
        far_below(x17, 1);
    }
    x17[0] = rank;
    far_below(x17, 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    partly();
    of_itself();
    sometimes(size > 3);
    later();
    inner(2, x8);
    one_of_many();
    undone();
    next_round();
    skewed();
    struct two t = make();
    PART(14, t.a == 0);
    jumped_over();
    int x16[16];
    by_pointer(size > 3 ? equal16 : set_deep, x16);
    PART(16, x16[0] == 0);
    far_up(size > 2);
    MPI_Finalize();
    return 0;
}
