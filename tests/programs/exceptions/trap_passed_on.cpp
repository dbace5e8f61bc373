/* commslice-test: trap_passed_on
 * about: handlers that throw again, or throw something else, below one that goes on: by call, by pointer, by a virtual
 * about: function, from the C library, through a container, in the same function, from a destructor's way out
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static int state = 1, left;
static double a[640];

static void say(int n) { MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD); }

struct Odd { int v; };
struct Shape {
    virtual ~Shape() {}
    virtual int area(int n) { return n; }
};
struct Spiky : Shape {
    int area(int n) override { if (n > 2) throw Odd{n}; return 2 * n; }
};
struct Copied {
    int v;
    explicit Copied(int n) : v(n) {}
    Copied(const Copied &o) : v(o.v) { if (++state > 7) throw Odd{v}; }
};
struct Counts { int k; ~Counts() { left += k; } };

static int leaf(int n) { if (n % 3 == 0) throw std::runtime_error("leaf"); return n; }
static int again(int n)
{
    try { return leaf(n); } catch (...) { state++; throw; }
}
static int another(int n)
{
    Counts c{n};
    try { return again(n); } catch (const std::exception &) { throw Odd{n + 20}; }
}
static int below(int n)
{
    try { try { return another(n); } catch (const std::exception &) { return -1; } } catch (Odd &o) { o.v++; throw; }
}
static int in_one(int n)
{
    int k = 3;
    try {
        try { if (n > 1) throw n; k = 4; } catch (...) { k = 10; throw; }
    } catch (int v) { k += v; }
    return k;
}
static int cmp(const void *x, const void *y)
{
    if (*(const int *)x == 6) throw Odd{30};
    return *(const int *)x - *(const int *)y;
}
static int sorts(int *v, int n)
{
    try { qsort(v, n, sizeof *v, cmp); return 1; } catch (...) { left++; throw; }
}
static int grows(int n)
{
    std::vector<Copied> l;
    for (int i = 0; i < n; i++) l.push_back(Copied(i));
    return (int)l.size();
}

int main(int argc, char **argv)
{
    int v[10] = {5, 4, 8, 2, 1, 0, 9, 3, 6, 7};
    int (*which[])(int) = {again, below, leaf};
    MPI_Init(&argc, &argv);
    for (int i = 1; i < 5; i++) {
        try { say(below(i)); } catch (const Odd &o) { say(o.v + state); }
    }
    say(left);
    for (int i = 0; i < 3; i++) {
        try { say(which[i](argc + 5)); } catch (...) { say(40 + i); }
    }
    for (int i = 1; i < 4; i++)
        say(in_one(i));
    Shape *s[] = {new Shape, new Spiky};
    for (int i = 0; i < 6; i++) {
        try {
            try { say(s[i % 2]->area(i)); } catch (const Odd &) { state += 2; throw; }
        } catch (Odd &o) { say(50 + o.v + state); }
    }
    try { say(2 + sorts(v, 10)); } catch (const Odd &o) { say(o.v); }
    say(left);
    state = 0;
    try { say(grows(9)); } catch (const Odd &o) { say(60 + o.v); }
    std::printf("%d %d\n", state, left);
    delete s[0];
    delete s[1];
    MPI_Finalize();
    return 0;
}
