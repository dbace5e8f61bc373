/* commslice-test: trap_number_kinds
 * about: both kinds of numbers in one buffer are needed, one after the other: content that is asked for as whole
 * about: numbers first and as real ones later, through a list that grows; and a rank that depends on real ones (MINLOC)
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct cell {
    double weight;
    int count, owner;
};
struct at {
    double value;
    int rank;
};

static struct cell *list;

static void send(int n, int rank, int size)
{
    static char data[64], back[64];
    MPI_Sendrecv(data, n & 63, MPI_CHAR, (rank + 1) % size, 1, back, 64, MPI_CHAR, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int lightest(int rank, double weight)
{
    struct at mine = {weight, rank}, best;
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    return best.rank;
}

/* The program's own maximum of the real numbers; the whole one says how large it is. */
static void larger(void *in, void *inout, int *len, MPI_Datatype *type)
{
    struct at *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *len; i++) {
        b[i].value = a[i].value > b[i].value ? a[i].value : b[i].value;
        b[i].rank = b[i].value > 2.5 ? 3 : 1;
    }
}

static int by_own_operation(int rank, double weight)
{
    struct at mine = {weight, rank}, all;
    MPI_Op op;
    MPI_Op_create(larger, 1, &op);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    return all.rank;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    list = malloc(2 * sizeof *list);
    for (int i = 0; i < 2; i++)
        list[i] = (struct cell){.weight = (i + 1) * (rank + argc) * 1.5, .count = 3 * rank + i, .owner = rank};
    list = realloc(list, 10 * sizeof *list);
    for (int i = 2; i < 10; i++)
        list[i] = list[i - 2];
    MPI_Sendrecv_replace(list, 10 * (int)sizeof *list, MPI_BYTE, (rank + 1) % size, 3, (rank + size - 1) % size, 3,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    send(list[4].count, rank, size);
    send((int)list[5].weight, rank, size);
    send(lightest(rank, 10 - list[2].weight), rank, size);
    send(by_own_operation(rank, list[3].weight), rank, size);
    if (rank == 0)
        printf("%d\n", list[1].owner);
    free(list);
    MPI_Finalize();
    return 0;
}
