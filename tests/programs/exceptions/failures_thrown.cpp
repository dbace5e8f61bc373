/* commslice-test: failures_thrown
 * about: error codes of MPI are made an object that is handed up by value, or thrown; the user says that no call fails
 * ranks: 2 3 4
 * assume: no-mpi-errors
 * gone: smooth
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct Failure : std::runtime_error {
    int code;
    Failure(const char *what, int code) : std::runtime_error(std::string(what) + " fails"), code(code) {}
};

class Outcome {
    int code;

public:
    explicit Outcome(int code) : code(code) {}
    bool good() const { return code == MPI_SUCCESS; }
    int number() const { return code; }
};

static void check(int code, const char *what)
{
    if (code != MPI_SUCCESS)
        throw Failure(what, code);
}

extern "C" __attribute__((noinline)) void smooth(double *v, int n)
{
    for (int i = 1; i + 1 < n; i++)
        v[i] = 0.25 * v[i - 1] + 0.5 * v[i] + 0.25 * v[i + 1];
}

static Outcome shift(std::vector<double> &v, int n, int to, int from)
{
    MPI_Request r;
    Outcome o(MPI_Irecv(&v[n], n, MPI_DOUBLE, from, n, MPI_COMM_WORLD, &r));
    if (!o.good())
        return o;
    o = Outcome(MPI_Send(v.data(), n, MPI_DOUBLE, to, n, MPI_COMM_WORLD));
    if (!o.good())
        return o;
    return Outcome(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

static int run()
{
    int rank, size, tried = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size), "size");
    std::vector<double> v(64, rank);
    for (int n = 1; n < 8; n++) {
        smooth(v.data(), 64);
        Outcome o = shift(v, n, (rank + 1) % size, (rank + size - 1) % size);
        if (!o.good()) {
            tried++;
            check(MPI_Send(&v[0], tried, MPI_DOUBLE, 0, o.number(), MPI_COMM_WORLD), "report");
        }
    }
    double sum = v[1];
    check(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), "sum");
    return 0;
}

int main(int argc, char **argv)
{
    int code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    try {
        code = run();
    } catch (const Failure &f) {
        std::fprintf(stderr, "%s: %d\n", f.what(), f.code);
        MPI_Barrier(MPI_COMM_WORLD);
        code = 1;
    }
    MPI_Finalize();
    return code;
}
