/* commslice-test: trap_ifunc
 * about: the address of a name that is resolved at the start is passed around and kept in a table; structs by value go
 * about: through it
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
static int two(int x) { return 2 * x; }
static int three(int x) { return 3 * x + 1; }
static int state;
static int (*pick(void))(int) { return state ? two : three; }
int scale(int) __attribute__((ifunc("pick")));
struct pair { int n; double x; int m; };
static struct pair turn(struct pair p, int by) { struct pair r = { p.m + by, p.x, p.n }; return r; }
static struct pair keep(struct pair p, int by) { p.n += by; return p; }
static struct pair (*choose(void))(struct pair, int) { return state ? keep : turn; }
struct pair move(struct pair, int) __attribute__((ifunc("choose")));
static int through(struct pair (*f)(struct pair, int), struct pair p)
{
    struct pair r = f(p, 2);
    return r.n * 10 + r.m;
}
static int apply(int (*f)(int), int x) { return f(x); }
int (*table[2])(int) = { scale, two };
int main(int argc, char **argv)
{
    int rank; double a[640] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(a, apply(scale, 4), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) MPI_Bcast(a, table[rank >= 0 ? i : 1](5), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, through(move, (struct pair){ 3, 0.5, 4 }), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    struct pair q = move((struct pair){ 5, 0.5, 6 }, 1);
    MPI_Bcast(a, q.n * 10 + q.m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
