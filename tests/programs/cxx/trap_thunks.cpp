/* commslice-test: trap_thunks
 * about: virtual functions of second and virtual bases go through thunks; objects are returned by value; a cleanup may
 * about: resume
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/* What destructors leave, asked through virtual functions, decides a count. */
static int gone;
struct Tagged;
struct Counted;
struct Root;
struct Left;
__attribute__((noinline)) static int kind_of(const Tagged *t);
__attribute__((noinline)) static bool is_itself(const Counted *c);
__attribute__((noinline)) static int heavy(const Root *r);
__attribute__((noinline)) static int on_the_left(const Left *l);

struct Tagged {
    Tagged() { gone += kind_of(this); }
    virtual ~Tagged() { gone += pad; }
    virtual int tag() const = 0;
    virtual int kind() const { return 19; }
    int pad = 7;
};
struct Counted {
    Counted() { gone += is_itself(this); }
    virtual ~Counted() { gone += 3 * extra; }
    virtual int count() const = 0;
    virtual const Counted *self() const { return this; }
    int extra = 1;
};
struct Root {
    Root() { gone += heavy(this); }
    virtual ~Root() { gone += heavy(this); }
    virtual int weight() const { return 1; }
    int r = 2;
};
struct Left : virtual Root {
    Left() { gone += 5 * heavy(this); }
    ~Left() { gone += heavy(this) + 3 * on_the_left(this) + l; }
    int weight() const override { return 2 * r + l; }
    int l = 3;
};
struct Right : virtual Root {
    Right() { gone += 3 * heavy(this); }
    ~Right() { gone += heavy(this); }
    int weight() const override { return r + w; }
    int w = 5;
};
static int kind_of(const Tagged *t) { return t->kind(); }
static bool is_itself(const Counted *c) { return c->self() == c; }
static int heavy(const Root *r) { return r->weight(); }
static int on_the_left(const Left *l) { return l->weight(); }
__attribute__((noinline)) static void give_back(const Root *r) { delete r; }

struct Job : Tagged, Counted, Left, Right {
    int t, c;
    Job(int t, int c) : t(t), c(c)
    {
        w += heavy(this);
        if (c < 0) throw c;
    }
    ~Job() { gone += t + 3 * c; }
    int tag() const override { return t; }
    int kind() const override { return 23; }
    int count() const override { return c + extra; }
    const Job *self() const override { return this; }
    int weight() const override { return Right::weight(); }
};

struct Plan { std::string name; std::vector<std::unique_ptr<Job>> jobs; int sum = 0; };

static const int numbers[] = { 0, 7, 42, -81, 555, 1234, 98765, 4000000 };

static Plan plan(int size, int last)
{
    Plan p;
    p.name = "plan";
    for (int i = 0; i < 8; i++) {
        if (i == last)
            throw std::runtime_error("last");
        p.jobs.emplace_back(new Job(10 + i, size + i));
        p.name += std::to_string(numbers[i]);
    }
    for (char c : p.name) p.sum = (p.sum * 31 + c) % 101;
    return p;
}

struct Guard { int *n; ~Guard() { ++*n; } };

static void may_throw(int i, int *n)
{
    Guard g{n};
    if (i % 2)
        throw std::runtime_error("odd");
}

/* Every number of a message counts. */
static int work(int rank, int size, bool fail)
{
    std::vector<double> out(256), in(256);
    Plan p = plan(size, 8);
    int got = 0;
    for (auto &j : p.jobs) {
        const Tagged *t = j.get();
        const Counted *c = j.get();
        const Left *l = j.get();
        const Root *w = l;
        int n = c->count() + c->self()->count() + w->weight();
        for (int i = 0; i < 256; i++) out[i] += i % 5 * (rank + 1);
        MPI_Sendrecv(out.data(), n, MPI_DOUBLE, (rank + 1) % size, t->tag(), in.data(), 256, MPI_DOUBLE,
            (rank + size - 1) % size,
                     t->tag(), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 256; i++) got = (got * 3 + (int)in[i]) % 97;
        if (fail)
            throw std::runtime_error("failed");
    }
    MPI_Sendrecv(out.data(), got + 1, MPI_DOUBLE, (rank + 1) % size, 3, in.data(), 256, MPI_DOUBLE,
        (rank + size - 1) % size,
                 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return p.sum;
}

int main(int argc, char **argv)
{
    int rank, size, unwound = 0, sum;
    static double out[256];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sum = work(rank, size, false);
    for (int i = 0; i < 6; i++) {
        try {
            may_throw(i, &unwound);
            if (i == 0)
                work(rank, size, true);
            else
                plan(size, 2 * i + 1);      /* the second time to its end */
        } catch (const std::exception &e) {
            unwound += 10;
        }
    }
    try {
        Job(5, size - 10);
    } catch (int c) {
        unwound -= c;
    }
    give_back(new Root);
    MPI_Bcast(out, unwound + sum + gone % 89, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::printf("rank %d: %d %d %d\n", rank, unwound, sum, gone);
    MPI_Finalize();
    return 0;
}
