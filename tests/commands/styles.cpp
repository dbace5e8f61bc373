// SPDX-License-Identifier: BSD-3-Clause
// The user names the style of a computation, which a table of functions makes: a run calls the methods of one style.
// Its destructor runs behind MPI_Finalize, where no recorded run counts.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

struct Style {
    virtual ~Style()
    {
    }
    virtual int amount(int step) = 0;
};

struct Fixed : Style {
    int n;
    explicit Fixed(int n) : n(n)
    {
    }
    ~Fixed() override
    {
        std::puts("gone");
    }
    int amount(int step) override
    {
        return n + step % 3;
    }
};

struct Adaptive : Style {
    std::vector<double> x;
    explicit Adaptive(int n) : x(n, 1.0)
    {
    }
    int amount(int) override
    {
        double sum = 0;
        for (double &v : x)
            sum += v = v * 1.01 + 1e-3;
        return 1 + static_cast<int>(sum) % 7;
    }
};

template <class T> Style *make(int n)
{
    return new T(n);
}

static std::map<std::string, Style *(*)(int)> makers;
static std::unique_ptr<Style> style;

int main(int argc, char **argv)
{
    int rank, size;
    makers["fixed"] = make<Fixed>;
    makers["adaptive"] = make<Adaptive>;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    style.reset(makers[argc > 1 ? argv[1] : "fixed"](5));
    std::vector<double> out(100), in(100);
    for (int step = 0; step < 10; step++)
        MPI_Sendrecv(out.data(), style->amount(step), MPI_DOUBLE, (rank + 1) % size, step, in.data(), 100, MPI_DOUBLE,
                     (rank + size - 1) % size, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
