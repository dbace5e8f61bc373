/* commslice-test: trap_throw_callback
 * about: exceptions leave callbacks of the C library and pass calls of MPI; destructors on the way change a count
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>
static int calls, state = 1;
struct Stop { int v; };
static int cmp(const void *a, const void *b) { if (++calls > 4) throw Stop{calls};
    return *(const int *)a - *(const int *)b; }
struct Guard { int k; ~Guard() { state += k; } };
static void deep(int k, int last) { Guard g{k}; if (k > 3) throw std::runtime_error("x"); if (k < last) deep(k + 1,
    last); }
static int mayfail(int n) noexcept(false) { if (n & 1) throw n; return n; }
int main(int argc, char **argv)
{
    int rank; static double a[640];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int v[10] = {5, 4, 8, 2, 1, 0, 9, 3, 6, 7}, n = 1;
    try { qsort(v, 10, 4, cmp); n = 50; } catch (Stop &s) { n = s.v; }
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    deep(0, 2);
    try { deep(0, 9); } catch (std::exception &e) { n += state + (int)std::strlen(e.what()); }
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++)
        try { n += mayfail(i); MPI_Barrier(MPI_COMM_WORLD); } catch (int k) { n += 2 * k; MPI_Bcast(a, k, MPI_DOUBLE, 0,
            MPI_COMM_WORLD); }
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::vector<int> w(v, v + 3);
    for (int k : w) n += k;
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    calls = -100;
    qsort(v, 10, 4, cmp);
    for (int i = 0; i < 10; i++) n = (n * 3 + v[i]) % 601;
    MPI_Bcast(a, n + calls + 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    n = w.at(2);
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int k = 1; k < 6; k += 4) {
        try { n = w.at(k) + 20; } catch (const std::out_of_range &e) {
            n = 13 + (e.what()[0] & 15) + (int)std::strlen(e.what()) % 9; }
        MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    try { try { throw 3; } catch (...) { state++; throw; } } catch (int k) { n = k + state; }
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
