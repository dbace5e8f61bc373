/* commslice-test: varargs
 * about: variadic functions carry peers and counts; a formatted string is printed and scanned again
 * ranks: 2 3 4
 * gone: blend
 * array: layer 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static int rank, size;

static double blend(int n, ...)
{
    va_list ap;
    double s = 0.0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        double *layer = va_arg(ap, double *);
        for (int k = 0; k < N; k++) {
            layer[k] += (double)(k % (i + 2));
            s += layer[k];
        }
    }
    va_end(ap);
    return s;
}

/* Sum of n ints that another function still wants to read: va_copy. */
static int sum(int n, va_list ap)
{
    va_list copy;
    int s = 0;
    va_copy(copy, ap);
    while (n-- > 0)
        s += va_arg(copy, int);
    va_end(copy);
    return s;
}

/* Sends to each of n distances the count that belongs to it. */
static void post(double *data, int n, ...)
{
    double in[256];
    va_list ap;
    va_start(ap, n);
    int tag = sum(2 * n, ap);
    for (int i = 0; i < n; i++) {
        int distance = va_arg(ap, int), count = va_arg(ap, int);
        MPI_Sendrecv(data, count, MPI_DOUBLE, (rank + distance) % size, tag, in, 256, MPI_DOUBLE,
                     (rank + size - distance % size) % size, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    va_end(ap);
}

static int spell(char *buf, size_t len, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, len, fmt, ap);
    va_end(ap);
    return n;
}

int main(int argc, char **argv)
{
    char text[64];
    int a = 0, b = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *layer = calloc(N, sizeof *layer), s = blend(2, layer, layer);
    post(layer, 3, 1, 10 + size, 2, 20, 0, 5);
    int len = spell(text, sizeof text, "%d and %04d of %s", 3 * size, 7 + size, "world");
    if (sscanf(text, "%d and %d", &a, &b) == 2)
        post(layer, 2, 1, a, size - 1, b + len);
    printf("rank %d: %s %g\n", rank, text, s);
    free(layer);
    MPI_Finalize();
    return 0;
}
