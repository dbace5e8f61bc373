/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: nested_functions
 * about: nested functions of GCC, given to qsort and to a visitor, change variables around them
 * ranks: 2 3 4
 * args: 3
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Shows v by the length of a message to itself. */
#define SAY(v) \
    MPI_Sendrecv(out_bytes, (int)((unsigned)(v)&1023), MPI_CHAR, 0, 5, in_bytes, 1024, MPI_CHAR, 0, 5, MPI_COMM_SELF, \
                 MPI_STATUS_IGNORE)

static char out_bytes[1024], in_bytes[1024];

static void each(int *a, int n, void (*f)(int *))
{
    for (int i = 0; i < n; i++)
        f(&a[i]);
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int k = argc > 1 ? atoi(argv[1]) : 4, a[9], dir = k % 2 ? 1 : -1, sum = 0, calls = 0;
    for (int i = 0; i < 9; i++)
        a[i] = i * 5 % 9;
    int cmp(const void *x, const void *y)
    {
        calls++;
        return dir * (*(const int *)x - *(const int *)y);
    }
    void add(int *x)
    {
        sum = sum * 2 + *x;
        if (*x == 4)
            *x = k;
    }
    qsort(a, 9, sizeof *a, cmp);
    SAY(a[1]);
    each(a, 9, add);
    SAY(sum);
    each(a, 9, add);
    SAY(sum);
    SAY(calls > 3);
    int m = ({
        int t = a[2];
        t *t + dir;
    });
    SAY(m);
    MPI_Finalize();
    return 0;
}
