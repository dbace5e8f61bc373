/* commslice-test: trap_number_bits
 * about: the bits of real numbers as whole ones: by memcpy, a union, a type that may alias anything, bytes, in a struct
 * about: that is copied, in memory that grows, and in a message
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long __attribute__((may_alias)) any_long;
union both {
    double real;
    long whole;
};
struct pair {
    union both b;
    int n;
};

static long by_memcpy(const double *x)
{
    long bits;
    memcpy(&bits, x, sizeof bits);
    return bits;
}

static long by_union(const double *x)
{
    union both b;
    b.real = *x;
    return b.whole;
}

static long by_alias(const double *x)
{
    return *(const any_long *)x;
}

static long by_bytes(const double *x)
{
    long bits = 0;
    for (int i = 7; i >= 0; i--)
        bits = bits << 8 | ((const unsigned char *)x)[i];
    return bits;
}

static long by_struct(const double *x)
{
    struct pair *p = malloc(2 * sizeof *p);
    p[0].b.real = *x;
    p[1] = p[0];
    p = realloc(p, 400 * sizeof *p);
    long bits = p[1].b.whole;
    free(p);
    return bits;
}

static long by_message(const double *x, int rank, int size)
{
    double out = *x;
    long in = 0;
    MPI_Sendrecv(&out, sizeof out, MPI_BYTE, (rank + 1) % size, 7, &in, sizeof in, MPI_BYTE, (rank + size - 1) % size,
                 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return in;
}

static long by_message_and_memcpy(const double *x, int rank, int size)
{
    double out = *x, got;
    long in;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, 7, &got, 1, MPI_DOUBLE, (rank + size - 1) % size, 7,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(&in, &got, sizeof in);
    return in;
}

static void send(long bits, int rank, int size)
{
    static char data[64], back[64];
    int n = (int)(bits >> 50 & 31);
    MPI_Sendrecv(data, n, MPI_CHAR, (rank + 1) % size, 1, back, 64, MPI_CHAR, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[6];
    for (int i = 0; i < 6; i++)
        x[i] = (i + 2.0) * (rank + argc) * (1 << 2 * i);
    send(by_memcpy(&x[0]), rank, size);
    send(by_union(&x[1]), rank, size);
    send(by_alias(&x[2]), rank, size);
    send(by_bytes(&x[3]), rank, size);
    send(by_struct(&x[4]), rank, size);
    send(by_message(&x[5], rank, size), rank, size);
    send(by_message_and_memcpy(&x[5], rank, size), rank, size);
    if (rank == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}
