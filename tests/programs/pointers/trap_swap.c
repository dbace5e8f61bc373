/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_swap
 * about: two pointers of a function exchange what they point to in a loop: each may come from either argument
 * ranks: 2 3
 */
#include <mpi.h>

struct s { int live, dead; };

__attribute__((noinline)) static int first(struct s *p, struct s *q, int n)
{
    struct s *a = p, *b = q;
    int t = 0;
    for (int i = 0; i < n; i++) {
        b->dead = i;
        t += a->live;
        struct s *c = a; a = b; b = c;
    }
    return t;
}

__attribute__((noinline)) static int second(struct s *p, struct s *q, int n)
{
    struct s *a = p, *b = q;
    int t = 0;
    for (int i = 0; i < n; i++) {
        a->dead = i;
        t += b->live;
        struct s *c = a; a = b; b = c;
    }
    return t;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct s x = { argc + 2, 0 }, y = { argc + 5, 0 }, u = { argc + 1, 0 }, w = { argc + 7, 0 };
    int n = first(&x, &y, argc * 3), m = second(&u, &w, argc * 3);
    for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < m; i++) MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
}
