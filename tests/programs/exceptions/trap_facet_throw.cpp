/* commslice-test: trap_facet_throw
 * about: a stream catches what a facet of the program's own throws, and only notes that something went wrong
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <locale>
#include <sstream>

static double a[64];

/* Prints small numbers only. */
namespace {
struct Small : std::num_put<char> {
    iter_type do_put(iter_type out, std::ios_base &b, char fill, long v) const override
    {
        if (v > 5)
            throw v;
        return std::num_put<char>::do_put(out, b, fill, v);
    }
};
} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::ostringstream s;
    s.imbue(std::locale(std::locale::classic(), new Small));
    for (int i = 3; i < 8; i++) {
        s << i;
        MPI_Bcast(a, s.bad() ? 40 + i : i, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        s.clear();
    }
    std::printf("%s\n", s.str().c_str());
    MPI_Finalize();
    return 0;
}
