/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_shift
 * about: queues move up by one place, with memmove and through a second array: each count comes from the place behind,
 * about: without end
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int count, tag, more[2]; };
static struct item all[4096], beside[4096], *heap;

static void move_up(struct item *q, int n)
{
    memmove(q, q + 1, n * sizeof *q);
}

static void move_by(struct item *q, struct item *t, int n)
{
    memcpy(t, q + 1, n * sizeof *q);
    memcpy(q, t, n * sizeof *q);
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    double field[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = 5 + size;
    heap = malloc(n * sizeof *heap);
    for (int i = 0; i < n; i++)
        all[i] = heap[i] = (struct item){ i + 1, n - i, { 0, 0 } };
    for (; n > 2; n--) {
        if (rank == 1)
            MPI_Send(field, all[0].count, MPI_DOUBLE, 0, heap[0].tag, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(field, 100, MPI_DOUBLE, 1, heap[0].tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += all[0].count * heap[0].tag;
        move_up(heap, n - 1);
        move_by(all, beside, n - 1);
    }
    printf("rank %d: %d\n", rank, sum);
    free(heap);
    MPI_Finalize();
    return 0;
}
