/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_given_back
 * about: functions that return what they are given, or not quite: another argument, what an earlier call gave, a member
 * about: behind it, through themselves, by pointer, or with fewer arguments than they have
 * ranks: 2 3
 */
#include <mpi.h>
#include <cstddef>
#include <utility>

static int pay[4096];
static int size_;

static void meet(int n)
{
    MPI_Bcast(pay, n, MPI_INT, 0, MPI_COMM_WORLD);
}

struct pair {
    int first, second;
    int *next() { return &second; }
};

static int *same(int *p) { return p; }
static int *last_one;
static int *before(int *p)
{
    int *was = last_one;
    last_one = p;
    return was ? was : p;
}
static int *chosen(int *a, int *b) { return size_ > 2 ? a : b; }
static int *changed(int *p)
{
    static int own = 5;
    if (size_ > 1)
        p = &own;
    return p;
}
static int *deeper(int *p, int n) { return n ? deeper(p + 1, n - 1) : p; }
static pair *whole(int *second)
{
    return reinterpret_cast<pair *>(reinterpret_cast<char *>(second) - offsetof(pair, second));
}
static int *moved(int *p, ptrdiff_t n) { return p + n; }
static int &forward(int &r) { return std::forward<int &>(r); }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    int a = 1, b = 2, c = 3, row[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    pair p = {4, 5};
    *same(&a) = 10 + size_;
    meet(a);
    before(&a);
    *before(&b) = 20 + size_;
    meet(a);
    *chosen(&a, &b) = 30 + size_;
    meet(a + b);
    *changed(&c) = 40 + size_;
    meet(*changed(&a) + c);
    *deeper(row, size_) = 50 + size_;
    meet(row[2] + row[3]);
    *p.next() = 60 + size_;
    meet(p.second);
    whole(p.next())->first = 70 + size_;
    meet(p.first);
    *moved(row, size_ + 1) = 80 + size_;
    meet(row[3] + row[4]);
    forward(b) = 90 + size_;
    meet(b);
    int *(*any[2])(int *) = {same, before};
    *any[size_ % 2](&c) = 100 + size_;
    meet(a + b + c);
    MPI_Finalize();
    return 0;
}
