/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: handlers_put_back
 * about: the user says that no call fails: a library puts its own error handler in force for each call, and then puts
 * about: back the program's, for which it has asked; no handler is ever called, though what they do would communicate
 * ranks: 2 3
 * assume: no-mpi-errors
 * gone: smooth
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

static double field[4096];
static int failed;
static jmp_buf back;

static void count(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    fprintf(stderr, "code %d\n", *code);
    failed++;
}

static void jump(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    longjmp(back, *code);
}

static void smooth(int turn)
{
    for (int i = 1; i < 4095; i++)
        field[i] = 0.25 * field[i - 1] + 0.5 * field[i] + 0.25 * field[i + 1] + turn;
}

/* A call of the library. Returns whether the program had calls return. */
static int share(int n)
{
    MPI_Errhandler theirs, own;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &theirs);
    MPI_Comm_create_errhandler(count, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    MPI_Bcast(field, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, theirs);
    MPI_Errhandler_free(&own);
    return theirs == MPI_ERRORS_RETURN;
}

int main(int argc, char **argv)
{
    int size, code;
    MPI_Errhandler jumping;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 2)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int turn = 1; turn < 5; turn++) {
        smooth(turn);
        if (share(turn))
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_create_errhandler(jump, &jumping);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, jumping);
    code = setjmp(back);
    if (code)
        MPI_Bcast(field, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(field, 30 + failed, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Errhandler_free(&jumping);
    MPI_Finalize();
    return 0;
}
