/* commslice-test: trap_global_ctor
 * about: C++ constructors and destructors of globals, statics and temporaries fill and read the counts
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <mpi.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

struct Registry {
    int n, values[16];
    Registry() : n(0) {}
    int add(int v)
    {
        values[n] = v;
        return n++;
    }
};

static Registry &registry()
{
    static Registry r;
    return r;
}

struct Entry {
    int id;
    explicit Entry(int v) : id(registry().add(v)) {}
    ~Entry() { registry().values[id] += 1; }
};

static Entry one(7), two(19);

template <int N> struct Scope {
    ~Scope() { shift(N + registry().n, N, 1); }
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    {
        Scope<3> outer;
        Entry three(registry().values[one.id] + 4);
        Scope<9> inner;
        (void)outer;
        (void)inner;
    }
    for (int i = 0; i < registry().n; i++)
        shift(registry().values[i], 20 + i, 1);
    Entry(30);                           // gone at once, but counted
    shift(registry().values[3] + two.id, 30, 1);
    printf("rank %d: %d\n", rank, registry().n);
    MPI_Finalize();
    return 0;
}
