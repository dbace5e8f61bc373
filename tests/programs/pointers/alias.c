/* commslice-test: alias
 * about: counts and tags written through pointers to pointers, overlapping sub-arrays and a union
 * ranks: 2 3 4
 * gone: stir
 * array: big 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

union word {
    struct { unsigned short lo, hi; } half;
    unsigned w;
    unsigned char b[4];
};

struct pair { int *first; double *second; };

static double big[N];

static void stir(double *a, double **pa, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (*pa)[n - 1 - i] + i % 5;
}

/* Makes *p point where the caller cannot see by name. */
static void point(int **p, int *a, int *b, int which)
{
    *p = which ? a : b;
}

static void bump(int **p, int by)
{
    **p += by;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    double *alias = big;
    stir(big, &alias, N);

    int one = 1, two = 2, *p;
    point(&p, &one, &two, size > 2);
    int **pp = &p, ***ppp = &pp;
    bump(*ppp, 5);                        /* one or two */

    int a[20] = {0}, *x = a + 3, *y = a + 5;
    for (int i = 0; i < 10; i++)
        x[i] = i + 1;
    y[1] = 11;                            /* is x[3] */
    *(x + 4 - 1) += y[-2];                /* a[6] += a[3] */

    union word u = {.w = 0};
    u.half.hi = 0;
    u.half.lo = (unsigned short)(2 + size);
    u.b[0] ^= 8;
    int tag = (int)(u.w & 0xff);

    struct pair pr = {a + 6, big}, *q = &pr;
    int count = *q->first + one * two;    /* a[6] */

    double in[64], *out = q->second;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Sendrecv(out, count, MPI_DOUBLE, right, tag, in, count, MPI_DOUBLE, left, tag, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    point(&p, &count, &tag, 1);
    bump(pp, 3);                          /* count now, no longer one or two */
    MPI_Sendrecv(out, count, MPI_DOUBLE, left, one, in, count, MPI_DOUBLE, right, one, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("rank %d: count %d tag %d one %d two %d big %g\n", rank, count, tag, one, two, big[N / 3] + in[1]);
    MPI_Finalize();
    return 0;
}
