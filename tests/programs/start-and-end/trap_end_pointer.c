/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_end_pointer
 * about: an endless loop ends by exit() in a function that is called through a table, or from a callback of qsort
 * ranks: 2 3
 * checker-ranks: 1 4
 */
#include <mpi.h>
#include <stdlib.h>
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static int calls;
static void (*quit)(int) = exit;

static void work(int k)
{
    meet(k);
}

static int compare(const void *a, const void *b)
{
    if (++calls == 3 + size) {
        meet(calls + 16 * *(const int *)a + 128 * *(const int *)b);
        MPI_Finalize();
        quit(0);
    }
    return *(const int *)a - *(const int *)b;
}

static void sort(int k)
{
    int v[5] = { 5, 3, 4, 1, 2 };
    meet(k + 20);
    for (;;)
        qsort(v, 5, sizeof *v, compare);
}

static void (*const table[])(int) = { work, work, work, sort };

static void serve(void)
{
    for (int k = 0; ; k++)
        table[k & 3](k + size);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) serve();
    meet(1);
    MPI_Finalize();
    return 0;
}
