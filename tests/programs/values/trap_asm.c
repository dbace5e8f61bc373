/* commslice-test: trap_asm
 * about: inline assembly with memory operands, clobbers and two results decides counts
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
static int g = 3, tab[8] = {1,2,3,4,5,6,7,8};
static int add5(int x) { int r; __asm__("leal 5(%1), %0" : "=r"(r) : "r"(x)); return r; }
static void store7(int *p) { __asm__ volatile("movl $7, (%0)" : : "r"(p) : "memory"); }
static void two(int *a, int *b) { __asm__("movl $11, %0\n\tmovl $13, %1" : "=m"(*a), "=m"(*b)); }
static int pick(const int *t) { int r; __asm__("movl 8(%1), %0" : "=r"(r) : "r"(t) : "memory"); return r; }
static void swp(int *x, int *y) { int a = *x, b = *y; __asm__("xchgl %0, %1" : "+r"(a), "+r"(b)); *x = a; *y = b; }
int main(int argc, char **argv)
{
    int rank, u = 1, v = 2; double a[640] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(a, add5(g), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    store7(&g);
    MPI_Bcast(a, g, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    two(&u, &v);
    MPI_Bcast(a, u, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, v, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    tab[2] = 21;
    MPI_Bcast(a, pick(tab), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    swp(&u, &g);
    MPI_Bcast(a, u, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, g, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
