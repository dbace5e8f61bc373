/* commslice-test: checkpoint_written
 * about: checkpoints by MPI-IO that nothing reads: open, view, write and close stay as calls, nothing is written, and
 * about: what they would write goes
 * ranks: 2 3
 * gone: solve
 * array: field 32
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (4 * 1024 * 1024)
static double field[N];

static double solve(int step)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        field[i] = 0.5 * field[i] + (i ^ step) % 31;
        sum += field[i];
    }
    return sum / N;
}

static void checkpoint(int rank, int size, int step)
{
    char name[64];
    MPI_File f;
    MPI_Status status;
    MPI_Datatype column;
    MPI_Request request;
    snprintf(name, sizeof name, "step%04d.dat", step);
    MPI_Type_vector(8, 2, 2 * size, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_File_set_size(f, 0);
    MPI_File_set_view(f, 16 * rank, MPI_DOUBLE, column, "native", MPI_INFO_NULL);
    MPI_File_write_all(f, field, 8 + step, MPI_DOUBLE, &status);
    MPI_File_write_at(f, 100 + rank, field, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_iwrite(f, field + 16, 4, MPI_DOUBLE, &request);
    MPI_Wait(&request, &status);
    MPI_File_seek(f, 2, MPI_SEEK_SET);
    MPI_File_write(f, field, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(f, 300, field, 3, MPI_DOUBLE);
    MPI_File_write_at_all_end(f, field, &status);
    MPI_File_sync(f);
    if (MPI_File_close(&f) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 4; step++) {
        double mine = solve(step), all;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (step % 2)
            checkpoint(rank, size, step);
    }
    MPI_Finalize();
    return 0;
}
