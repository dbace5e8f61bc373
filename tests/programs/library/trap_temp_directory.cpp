/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_temp_directory
 * about: std::filesystem asks the environment, which the program has set, for the folder of temporary files; its name
 * about: decides a count
 * ranks: 2 3
 */
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

static int pay[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (const char *folder : {"/usr/bin", "/usr"}) {
        setenv("TMPDIR", folder, 1);
        int n = (int)std::filesystem::temp_directory_path().native().size();
        MPI_Bcast(pay, n, MPI_INT, 0, MPI_COMM_WORLD);
        std::printf("%d\n", n);
    }
    MPI_Finalize();
    return 0;
}
