/* commslice-test: file_kind_prefix
 * about: MPI takes what stands before a colon for the kind of file system: the file has another name for fopen()
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int read_back(const char *name, int rank)
{
    int value = 0;
    FILE *f = fopen(name, "rb");
    if (!f)
        return 1;
    if (fseek(f, rank * (long)sizeof value, SEEK_SET) || fread(&value, sizeof value, 1, f) != 1)
        value = 2;
    fclose(f);
    return value;
}

static void write_all(const char *name, int rank, int value)
{
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    MPI_File_write_at_all(f, rank * (MPI_Offset)sizeof value, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

static void send_around(int rank, int size, int count)
{
    char buffer[256] = {0};
    MPI_Sendrecv(buffer, count, MPI_CHAR, (rank + 1) % size, 0, buffer + 128, 128, MPI_CHAR, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    char name[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_all("ufs:constant.dat", rank, 20 + rank);
    sprintf(name, "ufs:built%d.dat", size);
    write_all(name, rank, 30 + rank);
    sprintf(name, "built%d.dat", size);
    MPI_Barrier(MPI_COMM_WORLD);
    send_around(rank, size, read_back("constant.dat", rank));
    send_around(rank, size, read_back(name, rank));
    MPI_Finalize();
    return 0;
}
