/* commslice-test: trap_file_order
 * about: the last rank writes files, which the others read after a barrier, after a token by message and after a dead
 * about: allreduce
 * ranks: 2 3 4
 * gone: churn
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int rank, size;
static double bath[1000];

__attribute__((noinline)) static void churn(int n)
{
    for (int i = 0; i < n; i++) bath[i] = bath[i * 7 % n] * 1.5 + i + rank;
}

static void leave(const char *name, int number)
{
    FILE *f = fopen(name, "w");
    if (rank == size - 1) usleep(100000);
    if (f) {
        if (number) fprintf(f, "%d\n", number);
        else fprintf(f, "none\n");
        fclose(f);
    }
}

static int find(const char *name)
{
    int number = 1;
    FILE *f = fopen(name, "r");
    if (!f) return number;
    int found = fscanf(f, "%d", &number);
    if (found != 1) number = 2 - found;
    fclose(f);
    return number;
}

static void talk(int steps, int tag)
{
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv_replace(bath, steps + i, MPI_DOUBLE, (rank + 1) % size, tag, (rank + size - 1) % size, tag,
            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    churn(1000);

    if (rank == size - 1) leave("order.steps", 5);
    MPI_Barrier(MPI_COMM_WORLD);
    talk(find("order.steps"), 1);

    if (rank == size - 1) {
        leave("order.more", 4);
        for (int to = 0; to < rank; to++) MPI_Send(&token, 1, MPI_INT, to, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&token, 1, MPI_INT, size - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    talk(find("order.more"), 2);

    if (rank == size - 1) {
        leave("order.last", 3);
        leave("order.bad", 0);
    }
    MPI_Allreduce(MPI_IN_PLACE, bath, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    talk(find("order.last"), 3);
    talk(find("order.bad"), 4);
    talk(find("order.none"), 5);

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        remove("order.steps");
        remove("order.more");
        remove("order.last");
        remove("order.bad");
        printf("bath %g\n", bath[3]);
    }
    MPI_Finalize();
    return 0;
}
