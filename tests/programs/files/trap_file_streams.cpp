/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_file_streams
 * about: what goes to a std::ofstream is not what std::ifstream reads in the same loop; what is
 * about: written to a file of the same name is
 * ranks: 2 3
 * files: orders.txt=3\n1\n4\n1\n5\n9\n2\n6\n
 */
#include <mpi.h>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

extern "C" double solve(std::vector<double> &field, int step)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < field.size(); i++) {
        field[i] = 0.5 * field[i] + (i ^ static_cast<std::size_t>(step)) % 31;
        sum += field[i];
    }
    return sum;
}

static int plan(int rank, int size)
{
    const std::string name = "plan." + std::to_string(rank);
    int n = 0;
    {
        std::ofstream out(name);
        out << size + 4 << std::endl;
    }
    std::ifstream in(name);
    in >> n;
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, n;
    double in[16], out[16] = {0.0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(out, plan(rank, size), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::ifstream orders("orders.txt");
    std::ofstream log("solver.log", std::ios::app);
    std::vector<double> field(1 << 16);
    for (int step = 0; orders >> n; step++) {
        log << "residual " << solve(field, step) << std::endl;
        MPI_Sendrecv(out, n, MPI_DOUBLE, (rank + 1) % size, step, in, 16, MPI_DOUBLE, (rank + size - 1) % size, step,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    std::cout << "rank " << rank << std::endl;
    MPI_Finalize();
    return 0;
}
