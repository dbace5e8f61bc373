/* commslice-test: file_by_posix
 * about: rank 0 writes an order with fprintf that all read by MPI-IO, and reads with fread what they wrote by MPI-IO
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, count = 0;
    char text[16] = "", buffer[64] = {0};
    MPI_File f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        FILE *order = fopen("order.txt", "w");
        fprintf(order, "%07d", 3 + size);
        fclose(order);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, "order.txt", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    MPI_File_read_at_all(f, 0, text, 7, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    sscanf(text, "%d", &count);
    MPI_Bcast(buffer, count, MPI_CHAR, 0, MPI_COMM_WORLD);

    MPI_File_open(MPI_COMM_WORLD, "answer.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    char mine = (char)(10 + rank);
    MPI_File_write_at(f, rank, &mine, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *answer = fopen("answer.bin", "rb");
    if (!answer || fread(text, 1, (size_t)size, answer) != (size_t)size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(answer);
    MPI_Gather(buffer, text[size - 1], MPI_CHAR, rank ? NULL : (char[256]){0}, text[size - 1], MPI_CHAR, 0,
               MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
