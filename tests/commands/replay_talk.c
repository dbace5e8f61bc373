/* SPDX-License-Identifier: BSD-3-Clause
 * For replay_test.sh: what a rank gets depends on when others come. With an argument the program goes another way. */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
static double sum;

/* Whoever comes first. */
static void from_anybody(void)
{
    int v[8] = {rank, 2 * rank}, got[2][8], flag, which;
    MPI_Status s;
    MPI_Request r[2], sent;
    if (rank > 0) {
        MPI_Issend(v, rank, MPI_INT, 0, rank, MPI_COMM_WORLD, &sent);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        return;
    }
    for (int left = size - 1; left > 2; left--) {
        do
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s);
        while (!flag);
        MPI_Recv(got, 8, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = sum * 3 + got[0][0];
    }
    for (int i = 0; i < 2; i++)
        MPI_Irecv(got[i], 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[i]);
    MPI_Waitany(2, r, &which, &s);
    sum = sum * 3 + which + s.MPI_TAG;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void take_larger(void *in, void *out, int *n, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *n; i++)
        ((double *)out)[i] = ((double *)in)[i] > ((double *)out)[i] ? ((double *)in)[i] : ((double *)out)[i];
}

static void together(MPI_Comm c)
{
    double mine = rank + 1, all[8] = {0}, most, part;
    MPI_Op larger;
    MPI_Request r;
    MPI_Op_create(take_larger, 1, &larger);
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, larger, c);
    MPI_Iallgather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, c, &r);
    MPI_Scan(&mine, &part, 1, MPI_DOUBLE, MPI_SUM, c);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, c);
    MPI_Bcast(all + 1, 2, MPI_DOUBLE, 1, c);
    sum += most + part + all[0] + all[1] + all[2];
    MPI_Op_free(&larger);
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    from_anybody();
    together(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    together(half);
    if (argc > 1)
        together(half);
    printf("rank %d: %g\n", rank, sum);
    MPI_Finalize();
    return 0;
}
