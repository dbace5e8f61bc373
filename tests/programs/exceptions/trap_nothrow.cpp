/* commslice-test: trap_nothrow
 * about: calls that do not look as if they threw: by pointer, virtual, of a library that calls back, recursive, by an
 * about: operator new, in headers; and some that cannot
 * ranks: 2 3 4
 * checker-ranks: 1
 * gone: still
 * SPDX-License-Identifier: BSD-3-Clause */
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
    MPI_Sendrecv(out, n & 31, MPI_CHAR, (rank + 1) % size, 7, in, 64, MPI_CHAR, (rank + size - 1) % size, 7,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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

static int down(int n, int bottom)
{
    Held h("down");
    if (n == 0) {
        thrower(bottom);
        return 0;
    }
    return down(n - 1, bottom) + bottom;
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

static int error_left;

/* std::stoi sets errno to 0, and back if it is 0 still. */
static int number(const char *word)
{
    struct After {
        ~After() { error_left = errno; }
    } after;
    errno = std::strlen(word) == 2 ? ERANGE : 5;
    return std::stoi(word);
}

/* It bears so many copies and then throws; its end shows. */
struct Grumpy {
    Held h{"grumpy"};
    int left;
    explicit Grumpy(int n) : left(n) {}
    Grumpy(const Grumpy &g) : left(g.left - 1)
    {
        if (left < 0)
            throw 15;
    }
    void operator()(int n)
    {
        around(n + left);
        thrower(n);
    }
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
    double s = still(pond, 1000);
    Derived d;
    Base plain, *both[] = {&d, &plain};
    for (int n : {3, 1})
        caught([=] { passes(n); });
    for (Base *b : both) {
        caught([=] { b->go(4); });
        caught([=] { dynamic_cast<Derived &>(*b).go(1); });
    }
    for (const auto &row : {std::array{9, 7, 1}, std::array{9, 1, 7}, std::array{4, 2, 9}})
        caught([&] {
            std::array<int, 3> a = row;
            Held h("sort");
            std::qsort(a.data(), 3, sizeof a[0], compare);
            around(a[0] + 2 * a[1] + 3 * a[2]);
        });
    for (int bottom : {14, 2})
        caught([=] { around(down(3, bottom)); });
    caught([] { delete new Pool; });
    for (const char *word : {"seven", "99999999999999999999", "9999999999", "12"}) {
        caught([=] { around(number(word)); });
        around(error_left);
    }
    for (int at : {2, 5})
        caught([=] {
            std::vector<int> v(3);
            v[1] = 9;
            around(v.at(0) + v.at(1) + v.at(2));
            around(v.at(at));
        });
    for (const char *word : {"seven", "more than nine", static_cast<const char *>(nullptr)})
        caught([=] { around(int(std::string(word).substr(9).size())); });
    typedef std::function<void(int)> Action;
    const Action f = thrower;
    caught([&] { f(6); });
    for (const auto &g : {f, Action(around), Action(Grumpy(9)), Action()}) {
        auto target = g.target<void (*)(int)>();
        auto grumpy = g.target<Grumpy>();
        around((grumpy ? grumpy->left : 0) + (target ? *target == thrower ? 5 : 6 : 7));
        around(g.target_type() == typeid(void (*)(int)) ? 7 : 8);
        caught([&] { g(2); });
    }
    for (int bears : {0, 1, 9})
        caught([=] {
            Action g = Grumpy(bears);
            g(1);
            Action h = g;
            h(3);
        });
    delete new Held("a name that is too long to be where the object is");
    around(held);
    around(held / 31);
    std::printf("rank %d: %g\n", rank, s + pond[1]);
    MPI_Finalize();
    return 0;
}
