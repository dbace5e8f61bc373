// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_thrown_back
// about: a handler reads what was written before the exception, and tries again what has been done already; a
// about: destructor reads what was written after its object was made
// ranks: 2 3
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <vector>

static int rank, size;

static void ring(int n)
{
    std::vector<int> out(64), in(64);
    MPI_Sendrecv(out.data(), n, MPI_INT, (rank + 1) % size, 0, in.data(), n, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::printf("%d\n", n);
}

struct Box {
    std::unique_ptr<int> n;
    explicit Box(int k) : n(new int(k)) {}
    ~Box() { ring(*n); }
};

static std::vector<int> sizes(4, 1);

static int ask(int i)
{
    return sizes[i];
}

static void work(int round)
{
    sizes[1] += 2;
    if (round < 3)
        throw round;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0, done = 0; !done; round++) {
        ring(ask(1));
        try {
            Box box(2);
            *box.n += round;
            work(round);
            *box.n += 9;
            done = 1;
        } catch (int r) {
            ring(ask(1) + r);
            sizes[1]++;
        }
    }
    MPI_Finalize();
    return 0;
}
