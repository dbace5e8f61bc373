/* commslice-test: virtuals
 * about: virtual functions of objects made from a broadcast recipe decide what is sent; one class only computes
 * ranks: 2 3 4
 * gone: scorch
 * array: plate 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <memory>
#include <mpi.h>
#include <vector>

static const int N = 8 * 1024 * 1024;

struct Field {
    int rank, size;
    std::vector<double> edge;
    double *plate, heat;
};

/* What constructors and destructors see through virtual functions decides a count, too. */
static int seen;
class Step;
__attribute__((noinline)) static int price(const Step *s);

class Step {
public:
    Step() { seen += price(this); }
    virtual ~Step() { seen += 3 * price(this); }
    virtual void run(Field &f) = 0;
    virtual int cost() const { return 1; }
};

static int price(const Step *s) { return s->cost(); }

class Shift : public Step {
protected:
    int count_, by_;
public:
    Shift(int count, int by) : count_(count), by_(by) { seen += 5 * price(this); }
    ~Shift() { seen += 7 * price(this); }
    void run(Field &f) override
    {
        MPI_Sendrecv_replace(f.edge.data(), count_, MPI_DOUBLE, (f.rank + by_) % f.size, cost(),
                             (f.rank + f.size - by_ % f.size) % f.size, cost(), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    int cost() const override { return count_; }
};

class Growing : public Shift {
public:
    Growing(int count) : Shift(count, 1) {}
    ~Growing() { seen += 11 * price(this); }
    void run(Field &f) override
    {
        Shift::run(f);
        count_ += by_ + 2;
    }
    int cost() const override { return 2 * Shift::cost(); }
};

extern "C" void scorch(Field &f, double by)
{
    for (int i = 1; i < N; i++)
        f.plate[i] = 0.5 * f.plate[i - 1] + by * (i % 3);
    f.heat += f.plate[N - 1];
}

class Burn : public Step {
    double by_;
public:
    explicit Burn(double by) : by_(by) {}
    ~Burn() { seen += 13 * price(this); }
    void run(Field &f) override { scorch(f, by_); }
    int cost() const override { return 2 + int(2 * by_); }
};

static std::unique_ptr<Step> make(char what, int n)
{
    switch (what) {
    case 's':
        return std::unique_ptr<Step>(new Shift(4 + n, 1 + n % 2));
    case 'g':
        return std::unique_ptr<Step>(new Growing(6));
    default:
        return std::unique_ptr<Step>(new Burn(0.5 * n));
    }
}

int main(int argc, char **argv)
{
    char recipe[8] = "";
    Field f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &f.size);
    if (f.rank == 0)
        std::snprintf(recipe, sizeof recipe, "gsbsg");
    MPI_Bcast(recipe, sizeof recipe, MPI_CHAR, 0, MPI_COMM_WORLD);
    f.edge.assign(128, 1.0);
    f.heat = 0.0;
    f.plate = new double[N]();
    int cost = 0;
    {
        std::vector<std::unique_ptr<Step>> steps;
        for (int i = 0; recipe[i]; i++)
            steps.push_back(make(recipe[i], i));
        for (int round = 0; round < 3; round++)
            for (auto &s : steps) {
                s->run(f);
                cost += s->cost();
            }
    }
    MPI_Bcast(f.edge.data(), (cost + seen) % 127 + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::printf("rank %d: cost %d heat %g\n", f.rank, cost, f.heat);
    delete[] f.plate;
    MPI_Finalize();
    return 0;
}
