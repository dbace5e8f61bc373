/* commslice-test: nested_exception
 * about: std::throw_with_nested makes a library class with a virtual destructor that thunks go on to; GCC, told to put
 * about: it in line, left the thunks behind without it, and the slice did not link. Texts of the exceptions decide
 * ranks: 2 3
 * flags: -std=c++20
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <exception>
#include <stdexcept>
#include <string>

static int inner_and_outer(const std::exception &outer)
{
    try {
        std::rethrow_if_nested(outer);
    } catch (const std::string &inner) {
        return std::string(outer.what()).size() * 10 + inner.size();
    }
    return 0;
}

static int count()
{
    std::exception_ptr kept;
    try {
        throw std::string("inner");
    } catch (...) {
        kept = std::current_exception();
    }
    try {
        try {
            std::rethrow_exception(kept);
        } catch (const std::string &s) {
            std::throw_with_nested(std::runtime_error(s + "!"));
        }
    } catch (const std::exception &outer) {
        return inner_and_outer(outer);
    }
    return 0;
}

int main(int argc, char **argv)
{
    char data[100] = {0};
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, count(), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
