/* commslice-test: trap_ends_in_handler
 * about: handlers and destructors on the way out that end the run well: they go on to nobody, and yet what is thrown
 * about: decides
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <cstdlib>

static double a[64];
static int depth;

/* Ends the run where its owner is left in a hurry. */
struct Last {
    bool hurry;
    ~Last()
    {
        if (!hurry || depth < 3)
            return;
        MPI_Bcast(a, 9 + depth, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Finalize();
        std::exit(0);
    }
};

static int sum(int n)
{
    depth++;
    if (n > 40)
        throw n;
    return n + depth;
}

static void runs(int rank)
{
    Last l{true};
    for (int i = 0;; i += 7)
        MPI_Bcast(a, sum(i + 0 * rank), MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::printf("rank %d\n", rank);
    try {
        runs(rank);
    } catch (...) {
        std::fprintf(stderr, "never here\n");
        throw;
    }
    return 0;
}
