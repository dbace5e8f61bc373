/* commslice-test: trap_thunks
 * about: virtual functions of second and virtual bases go through thunks; objects are returned by value; a cleanup may resume
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Tagged { virtual ~Tagged() {} virtual int tag() const = 0; int pad = 7; };
struct Counted { virtual ~Counted() {} virtual int count() const = 0; virtual const Counted *self() const { return this; } int extra = 1; };
struct Root { virtual ~Root() {} virtual int weight() const { return 1; } int r = 2; };
struct Left : virtual Root { int l = 3; };
struct Right : virtual Root { int weight() const override { return r + w; } int w = 5; };

struct Job : Tagged, Counted, Left, Right {
    int t, c;
    Job(int t, int c) : t(t), c(c) {}
    int tag() const override { return t; }
    int count() const override { return c + extra; }
    const Job *self() const override { return this; }
};

struct Plan { std::string name; std::vector<std::unique_ptr<Job>> jobs; int sum = 0; };

static Plan plan(int size)
{
    Plan p;
    p.name = "plan";
    for (int i = 0; i < 3; i++) {
        p.jobs.emplace_back(new Job(10 + i, size + i));
        p.name += std::to_string(i);
    }
    p.sum = (int)p.name.size();
    return p;
}

struct Guard { int *n; ~Guard() { ++*n; } };

static void may_throw(int i, int *n)
{
    Guard g{n};
    if (i % 2)
        throw std::runtime_error("odd");
}

int main(int argc, char **argv)
{
    int rank, size, unwound = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> out(256), in(256);
    Plan p = plan(size);
    for (auto &j : p.jobs) {
        const Tagged *t = j.get();
        const Counted *c = j.get();
        const Root *w = j.get();
        int n = c->count() + c->self()->count() + w->weight();
        MPI_Sendrecv(out.data(), n, MPI_DOUBLE, (rank + 1) % size, t->tag(), in.data(), 256, MPI_DOUBLE, (rank + size - 1) % size,
                     t->tag(), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 4; i++) {
        try {
            may_throw(i, &unwound);
        } catch (const std::exception &e) {
            unwound += 10;
        }
    }
    MPI_Bcast(out.data(), unwound + p.sum, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::printf("rank %d: %d %d\n", rank, unwound, p.sum);
    MPI_Finalize();
    return 0;
}
