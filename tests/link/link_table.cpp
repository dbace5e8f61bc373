/* SPDX-License-Identifier: BSD-3-Clause
 * mixed_test.sh: leaf() is in another file, so only the link finds out that it does not throw; its call has a
 * landing pad (the vector must be destroyed), and what it returns is LIVE. */
#include <mpi.h>
#include <vector>

extern int leaf(int);

struct Table {
    std::vector<int> v;
    explicit Table(int n) : v(n)
    {
        for (int i = 0; i < n; i++) {
            v[i] = leaf(i);
            v[i]++;
        }
    }
};

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Table t(size + 5);
    for (int i = 0; i < t.v[size]; i++) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
