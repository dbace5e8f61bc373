/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_call_once
 * about: std::call_once runs a function, and a lambda, by way of a function and a variable of the library
 * ranks: 2 3
 */
#include <mpi.h>
#include <cstdio>
#include <mutex>

static int rank, size, pay[2048], number = 3;
static std::once_flag flag;

static void meet(int n)
{
    MPI_Bcast(pay, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
    std::printf("%d\n", n & 1023);
}

static void add(int n)
{
    number += n;
}

int main(int argc, char **argv)
{
    std::once_flag other;
    int local = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 2; i++) std::call_once(flag, add, size + 4);
    meet(number);
    for (int i = 0; i < 3; i++) std::call_once(other, [&] { local += 11 * size; });
    meet(local);
    MPI_Finalize();
    return 0;
}
