/* commslice-test: single_bucket
 * about: an unordered map beside arrays in one struct: its single bucket is indexed like an array, and yet no word of
 * about: the struct behind it is meant; the array that is computed is not the one with lengths
 * ranks: 2 3
 * gone: swell
 * array: bath 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <mpi.h>
#include <unordered_map>

static const int N = 8 * 1024 * 1024;

struct Mesh {
    std::unordered_map<long, int> place;
    int *length;
    int *value;
    int n;
};

extern "C" int swell(Mesh *m)
{
    int s = 0;
    for (int i = 0; i < 2 * N; i++) {
        m->value[i] = i % 47;
        s += m->value[i];
    }
    return s;
}

int main(int argc, char **argv)
{
    static int bath[64];
    MPI_Init(&argc, &argv);
    Mesh m;
    m.n = 12 + argc;
    m.length = new int[m.n];
    m.value = new int[2 * N];
    for (int i = 0; i < m.n; i++)
        m.length[i] = i * 3 % 50 + m.place[i * 7] % 2;
    int s = swell(&m);
    for (int i = 0; i < m.n; i++)
        MPI_Bcast(bath, m.length[i], MPI_INT, 0, MPI_COMM_WORLD);
    std::printf("%d %zu\n", s, m.place.size());
    delete[] m.length;
    delete[] m.value;
    MPI_Finalize();
    return 0;
}
