/* commslice-test: trap_handler_ends
 * about: a handler that ends the run well, by exit(0) behind MPI_Finalize, in a function that it calls
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static double a[64];

static void over(int n)
{
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    std::exit(0);
}

static int next(std::vector<int> &v)
{
    v.push_back((int)v.size() * 3);
    return v.at(v.size() % 6 * 2);
}

int main(int argc, char **argv)
{
    std::vector<int> v;
    MPI_Init(&argc, &argv);
    std::printf("begins\n");
    try {
        for (;;)
            MPI_Bcast(a, 1 + next(v), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } catch (...) {
        over(30 + (int)v.size());
    }
    return 0;
}
