/* commslice-test: passed_on
 * about: handlers that only tidy up and throw again, or end the run in an error, catch nothing: what is thrown
 * about: decides nothing, and what decides whether it is thrown goes
 * ranks: 2 3
 * gone: foam
 * array: bath 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <vector>

static const int N = 8 * 1024 * 1024;

extern "C" double foam(double *b)
{
    double s = 0.0;
    for (int i = 0; i < N; i++) {
        b[i] = double(i % 47);
        s += b[i];
    }
    return s;
}

struct Sample {
    double at;
    std::string name;
    explicit Sample(double a) : at(a), name("sample") {}
};

static void check(double s)
{
    if (s < 0)
        throw std::runtime_error("no foam");
}

/* Its own list, which is given back whatever happens. */
static int collect(double s)
{
    std::vector<Sample> *list = new std::vector<Sample>;
    try {
        for (int i = 0; i < 5; i++) {
            check(s + i);
            list->push_back(Sample(s + i));
        }
    } catch (...) {
        delete list;
        throw;
    }
    int n = (int)list->size();
    delete list;
    return n;
}

static int twice(double s)
{
    try {
        return collect(s);
    } catch (const std::logic_error &e) {
        std::fprintf(stderr, "%s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 3);
    } catch (const std::exception &e) {
        throw std::runtime_error(std::string("twice: ") + e.what());
    }
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, got[64] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *bath = new double[N];
    double s = foam(bath);
    int n = 0;
    try {
        n = twice(s);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "rank %d: %s\n", rank, e.what());
        std::exit(2);
    }
    MPI_Bcast(got, 20, MPI_INT, 0, MPI_COMM_WORLD);
    std::printf("rank %d: %d samples, %g\n", rank, n, s);
    delete[] bath;
    MPI_Finalize();
    return 0;
}
