/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_address_math
 * about: addresses go through divisions, products, single bytes, doubles and vectors before something is written there
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>
#include <stdint.h>

static int rank, size;
static double field[1 << 14];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

typedef uintptr_t pair __attribute__((vector_size(16)));
static int by_rounding[64], by_bytes = 3, by_double = 4, by_product = 5, by_remainder = 6, by_vector = 7;

static uintptr_t round_up(uintptr_t p, uintptr_t to)
{
    return (p + to - 1) / to * to;
}

static int *through_bytes(int *p, unsigned char key)
{
    unsigned char b[8];
    uintptr_t u = (uintptr_t)p, back = 0;
    for (int i = 0; i < 8; i++) {
        b[i] = u >> 8 * i;
        b[i] ^= key;
    }
    for (int i = 7; i >= 0; i--) {
        unsigned char c = b[i] ^ key;
        back = back << 8 | c;
    }
    return (int *)back;
}

static int *through_double(int *p)
{
    double d = (double)(uintptr_t)p;
    return (int *)(uintptr_t)d;
}

static int *through_product(int *p, uintptr_t k)
{
    uintptr_t u = (uintptr_t)p * k;
    return (int *)(u / k);
}

static int *through_remainder(int *p, uintptr_t k)
{
    uintptr_t q = (uintptr_t)p / k, r = (uintptr_t)p % k;
    return (int *)(q * k + r);
}

static int *through_vector(int *p, uintptr_t k)
{
    pair v = { (uintptr_t)p, k }, w = { 8, 1 };
    v = v * w + w;
    return (int *)((v[0] - 8) / 8);
}

static void writes(void)
{
    *(int *)round_up((uintptr_t)by_rounding + size, 64 * (size > 0)) = 9;
    *through_bytes(&by_bytes, size) = 9 + (unsigned char)size;
    *through_double(&by_double) = 12;
    *through_product(&by_product, size) = 13;
    *through_remainder(&by_remainder, size + 5) = 14;
    *through_vector(&by_vector, size) = 15;
    send(*(int *)(((uintptr_t)by_rounding + size + 63) & ~(uintptr_t)63));
    send(by_bytes);
    send(by_double);
    send(by_product);
    send(by_remainder);
    send(by_vector);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    writes();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
