// SPDX-License-Identifier: BSD-3-Clause
// A deck is read and a log written by streams; with an argument the log is read, too. For read_back_test.sh.
#include <fstream>
#include <mpi.h>
#include <string>

int main(int argc, char **argv)
{
    int rank, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string name = "stream." + std::to_string(rank);
    std::ifstream("deck") >> n;
    std::ofstream(name) << n << '\n';
    std::ofstream(name, std::ios::app) << n << '\n';
    if (argc > 1)
        std::ifstream(name) >> n;
    MPI_Finalize();
    return 0;
}
