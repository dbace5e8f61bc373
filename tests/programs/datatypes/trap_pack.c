/* commslice-test: trap_pack
 * about: counts are packed beside dead reals with MPI_Pack, sent as MPI_PACKED and unpacked
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    char buf[512];
    int pos = 0, count[3] = {0}, tag = 0, len = 0;
    double x = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        int c[3] = {4, 10 + size, 25}, t = 6;
        double y = 3.5;
        MPI_Pack(&y, 1, MPI_DOUBLE, buf, sizeof buf, &pos, MPI_COMM_WORLD);
        MPI_Pack(c, 3, MPI_INT, buf, sizeof buf, &pos, MPI_COMM_WORLD);
        MPI_Pack(&t, 1, MPI_INT, buf, sizeof buf, &pos, MPI_COMM_WORLD);
        for (int p = 1; p < size; p++)
            MPI_Send(buf, pos, MPI_PACKED, p, 1, MPI_COMM_WORLD);
        len = pos;
    } else {
        MPI_Status st;
        MPI_Recv(buf, sizeof buf, MPI_PACKED, 0, 1, MPI_COMM_WORLD, &st);
        MPI_Get_count(&st, MPI_PACKED, &len);
    }
    pos = 0;
    MPI_Unpack(buf, len, &pos, &x, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(buf, len, &pos, count, 3, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(buf, len, &pos, &tag, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++)
        shift(count[i], tag + i, 1);
    printf("rank %d: %d %d %g\n", rank, pos, len, x);
    MPI_Finalize();
    return 0;
}
