/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_redirect
 * about: std::cout, and a stream without a buffer, write into the buffer of a string stream; how long the string is
 * about: decides counts
 * ranks: 2 3
 */
#include <mpi.h>
#include <iostream>
#include <sstream>

static int pay[128];

/* `n` is what has been written. */
static void meet(size_t n)
{
    MPI_Bcast(pay, (int)n, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    std::ostringstream text;
    std::streambuf *before = std::cout.rdbuf(text.rdbuf());
    std::cout << "written by " << size * 100 << " ranks";
    std::cout.rdbuf(before);
    meet(text.str().size() + (std::cout.rdbuf() == before));

    std::ostringstream more;
    std::ostream out(nullptr);
    out.rdbuf(more.rdbuf());
    out << size * 1000;
    meet(more.str().size());
    MPI_Finalize();
    return 0;
}
