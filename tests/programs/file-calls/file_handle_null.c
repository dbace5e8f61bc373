/* commslice-test: file_handle_null
 * about: whether a file could be opened is told by its handle alone: then the calls that open it happen
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define FILES 4
struct dump {
    MPI_File file;
    int steps;
};

static void send_around(int rank, int size, int count)
{
    char buffer[256] = {0};
    MPI_Sendrecv(buffer, count, MPI_CHAR, (rank + 1) % size, 0, buffer + 128, 128, MPI_CHAR, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Every second file is only read, and is not there. */
static void open_all(struct dump *dump)
{
    char name[32];
    for (int i = 0; i < FILES; i++) {
        sprintf(name, "dump%d", i);
        MPI_File_open(MPI_COMM_WORLD, name, i % 2 ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY, MPI_INFO_NULL,
                      &dump[i].file);
    }
}

int main(int argc, char **argv)
{
    int rank, size, there = 0;
    MPI_File missing;
    struct dump *dump = calloc(FILES, sizeof *dump);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "missing", MPI_MODE_RDONLY, MPI_INFO_NULL, &missing);
    bool none = missing == MPI_FILE_NULL;
    send_around(rank, size, none ? 5 : 9);
    open_all(dump);
    for (int i = 0; i < FILES; i++)
        if (dump[i].file) {
            there++;
            MPI_File_close(&dump[i].file);
        }
    send_around(rank, size, there);
    MPI_Finalize();
    free(dump);
    return 0;
}
