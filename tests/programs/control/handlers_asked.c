/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: handlers_asked
 * about: a program asks which error handlers are in force for files that are not open, and for a window and a duplicate
 * about: of MPI_COMM_WORLD
 * ranks: 2 3
 * gone: smooth
 */
#include <mpi.h>

static double field[4096];

static void smooth(int turn)
{
    for (int i = 1; i < 4095; i++)
        field[i] = 0.25 * field[i - 1] + 0.5 * field[i] + 0.25 * field[i + 1] + turn;
}

static int returns(MPI_Errhandler h)
{
    int is = h == MPI_ERRORS_RETURN;
    MPI_Errhandler_free(&h);
    return is;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Errhandler h;
    MPI_Comm comm;
    MPI_Win win;
    int *cells;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Win_allocate(4 * sizeof *cells, sizeof *cells, MPI_INFO_NULL, comm, &cells, &win);
    for (int turn = 1; turn <= 4; turn++) {
        smooth(turn);
        MPI_File_get_errhandler(MPI_FILE_NULL, &h);
        if (returns(h))
            MPI_Bcast(field, turn, MPI_DOUBLE, 0, comm);
        MPI_Comm_get_errhandler(comm, &h);
        if (returns(h))
            MPI_Bcast(field, 10 + turn, MPI_DOUBLE, 0, comm);
        MPI_Win_get_errhandler(win, &h);
        if (returns(h))
            MPI_Bcast(field, 20 + turn, MPI_DOUBLE, 0, comm);
        if (turn == 1)
            MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        if (turn == 2)
            MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
        if (turn == 3)
            MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    }
    MPI_Win_free(&win);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
