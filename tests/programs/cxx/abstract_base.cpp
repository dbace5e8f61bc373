/* commslice-test: abstract_base
 * about: objects of classes with an abstract base only compute;
 * about: the base's pure virtual functions, which no run calls, keep nothing
 * ranks: 2 3 4
 * gone: scorch relax
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

extern "C" void scorch(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = std::sin(x[i]) * 1.1;
}

extern "C" void relax(double *x, int n)
{
    for (int i = 1; i < n - 1; i++)
        x[i] = 0.5 * (x[i - 1] + x[i + 1]);
}

struct Kernel {
    virtual ~Kernel() {}
    virtual void apply(double *x, int n) = 0;
};
struct Scorch : Kernel {
    void apply(double *x, int n) override { scorch(x, n); }
};
struct Relax : Kernel {
    void apply(double *x, int n) override { relax(x, n); }
};

int main(int argc, char **argv)
{
    int rank, size, n = 200;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> x(n, rank);
    std::vector<std::unique_ptr<Kernel>> kernels;
    kernels.emplace_back(new Scorch);
    kernels.emplace_back(new Relax);
    for (int step = 0; step < 4; step++) {
        for (auto &k : kernels)
            k->apply(x.data(), n);
        MPI_Sendrecv(&x[n - 2], 1, MPI_DOUBLE, (rank + 1) % size, 1, &x[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    std::printf("%.3f\n", x[n / 2]);
    MPI_Finalize();
    return 0;
}
