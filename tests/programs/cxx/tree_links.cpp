/* commslice-test: tree_links
 * about: two maps of one type, a set and a list: what one of them holds decides what is sent, the values of the others
 * about: do not
 * ranks: 2 3
 * gone: foam
 * array: bath 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <list>
#include <map>
#include <mpi.h>
#include <set>

static const int N = 8 * 1024 * 1024;

extern "C" int foam(int *b)
{
    int s = 0;
    for (int i = 0; i < 2 * N; i++) {
        b[i] = i % 47;
        s += b[i];
    }
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, got[64] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *bath = new int[2 * N];
    int s = foam(bath);
    std::map<long, int> values;
    std::map<int, int> counts;
    std::set<int> order;
    std::list<int> sums;
    for (int i = 0; i < 6; i++) {
        values[i * 7 % 5] = s + i;
        counts[i * 5 % 7] = i;
        order.insert(i * 11 % 13);
        sums.push_front(s - i);
    }
    int n = 1, total = 0;
    for (std::map<int, int>::const_iterator i = counts.begin(); i != counts.end(); ++i)
        n = (n * 3 + i->first * i->second) % 61;
    for (int k : order)
        n = (n * 5 + k) % 59;
    for (const auto &v : values)
        total += v.second;
    for (int v : sums)
        total -= v;
    MPI_Bcast(got, n + 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::printf("rank %d: %d %d\n", rank, n, total);
    delete[] bath;
    MPI_Finalize();
    return 0;
}
