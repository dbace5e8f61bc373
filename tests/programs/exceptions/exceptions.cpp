/* commslice-test: exceptions
 * about: C++ exceptions, with data inside, caught by base class and rethrown, decide what is sent
 * ranks: 2 3 4
 * gone: foam
 * array: bath 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <exception>
#include <mpi.h>
#include <stdexcept>

static const int N = 8 * 1024 * 1024;
static int rank_, size_, leaving;

struct Retry {
    int count, tag;
    virtual ~Retry() {}
    virtual int weight() const { return 1; }
};

struct BigRetry : Retry {
    int weight() const override { return 3; }
};

/* Its destructor runs on the normal and on the exceptional way out. */
struct Guard {
    int tag;
    explicit Guard(int t) : tag(t) {}
    ~Guard() { leaving += tag; }
};

static void shift(int count, int tag)
{
    double out[64] = {0}, in[64];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank_ + 1) % size_, tag, in, 64, MPI_DOUBLE, (rank_ + size_ - 1) % size_, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int check(int n)
{
    Guard g(n);
    if (n % 5 == 4) {
        BigRetry r;
        r.count = n + 2;
        r.tag = 50 + n;
        throw r;
    }
    if (n % 3 == 2) {
        Retry r;
        r.count = n + 1;
        r.tag = n;
        throw r;
    }
    if (n > 12)
        throw std::out_of_range("enough");
    return n + 1;
}

static int middle(int n)
{
    try {
        return check(n);
    } catch (const Retry &r) {
        if (r.tag > 50)
            throw;
        shift(r.count * r.weight(), r.tag);
        return n + 2;
    }
}

extern "C" double foam(double *b)
{
    double s = 0.0;
    for (int i = 0; i < N; i++) {
        b[i] = double(i % 47);
        s += b[i];
    }
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    double *bath = new double[N], s = foam(bath);
    int n = 0, rounds = 0;
    bool more = true;
    while (more) {
        try {
            n = middle(n);
            shift(n, 200 + rounds);
        } catch (const Retry &r) {
            shift(r.count * r.weight(), r.tag);
            n = r.count;
        } catch (const std::exception &) {
            more = false;
        }
        rounds++;
    }
    shift(leaving % 60, 400);
    std::printf("rank %d: n %d rounds %d leaving %d, %g\n", rank_, n, rounds, leaving, s);
    delete[] bath;
    MPI_Finalize();
    return 0;
}
