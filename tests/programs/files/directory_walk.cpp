/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: directory_walk
 * about: sizes of the files below a folder, found by iterators over directories, decide counts
 */
#include <mpi.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static void make_files(const fs::path &folder)
{
    fs::create_directories(folder / "inner");
    std::ofstream(folder / "a.dat") << "123";
    std::ofstream(folder / "b.txt") << "4567";
    std::ofstream(folder / "inner" / "c.dat") << "89012";
}

static int flat_size(const fs::path &folder)
{
    int n = 0;
    for (const auto &entry : fs::directory_iterator(folder))
        if (entry.is_regular_file())
            n += (int)entry.file_size();
    return n;
}

static int deep_size(const fs::path &folder)
{
    int n = 0;
    for (auto i = fs::recursive_directory_iterator(folder); i != fs::recursive_directory_iterator(); ++i)
        if (i->path().extension() == ".dat")
            n += (int)i->file_size() * (i.depth() + 1);
    return n;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fs::path folder = "walked." + std::to_string(rank);
    make_files(folder);
    std::vector<double> field(64, rank);
    MPI_Bcast(field.data(), flat_size(folder), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(field.data(), deep_size(folder), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    fs::remove_all(folder);
    MPI_Finalize();
    return 0;
}
