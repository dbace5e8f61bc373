/* commslice-test: trap_guards
 * about: guarded static locals, inline and thread-local variables with constructors decide counts
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
static int made;
struct Thing { int n; Thing(int k) : n(k) { made++; } ~Thing() { made--; } };
static Thing &one(int k) { static Thing t(k); return t; }
template <class T> struct Holder { static Thing h; };
template <class T> Thing Holder<T>::h(6);
inline Thing shared_thing(4);
thread_local Thing tl(8);
int main(int argc, char **argv)
{
    int rank; static double a[640];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(a, one(7).n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, one(9).n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, made + Holder<int>::h.n + shared_thing.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, tl.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
