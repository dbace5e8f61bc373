/* commslice-test: trap_terminate
 * about: the program calls std::terminate() itself, by its name or by a pointer, and its handler ends the run well
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <cstdlib>
#include <exception>

static int width, rank_;
static void (*volatile give_up)() = std::terminate;

static void last_words()
{
    float buffer[64] = {0};
    MPI_Bcast(buffer, width, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    std::exit(0);
}

static void check(int step)
{
    if (step == 3 && rank_ == 0)
        std::terminate();
    if (step == 3)
        give_up();
}

int main(int argc, char **argv)
{
    float buffer[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    std::set_terminate(last_words);
    for (int step = 0; step < 5; step++) {
        width = 10 + step;
        check(step);
        MPI_Bcast(buffer, 1 + step, MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
