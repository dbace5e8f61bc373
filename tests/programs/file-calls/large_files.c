/* commslice-test: large_files
 * about: all reads and writes of files with large counts; numbers that come back decide a message
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size, buffer[512];

static MPI_File opened(const char *name)
{
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    return f;
}

static int at_offsets(MPI_File f)
{
    int value[3] = {rank + 1, rank + 2, rank + 3}, got[3] = {0}, all[3] = {0};
    MPI_Request q;
    MPI_Status st;
    MPI_Count n, extent;
    MPI_File_write_at_c(f, 8 * rank, value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_c(f, 8 * rank + 1, value + 1, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_c(f, 8 * rank + 2, value + 2, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_all_c(f, 8 * rank + 3, value, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin_c(f, 8 * rank + 4, value, 1, MPI_INT);
    MPI_File_write_at_all_end(f, value, MPI_STATUS_IGNORE);
    MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    int next = (rank + 1) % size;
    MPI_File_read_at_c(f, 8 * next, got, 3, MPI_INT, &st);
    MPI_Get_count_c(&st, MPI_INT, &n);
    MPI_File_read_at_all_c(f, 8 * next, all, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at_c(f, 8 * next + 2, got + 1, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_iread_at_all_c(f, 8 * next + 2, got + 2, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin_c(f, 8 * next + 1, all, 1, MPI_INT);
    MPI_File_read_at_all_end(f, all, MPI_STATUS_IGNORE);
    MPI_File_get_type_extent_c(f, MPI_INT, &extent);
    return got[0] + got[1] + got[2] + all[0] + all[2] + (int)(n + extent);
}

/* By the position of each rank. */
static int one_after_another(MPI_File f)
{
    int value[2] = {rank + 1, rank + 2}, got[4] = {0};
    MPI_Request q;
    MPI_File_seek(f, 8 * rank, MPI_SEEK_SET);
    MPI_File_write_c(f, value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_all_c(f, value + 1, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_c(f, value, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_iwrite_all_c(f, value, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_write_all_begin_c(f, value, 2, MPI_INT);
    MPI_File_write_all_end(f, value, MPI_STATUS_IGNORE);
    MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(f, 8 * ((rank + 1) % size), MPI_SEEK_SET);
    MPI_File_read_c(f, got, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_all_c(f, got + 1, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_c(f, got + 2, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_iread_all_c(f, got + 3, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_read_all_begin_c(f, value, 2, MPI_INT);
    MPI_File_read_all_end(f, value, MPI_STATUS_IGNORE);
    return got[0] + got[1] + got[2] + got[3] + value[1];
}

/* By the position that all ranks share, in the order of ranks. */
static int shared(MPI_File f)
{
    int value[2] = {rank + 1, rank + 2}, got[3] = {0};
    MPI_Request q;
    MPI_File_write_ordered_c(f, value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_ordered_begin_c(f, value, 2, MPI_INT);
    MPI_File_write_ordered_end(f, value, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_write_shared_c(f, value, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_iwrite_shared_c(f, value, 2, MPI_INT, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    MPI_File_sync(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(f, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_c(f, got, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_ordered_begin_c(f, got + 1, 1, MPI_INT);
    MPI_File_read_ordered_end(f, got + 1, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_File_read_shared_c(f, value, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_iread_shared_c(f, got + 2, 1, MPI_INT, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }
    return got[0] + got[1] + got[2] + value[0];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File f = opened("at.dat"), g = opened("shared.dat");
    int n = at_offsets(f), k = one_after_another(f), m = shared(g);
    MPI_File_close(&f);
    MPI_File_close(&g);
    MPI_Sendrecv_c(buffer, n + k + m, MPI_INT, (rank + 1) % size, 0, buffer + 256, 256, MPI_INT,
                   (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d %d %d\n", rank, n, k, m);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_delete("at.dat", MPI_INFO_NULL);
        MPI_File_delete("shared.dat", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
