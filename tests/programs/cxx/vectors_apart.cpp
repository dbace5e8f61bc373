/* commslice-test: vectors_apart
 * about: vectors of one type, members of one class, get their memory from one function of the library: the content
 * about: of one decides a count, that of the others nothing
 * ranks: 2 3
 * gone: heat
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <vector>

#include <mpi.h>

class Domain {
  public:
    void setUp(int n)
    {
        plan.resize(n);
        field.resize(n);
        flux.resize(n);
    }
    double &atPlan(int i) { return plan[i]; }
    double &atField(int i) { return field[i]; }
    double &atFlux(int i) { return flux[i]; }

  private:
    std::vector<double> plan, field, flux;
};

/* What decides nothing. */
extern "C" __attribute__((noinline)) void heat(Domain &d, int n)
{
    for (int i = 1; i < n; i++) {
        d.atField(i) = d.atField(i - 1) * 0.5 + d.atFlux(i) + 1;
        d.atFlux(i) = d.atField(i);
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Domain d;
    d.setUp(n);
    for (int i = 0; i < n; i++)
        d.atPlan(i) = i + rank;
    heat(d, n);
    int count = static_cast<int>(d.atPlan(3));
    double out[64] = {0}, in[64];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, 1, in, 64, MPI_DOUBLE, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::printf("rank %d sent %d\n", rank, count);
    MPI_Finalize();
    return 0;
}
