/* commslice-test: trap_nothrow
 * about: calls that do not look as if they threw: by pointer, virtual, of a library that calls back, recursive, by an operator new, in headers; and some that cannot
 * ranks: 2 3 4
 * gone: still
 * SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mpi.h>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

static int rank, size;
static double pond[1000];

/* Every rank sends as many bytes as it was told. */
static void around(int n)
{
    char out[64] = {0}, in[64];
    MPI_Sendrecv(out, n & 31, MPI_CHAR, (rank + 1) % size, 7, in, 64, MPI_CHAR, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int held;        /* by what destructors saw */

struct Held {
    std::string name;
    explicit Held(const char *n) : name(n) { name += '.'; }
    ~Held() { pond[1] += 1; held = (held * 3 + name[0] + name[2]) % 97; }
};

static void thrower(int n)
{
    if (n > 2)
        throw n;
}

static void (*volatile by_pointer)(int) = thrower;

struct Base {
    virtual ~Base() {}
    virtual void go(int) {}
};
struct Derived : Base {
    void go(int n) override { thrower(n + 1); }
};

static int compare(const void *a, const void *b)
{
    if (*static_cast<const int *>(a) == 7 || *static_cast<const int *>(b) == 7)
        throw 11;
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static int down(int n)
{
    Held h("down");
    if (n == 0)
        thrower(14);
    return down(n - 1) + 1;
}

struct Pool {
    int x;
    static void *operator new(std::size_t n)
    {
        if (size > 1)
            throw 9;
        return ::operator new(n);
    }
    static void operator delete(void *p) { ::operator delete(p); }
};

static void passes(int n)
{
    Held h("passes on what the function throws");
    by_pointer(n);
    around(n);
}

/* What was caught, as a number. */
static int thrown()
{
    try {
        throw;
    } catch (int x) {
        return x;
    } catch (const std::exception &e) {
        return int(std::string(e.what()).size() % 5) + 20;
    }
}

/* Runs f; what it throws is what goes around. */
template <class F> static void caught(F f)
{
    int n = 1;
    try {
        f();
        n = 2;
    } catch (...) {
        n = thrown();
    }
    around(n);
}

extern "C" double still(double *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * i;
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::string word = argc > 4 ? argv[4] : "seven";
    double s = still(pond, 1000);
    Derived d;
    Base *b = argc > 5 ? new Base : &d;
    caught([] { passes(3); });
    caught([] { passes(1); });
    caught([&] { b->go(4); });
    caught([] {
        int a[3] = {9, 7, 1};
        Held h("sort");
        std::qsort(a, 3, sizeof *a, compare);
    });
    caught([] { down(3); });
    caught([] { delete new Pool; });
    caught([&] { around(std::stoi(word)); });
    caught([] {
        std::vector<int> v(3);
        v[1] = 9;
        around(v.at(0) + v.at(1) + v.at(2));
        around(v.at(5));
    });
    caught([&] { around(int(word.substr(9).size())); });
    std::function<void(int)> f = thrower;
    caught([&] { f(6); });
    std::function<void(int)> g = f;
    around(g.target<void (*)(int)>() && *g.target<void (*)(int)>() == thrower ? 5 : 6);
    around(g.target_type() == typeid(void (*)(int)) ? 7 : 8);
    caught([&] { g(7); });
    delete new Held("a name that is too long to be where the object is");
    caught([&] { std::function<void(int)>()(6); });
    Base plain, *p = &plain;
    caught([&] { dynamic_cast<Derived &>(*p).go(1); });
    around(held);
    std::printf("rank %d: %g\n", rank, s + pond[1]);
    MPI_Finalize();
    return 0;
}
