/* commslice-test: virtual_members
 * about: two classes behind one pointer: a virtual function of one of them computes into members that lie where the
 * about: other one has what decides counts; an object goes only to the functions that its own class has
 * ranks: 2 3
 * gone: froth
 * array: bath 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <cstdlib>
#include <mpi.h>

static const int N = 8 * 1024 * 1024;
static int bath[64], *pool;

extern "C" int froth(int *b, int from)
{
    int s = 0;
    for (int i = 0; i < 2 * N; i++) {
        b[i] = (i + from) % 47;
        s += b[i];
    }
    return s;
}

struct Force {
    virtual ~Force() {}
    virtual void setup(int n) = 0;
    virtual void compute(int step) = 0;
    virtual int width() { return 8; }
};

/* Knows how much it exchanges. */
struct Table : Force {
    int nrho, step;
    void setup(int n) override { nrho = n; }
    void compute(int s) override { step = s; }
    int width() override { return nrho + step % 3; }
};

/* Computes at the same place. */
struct Plain : Force {
    int energy, virial;
    void setup(int n) override { energy = n; }
    void compute(int s) override { energy += froth(pool, s), virial = energy / 3; }
};

static void step(Force *f, int i)
{
    f->compute(i);
    MPI_Bcast(bath, f->width(), MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    pool = (int *)std::malloc(2 * (size_t)N * sizeof *pool);
    Force *f[2] = {new Table, new Plain};
    f[0]->setup(12 + argc);
    f[1]->setup(argc);
    for (int i = 0; i < 6; i++)
        step(f[i % 2], i);
    std::printf("%d %d\n", bath[3], static_cast<Plain *>(f[1])->energy);
    for (int i = 0; i < 2; i++)
        delete f[i];
    std::free(pool);
    MPI_Finalize();
    return 0;
}
