/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_long_name
 * about: a function communicates whose name, as the linker sees it, has two thousand characters
 * ranks: 2 3
 */
#include <mpi.h>

#define NAMED(n) a_class_with_quite_a_long_name_of_number_##n
#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define FORTY(f) TEN(f, 1) TEN(f, 2) TEN(f, 3) TEN(f, 4)
#define DEFINED(n) struct NAMED(n) {};
#define LISTED(n) NAMED(n),

FORTY(DEFINED)
struct last {};

template <class... A> struct with
{
    __attribute__((noinline)) static void go(int n)
    {
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
    }
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    with<FORTY(LISTED) last>::go(argc + (rank ? 0 : 2));
    MPI_Finalize();
}
