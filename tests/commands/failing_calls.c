/* SPDX-License-Identifier: BSD-3-Clause
 * Sends so many messages to nobody, with an error handler that lets calls return; says how many calls failed, by
 * messages of that length. With a second argument it makes a communicator, too, which a slice does as well: of a group
 * that is none. For mpi_errors_test.sh. usage: failing_calls COUNT [none|all] */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int failed = 0, wrong = argc > 1 ? atoi(argv[1]) : 0, rank, size;
    double data[64] = {0};
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Group all;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < wrong && rank == 0; i++)
        failed += MPI_Send(data, 1, MPI_DOUBLE, size + i, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
    if (argc > 2) {
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        failed += MPI_Comm_create(MPI_COMM_WORLD, argv[2][0] == 'n' ? MPI_GROUP_NULL : all, &part) != MPI_SUCCESS;
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, 1 + failed, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
