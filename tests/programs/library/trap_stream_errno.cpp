/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_stream_errno
 * about: file streams leave in errno why a file cannot be opened
 * ranks: 2
 */
#include <mpi.h>
#include <cerrno>
#include <fstream>

static double field[256];

static void say(int n)
{
    MPI_Bcast(field, errno == ENOENT ? n + 100 : n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    errno = 0;
    std::ifstream in("/no/such/file");
    say(1);
    errno = 0;
    std::ofstream out;
    out.open("/no/such/file");
    say(2);
    errno = 0;
    std::filebuf buffer;
    buffer.open("/no/such/file", std::ios::in);
    say(3);
    errno = 0;
    std::wifstream wide("/no/such/file");
    say(4);
    MPI_Finalize();
    return 0;
}
