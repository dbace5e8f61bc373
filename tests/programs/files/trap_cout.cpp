/* commslice-test: trap_cout
 * about: std::cout itself is LIVE: its state and width decide how many messages there are; a static object of
 * about: <iostream> makes it
 * ranks: 2 3
 * gone: foam
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <iostream>
#include <mpi.h>

static double bath[1000];

extern "C" __attribute__((noinline)) void foam(int n)
{
    for (int i = 0; i < n; i++) bath[i] = bath[(i * 7) % n] * 1.5 + i;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    foam(1000);
    std::cout.width(3);
    int width = static_cast<int>(std::cout.width());
    std::cout << "bath\n";
    int n = std::cout.good() ? width + 5 * static_cast<int>(std::cout.width()) : 7;
    for (int i = 0; i < n; i++) MPI_Allreduce(MPI_IN_PLACE, bath, i + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    std::cout.setstate(std::ios::failbit);
    MPI_Bcast(bath, std::cout.good() ? 8 : 9, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    fprintf(stderr, "%g\n", bath[10]);
    MPI_Finalize();
    return 0;
}
