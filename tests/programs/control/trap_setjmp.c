/* commslice-test: trap_setjmp
 * about: which setjmp a jump comes back to, with what value, and what memory held when it was made rather than when its
 * about: function would have returned
 * ranks: 2 3
 * gone: chew
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner, place[3];
static int rank, size, state, depth, order[8], norder;
static double table[4096];

static double chew(int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        table[i % 4096] += (double)(i % 31);
        s += table[(i * 7) % 4096];
    }
    return s;
}

static void ring(int count, int tag)
{
    double out[64] = {0}, in[64];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, tag, in, count, MPI_DOUBLE, (rank + size - 1) % size, tag,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The state at the jump is not the one at the return. */
static void change(int leave)
{
    state = 11;
    if (leave)
        longjmp(outer, leave);
    state = 17;
}

static void seen_at_the_jump(void)
{
    volatile int round = 0;
    int why = setjmp(outer);
    ring(1 + state, 100 + why);
    if (round < 3) {
        round++;
        change(round == 2 ? 5 : 0);
        ring(2 + state, 110 + round);
        if (round < 3)
            longjmp(outer, 7);
    }
}

/* A function with a setjmp of its own that is jumped past. */
static void middle(int far)
{
    int why = setjmp(inner);
    if (why == 0) {
        state = 3;
        if (far == 1)
            longjmp(outer, 9);
        if (far == 2) {
            state = 4;
            longjmp(inner, 2);
        }
        state = 5;
    }
    ring(10 + why + state, 200 + far);
}

static void jumped_past(void)
{
    volatile int far = 0;
    int why = setjmp(outer);
    ring(20 + why + state, 210 + far);
    for (; far < 3; ) {
        int now = far;
        far = now + 1;
        middle(now);
    }
}

/* Three places in one function; data say which. */
static void go_to(int which)
{
    depth++;
    longjmp(place[which], depth);
}

static void three_places(void)
{
    volatile int next = 0;
    int base = rank >= 0 ? 30 : 1, why;      /* not changed after setjmp: it keeps its value */
    if ((why = setjmp(place[0])) != 0)
        ring(base + why, 300);
    if ((why = setjmp(place[1])) != 0)
        ring(base + 3 * why, 310);
    switch (setjmp(place[2])) {
    case 0: break;
    case 3: ring(base, 320); break;
    default: ring(base + 1, 330);
    }
    int to = next;
    next = to + 1;
    if (to < norder)
        go_to(order[to]);
    ring(base + depth, 340);
}

/* Back out of a library function that has called us. */
static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    state++;
    if (x == 13 || y == 13)
        longjmp(outer, 40);
    return (x > y) - (x < y);
}

static int sorted(const int *v, int n)
{
    int copy[8], why = setjmp(outer);
    if (why)
        return why;
    for (int i = 0; i < n; i++)
        copy[i] = v[i];
    qsort(copy, (size_t)n, sizeof *copy, compare);
    return copy[0];
}

/* In a loop, with a setjmp each time; what was sent before the jump stays sent. */
static void tries(void)
{
    for (volatile int i = 0; i < 4; i++) {
        volatile int done = 0;
        if (setjmp(inner) < 2) {
            done++;
            ring(1 + i + done, 500 + i);
            if (i % 2)
                longjmp(inner, done);
        }
        ring(30 + done, 520 + i);
    }
}

int main(int argc, char **argv)
{
    static const int easy[] = {4, 3, 9}, hard[] = {4, 13, 2, 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double s = chew(3000000);
    for (int i = 0; i < 7; i++)
        order[norder++] = (2 * i + argc) % 3;
    seen_at_the_jump();
    jumped_past();
    three_places();
    ring(sorted(easy, 3), 400);
    ring(sorted(hard, 4), 410);
    ring(1 + state, 420);
    tries();
    printf("rank %d: state %d depth %d s %g\n", rank, state, depth, s);
    MPI_Finalize();
    return 0;
}
