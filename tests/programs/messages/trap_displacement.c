/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_displacement
 * about: data lies before the buffer that is named: datatypes with negative displacements and strides, negative displs
 * about: of collectives
 * ranks: 2 3
 * checker-ranks: 1
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size, pay[2048];

static void meet(int n)
{
    MPI_Bcast(pay, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
    printf("%d\n", n & 1023);
}

static void types(void)
{
    int a[20], part[3] = { size + 40, size + 50, size + 60 }, from[3] = { size + 9, 3, size + 70 }, to[3];
    int lengths[2] = { 2, 1 }, places[2] = { -5, 3 }, sum = 0;
    MPI_Datatype around, down;
    MPI_Request req;
    for (int i = 0; i < 20; i++) a[i] = i;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &around);
    MPI_Type_commit(&around);
    MPI_Irecv(&a[8], 1, around, rank, 1, MPI_COMM_WORLD, &req);
    MPI_Send(part, 3, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    meet(a[3]);
    meet(a[4] + a[11]);
    for (int i = 0; i < 20; i++) sum = sum * 3 + a[i];
    meet(sum);
    MPI_Type_vector(3, 1, -1, MPI_INT, &down);
    MPI_Type_commit(&down);
    MPI_Irecv(to, 3, MPI_INT, rank, 2, MPI_COMM_WORLD, &req);
    MPI_Send(&from[2], 1, down, rank, 2, MPI_COMM_WORLD);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    meet(to[0]);
    meet(to[1]);
    meet(to[2]);
    MPI_Type_free(&around);
    MPI_Type_free(&down);
}

static void collectives(void)
{
    int counts[16], back[16], all[16] = { 0 }, own = rank * 3 + 5, some[3] = { 100, size * 11, 300 }, got = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        back[i] = -1 - i;
    }
    MPI_Allgatherv(&own, 1, MPI_INT, &all[10], counts, back, MPI_INT, MPI_COMM_WORLD);
    meet(all[8]);
    for (int i = 0; i < size; i++) back[i] = -(i % 3);
    MPI_Scatterv(&some[2], counts, back, MPI_INT, &got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    meet(got);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    types();
    collectives();
    MPI_Finalize();
    return 0;
}
