/* commslice-test: checkpoint_read
 * about: counts that are written to one file and read back from it decide how much is sent; pictures in another
 * about: file are only recorded
 * ranks: 2 3
 * gone: picture
 * array: field 32
 * array-engine: emulate
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define N (4 * 1024 * 1024)
static double field[N];

static double picture(int step)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        field[i] = 0.5 * field[i] + (i ^ step) % 31;
        sum += field[i];
    }
    return sum / N;
}

/* Each rank writes its count behind those of the ranks before it. */
static void save(int rank, int step)
{
    MPI_File f;
    int count = 3 * rank + step + 1;
    MPI_File_open(MPI_COMM_WORLD, "counts.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    MPI_File_write_at_all(f, rank * (MPI_Offset)sizeof count, &count, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

static int load(int rank)
{
    MPI_File f;
    int count = 0;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, "counts.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_iread_at(f, rank, &count, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
    return count;
}

static void draw(int rank, int step)
{
    MPI_File f;
    double mean = picture(step);
    MPI_File_open(MPI_COMM_WORLD, "picture.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
    MPI_File_write_at_all(f, rank * (MPI_Offset)sizeof field, field, 1024, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_write_ordered(f, &mean, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    int rank, size, buffer[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; step++) {
        save(rank, step);
        draw(rank, step);
        int n = load((rank + 1) % size), next = (rank + 1) % size, before = (rank + size - 1) % size;
        MPI_Sendrecv(buffer, n, MPI_INT, next, 0, buffer + 50, 50, MPI_INT, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_delete("counts.dat", MPI_INFO_NULL);
        MPI_File_delete("picture.dat", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
