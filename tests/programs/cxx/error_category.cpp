// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: error_category
// about: an error code of a category of the program's is compared with a condition of the library: the library calls
// about: the category's virtual function, which decides
// ranks: 2 4
#include <mpi.h>
#include <system_error>
#include <string>
struct kinds : std::error_category {
    const char *name() const noexcept override { return "kinds"; }
    std::string message(int e) const override { return std::string(size_t(e), '!'); }
    std::error_condition default_error_condition(int e) const noexcept override
    {
        return e > 10 ? std::errc::value_too_large : std::errc::invalid_argument;
    }
};
static const kinds all;
static std::error_code check(double x) { return {x > 2 ? 40 : x > 1 ? 3 : 0, all}; }
int main(int argc, char **argv)
{
    int rank, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 6; i++) {
        std::error_code e = check((i * 7 % 5) * 0.7 + rank % 2);
        if (e)
            n += e == std::errc::value_too_large ? 10 : 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n % 7; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
