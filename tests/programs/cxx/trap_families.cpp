/* commslice-test: trap_families
 * about: virtual calls whose function is not one of the class of the pointer: thunks of second and virtual bases,
 * about: covariant results, templates, local and unnamed classes of one name, destructors, members inherited from a
 * about: base that the class of the pointer does not know, a pointer to a member, a class that is only cast to another
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <mpi.h>

static int rank, nranks, tag;

static void ring(int count)
{
    double out[64] = {0}, in[64];
    int next = (rank + 1) % nranks, last = (rank + nranks - 1) % nranks;
    MPI_Sendrecv(out, count, MPI_DOUBLE, next, tag, in, 64, MPI_DOUBLE, last, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    tag++;
}

struct Counts {
    virtual ~Counts() {}
    virtual int count() { return 1; }
};
struct Names {
    int n = 3;
    virtual ~Names() {}
    virtual int letters() { return 1; }
};
/* letters() comes from Second, a base that Names does not know. */
struct Second {
    virtual int letters() { return 9; }
};
struct Both : Counts, Names {
    int count() override { return 5; }
    int letters() override { return n + 4; }
};
struct Virtually : virtual Names {
    int letters() override { return n + 11; }
};
struct Deep : Virtually, Counts, Second {
    int count() override { return 13; }
    int letters() override { return 15; }
};

struct Maker {
    virtual ~Maker() {}
    virtual Names *make() { return new Names; }
};
struct BothMaker : Maker {
    Both *make() override { return new Both; } /* another pointer to the result: a thunk adjusts it */
};

template <int K> struct Times : Counts {
    int count() override { return K * 2; }
};

namespace {
struct Hidden : Counts {
    int count() override { return 17; }
};
}

static Counts *local(int which)
{
    if (which) {
        struct Local : Counts {
            int count() override { return 18; }
        };
        return new Local;
    }
    struct Local : Counts {
        int count() override { return 19; }
    };
    return new Local;
}

struct Ending : Counts {
    int by;
    explicit Ending(int b) : by(b) {}
    ~Ending() override { ring(by); }
};

/* Its layout is that of Counts, but it is none; old programs cast so. */
struct Alike {
    virtual ~Alike() {}
    virtual int count() { return 21; }
};
struct Interface {
    virtual ~Interface() {}
    virtual int count() = 0;
};
static int through(void *object) { return static_cast<Interface *>(object)->count(); }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    Both both;
    Deep deep;
    Virtually only;
    Counts *counts[] = {&both, &deep, new Times<3>, new Times<8>, new Hidden, local(0), local(1)};
    for (Counts *c : counts)
        ring(c->count());
    Names *names[] = {&both, &only, static_cast<Virtually *>(&deep)};
    for (Names *n : names)
        ring(n->letters());
    Second *second = &deep;
    ring(second->letters());
    Maker *makers[] = {new Maker, new BothMaker};
    for (Maker *m : makers) {
        Names *n = m->make();
        ring(n->letters());
        delete n;
    }
    int (Counts::*what)() = &Counts::count;
    for (Counts *c : counts)
        ring((c->*what)() + 1);
    Counts *ending = new Ending(25 + argc);
    delete ending;
    Alike *alike = new Alike;
    ring(through(alike));
    std::printf("%d\n", tag);
    MPI_Finalize();
}
