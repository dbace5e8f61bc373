/* commslice-test: trap_vectors_moved
 * about: vectors of one type that are grown, swapped, moved, copied, spliced and nested: what moves from one to another
 * about: decides counts
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <utility>
#include <vector>

#include <mpi.h>

struct Part {
    std::vector<int> own, ghost;
    std::vector<std::vector<int>> groups;
    void add(int v) { own.push_back(v); }
    void see(int v) { ghost.push_back(v); }
    void group(int n)
    {
        std::vector<int> g;
        for (int i = 0; i < n; i++)
            g.push_back(i + n);
        groups.push_back(std::move(g));
    }
};

static void append(std::vector<int> &to, const std::vector<int> &from)
{
    for (int v : from)
        to.push_back(v);
}

static std::vector<int> made(int n, int base)
{
    std::vector<int> v;
    v.resize(n, base);
    v[0] = base + n;
    return v;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Part a, b;
    for (int i = 0; i < 9; i++) {
        a.add(i);
        a.see(i + rank);
        b.add(2 * i);
        b.see(1);
    }
    a.group(2);
    b.group(3 + rank);
    a.own.swap(b.ghost);
    b.own = std::move(a.ghost);
    append(b.own, a.own);
    a.groups.insert(a.groups.end(), b.groups.begin(), b.groups.end());
    std::vector<int> last = made(4, 5), next = made(3, rank);
    last = next;
    a.groups[0].resize(12, 7);
    int count = b.own[3] + b.own[10] + a.groups[1][1] + a.groups[0][11] + last[0];
    double out[128] = {0}, in[128];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, a.own[2], in, 128, MPI_DOUBLE, (rank + size - 1) % size,
                 MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::printf("rank %d sent %d\n", rank, count);
    MPI_Finalize();
    return 0;
}
