/* commslice-test: trap_neighbor
 * about: a distributed graph from data; neighbourhood collectives exchange the counts of the next ones
 * ranks: 2 3 4
 * checker-ranks: 1
 * most-ranks: 5
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
    int src[4], dst[4], sn[4] = {0}, rn[4] = {0}, sd[4], rd[4], indeg, outdeg, weighted, k = 0;
    double out[64] = {0}, in[64];
    MPI_Comm g;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int d = 1; d < size; d++) {
        dst[k] = (rank + d) % size;
        src[k++] = (rank + size - d) % size;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, k, src, MPI_UNWEIGHTED, k, dst, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
        &g);
    MPI_Dist_graph_neighbors_count(g, &indeg, &outdeg, &weighted);
    for (int i = 0; i < outdeg; i++)
        sn[i] = 2 + rank + 3 * i;
    MPI_Neighbor_alltoall(sn, 1, MPI_INT, rn, 1, MPI_INT, g);
    sd[0] = rd[0] = 0;
    for (int i = 1; i < indeg; i++) {
        sd[i] = sd[i - 1] + sn[i - 1];
        rd[i] = rd[i - 1] + rn[i - 1];
    }
    MPI_Neighbor_alltoallv(out, sn, sd, MPI_DOUBLE, in, rn, rd, MPI_DOUBLE, g);
    MPI_Neighbor_allgather(&rn[0], 1, MPI_INT, sn, 1, MPI_INT, g);
    MPI_Comm_free(&g);
    shift(sn[0] + indeg, 1, 1);
    printf("rank %d: %d %d\n", rank, sn[0], rn[0]);
    MPI_Finalize();
    return 0;
}
