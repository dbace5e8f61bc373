/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_file_virtual
 * about: streams on the heap and in a vector: only their destructor, a virtual function of a library's class, writes
 * about: what is read back
 * ranks: 2 3
 */
#include <mpi.h>
#include <fstream>
#include <memory>
#include <vector>

static double in[128], out[128];

static void write_plans(int size)
{
    {
        auto one = std::make_unique<std::ofstream>("one.txt");
        *one << 10 * size;
    }
    std::ostream *two = new std::ofstream("two.txt");
    *two << 7 + size;
    delete two;
    std::vector<std::ofstream> many;
    many.emplace_back("three.txt");
    many.emplace_back("four.txt");
    many[0] << 2 * size;
    many[1] << 31 + size;
}

static int read_plan(const char *name)
{
    int n = 0;
    std::ifstream(name) >> n;
    return n;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        write_plans(size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(out, read_plan("one.txt"), MPI_DOUBLE, (rank + 1) % size, 1, in, 128, MPI_DOUBLE,
                 (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(out, read_plan("two.txt"), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(out, read_plan("three.txt"), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(out, read_plan("four.txt"), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
