/* commslice-test: trap_coll_meet
 * about: collectives of some ranks meet those of others: one datatype and four elements, packed and not, a pair, an
 * about: operation and a count from variables
 * ranks: 2 3 4
 * checker-ranks: 1
 * args: 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* Every rank sends as many bytes as it was told. */
static void around(int n)
{
    char out[64] = {0}, in[64];
    MPI_Sendrecv(out, n & 31, MPI_CHAR, (rank + 1) % size, 7, in, 64, MPI_CHAR, (rank + size - 1) % size, 7,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The root names one element of a type, the others four numbers. */
static void one_or_four(int seed)
{
    int v[4] = {seed, seed + 1, seed + 2, seed + 3};
    MPI_Datatype four;
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_commit(&four);
    if (rank == 0)
        MPI_Bcast(v, 1, four, 0, MPI_COMM_WORLD);
    else {
        memset(v, 0, sizeof v);
        MPI_Bcast(v, 4, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&four);
    around(v[0] + 2 * v[1] + 4 * v[2] + 8 * v[3]);
}

/* The root packs; the others know what it is. */
static void packed(int seed)
{
    int v[2] = {seed, seed * 3}, at = 0;
    char box[64];
    if (rank == 0) {
        MPI_Pack(v, 2, MPI_INT, box, (int)sizeof box, &at, MPI_COMM_WORLD);
        MPI_Bcast(box, at, MPI_PACKED, 0, MPI_COMM_WORLD);
    } else {
        v[1] = 0;
        MPI_Bcast(v, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    around(v[1]);
}

/* One pair on one side, two numbers on the other. */
static void pair(int seed)
{
    int v[2] = {seed, seed * 5};
    if (rank == 0)
        MPI_Bcast(v, 1, MPI_2INT, 0, MPI_COMM_WORLD);
    else {
        v[1] = 0;
        MPI_Bcast(v, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    around(v[1]);
}

/* Operation and count are names on one side and variables on the other. */
static void chosen(int seed, int count)
{
    MPI_Op ops[3] = {MPI_SUM, MPI_MAX, MPI_MIN};
    int mine[3] = {seed + rank, seed - rank, 1}, all[3] = {0}, odd;
    if (rank % 2) {
        MPI_Allreduce(mine, all, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        odd = 4;
    } else {
        MPI_Allreduce(mine, all, count, MPI_INT, ops[seed % 3], MPI_COMM_WORLD);
        odd = 1;
    }
    around(all[0] + odd);
    if (rank % 2) {
        MPI_Scan(mine, all, 2, MPI_INT, seed > 100 ? MPI_SUM : MPI_PROD, MPI_COMM_WORLD);
        odd = 2;
    } else {
        MPI_Scan(mine, all, 2, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
        odd = 5;
    }
    around(all[1] + odd);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = argc > 1 ? atoi(argv[1]) : 1;
    one_or_four(n);
    packed(n);
    pair(n);
    for (int k = 1; k <= (size > 1 ? 1 : 3); k++)
        chosen(n + k, size > 1 ? n : 0);
            /* a single rank may name any operation; it reads what nothing was reduced into */
    MPI_Finalize();
    return 0;
}
