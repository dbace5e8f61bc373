/* commslice-test: omp_checked
 * about: in a parallel region, and in a function that it calls, errors of MPI calls end the run
 * flags: -fopenmp
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define CHECK(call)                            \
    do {                                       \
        int code = (call);                     \
        if (code != MPI_SUCCESS) {             \
            fprintf(stderr, "error %d\n", code); \
            MPI_Abort(MPI_COMM_WORLD, code);   \
        }                                      \
    } while (0)

static double field[8];

static void say(int n)
{
    CHECK(MPI_Bcast(field, n, MPI_DOUBLE, 0, MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#pragma omp parallel
    {
#pragma omp master
        {
            CHECK(MPI_Bcast(field, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD));
            say(3);
        }
    }
    CHECK(MPI_Finalize());
    return 0;
}
