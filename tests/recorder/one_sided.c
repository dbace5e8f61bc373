/* SPDX-License-Identifier: BSD-3-Clause
 * One-sided communication between other calls: 50 puts of 8 KB a rank, and a file that all write. What the MPI library
 * calls in turn must not show among the program's events, nor change how communicators are named. */
#include <mpi.h>
#include <stdio.h>

enum { PUTS = 50, BYTES = 8192 };

static char window[BYTES], data[BYTES];

static void put(MPI_Comm comm, int rank, int size)
{
    MPI_Win w;
    MPI_Win_create(window, BYTES, 1, MPI_INFO_NULL, comm, &w);
    MPI_Win_fence(0, w);
    for (int i = 0; i < PUTS; i++)
        MPI_Put(data, BYTES / 8, MPI_DOUBLE, (rank + 1) % size, 0, BYTES / 8, MPI_DOUBLE, w);
    MPI_Win_fence(0, w);
    MPI_Win_free(&w);
}

static void write_file(MPI_Comm comm, int rank, const char *name)
{
    MPI_File f;
    MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    MPI_File_write_at_all(f, (MPI_Offset)rank * 100, data, 100, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm copy;
    if (argc < 2)
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    put(MPI_COMM_WORLD, rank, size);
    write_file(MPI_COMM_WORLD, rank, argv[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
