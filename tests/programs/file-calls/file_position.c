/* commslice-test: file_position
 * about: size and position of a file, the count of a status and an error code decide communication: all calls on that
 * about: file happen
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static void send_around(int rank, int size, int count)
{
    char buffer[256] = {0};
    MPI_Sendrecv(buffer, count, MPI_CHAR, (rank + 1) % size, 0, buffer + 128, 128, MPI_CHAR, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, data[16] = {0}, got = 0;
    MPI_File f;
    MPI_Offset bytes, position, shared;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (MPI_File_open(MPI_COMM_WORLD, "nothing.here", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS)
        send_around(rank, size, 7);
    else
        send_around(rank, size, 8);
    MPI_File_open(MPI_COMM_WORLD, "position.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    MPI_File_write_shared(f, data, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(f, &shared);
    send_around(rank, size, (int)shared);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_ordered(f, data, rank + 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(f, &bytes);
    send_around(rank, size, (int)bytes);
    MPI_File_seek(f, -8, MPI_SEEK_END);
    MPI_File_read(f, data, 16, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &got);
    send_around(rank, size, got);
    MPI_File_get_position(f, &position);
    send_around(rank, size, (int)position % 100);
    MPI_File_close(&f);
    MPI_Finalize();
    return 0;
}
