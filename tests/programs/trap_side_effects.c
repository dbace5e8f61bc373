/* commslice-test: trap_side_effects
 * about: MPI calls inside conditions, with results that are used only as truth values, and errno of strtol
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int tries;

static int sent(int count, int tag)
{
    shift(count, tag, 1);
    return ++tries % 3;
}

int main(int argc, char **argv)
{
    int n = 2, big;
    char *end;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (sent(1, 1) && sent(2, 2) && sent(3, 3) && sent(4, 4))
        n++;
    while (n < 6 && (sent(n, 10) || sent(n + 1, 11)))
        n += 1 + (tries > 4);
    n = sent(5, 20) ? n + 7 : n + 9;
    (void)(sent(6, 21), n++);
    errno = 0;
    big = strtol("99999999999999999999", &end, 10) == LONG_MAX && errno == ERANGE;
    shift(n + (big ? 20 : 1), 30, 1);
    printf("rank %d: %d tries %d big %d\n", rank, n, tries, big);
    MPI_Finalize();
    return 0;
}
