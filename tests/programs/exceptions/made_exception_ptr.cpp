/* commslice-test: made_exception_ptr
 * about: exceptions that are made and thrown later by std::make_exception_ptr and rethrow_exception, whole numbers and
 * about: classes, handed on by functions: what they carry decides counts
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include <mpi.h>

struct Missing : std::runtime_error {
    int rows;
    explicit Missing(int n) : std::runtime_error("missing"), rows(n) {}
};

static std::exception_ptr job(int kind)
{
    if (kind == 0)
        return std::make_exception_ptr(12);
    if (kind == 1)
        return std::make_exception_ptr(Missing(7));
    return nullptr;
}

static int outcome(std::exception_ptr p)
{
    try {
        if (p)
            std::rethrow_exception(p);
    } catch (int n) {
        return n;
    } catch (const Missing &m) {
        return m.rows;
    }
    return 3;
}

int main(int argc, char **argv)
{
    static char b[100];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::exception_ptr first = job(0), second = job(1);
    int n = outcome(first) + 2 * outcome(second) + outcome(job(2));
    MPI_Bcast(b, n, MPI_CHAR, 0, MPI_COMM_WORLD);
    std::printf("rank %d sent %d\n", rank, n);
    MPI_Finalize();
    return 0;
}
