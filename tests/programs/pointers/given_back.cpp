/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: given_back
 * about: functions that return what they are given, or a member of it, are called with all kinds of memory: placement
 * about: new in a map and in a vector. What one call gives does not come back to another
 * ranks: 2 3
 * gone: relax
 */
#include <mpi.h>
#include <map>
#include <vector>

static void *same(void *p)
{
    return p;
}

struct part {
    int head;
    double inside[64];
    double *values() { return inside; }
};

extern "C" __attribute__((noinline)) void relax(part *p, std::vector<part *> &all)
{
    double *v = static_cast<double *>(same(p->values()));
    for (int i = 0; i < 64; i++)
        v[i] = 0.5 * v[i] + i;
    all.push_back(p);
}

int main(int argc, char **argv)
{
    int rank, size;
    static double pay[128];
    std::vector<part *> all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::map<int, int> counts;
    for (int i = 0; i < 8; i++)
        counts[(i * 5) % 8] = size + 3 * i;
    int *extra = static_cast<int *>(same(&size));
    for (int i = 0; i < 8; i++) {
        relax(new part, all);
        MPI_Bcast(pay, counts[i] + *extra, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    for (part *p : all)
        delete p;
    MPI_Finalize();
    return 0;
}
