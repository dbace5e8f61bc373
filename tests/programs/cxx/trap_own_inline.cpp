// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_own_inline
// about: inline functions of the program that call themselves or each other, keep state, are called through pointers,
// about: communicate, throw, have assembly or memory on the stack
// ranks: 2 3
#include <alloca.h>
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

static int rank, size;

inline void ring(int n)
{
    int out[64] = {0}, in[64];
    MPI_Sendrecv(out, n, MPI_INT, (rank + 1) % size, 0, in, n, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

inline int factorial(int n)
{
    return n ? n * factorial(n - 1) : 1;
}

inline int odd(int n);
inline int even(int n)
{
    return n ? odd(n - 1) : 1;
}
inline int odd(int n)
{
    return n ? even(n - 1) : 0;
}

inline int next()
{
    static int count = 1;
    return count++;
}

inline int hidden(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n + 1;
}

inline int letters(const char *s)
{
    char *copy = static_cast<char *>(alloca(strlen(s) + 1));
    strcpy(copy, s);
    return static_cast<int>(strlen(copy));
}

inline int checked(int n)
{
    if (n > 2)
        throw std::runtime_error("much");
    return n;
}

struct Base {
    virtual ~Base() {}
    virtual int size() const { return 3; }
};
struct Left {
    int l = 4;
    virtual ~Left() { ring(l); }
    virtual int left() { return l; }
};
struct Both : Base, Left {
    int left() override { return ++l; }
    ~Both() override { l += 2; }
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int (*p)(int) = argc > 99 ? even : hidden;
    int (*q)() = next;
    ring(factorial(3));
    ring(1 + even(5) + odd(3));
    for (int i = 0; i < 3; i++)
        ring(next() + q());
    ring(p(4));
    ring(letters("seven"));
    try {
        ring(checked(2));
        ring(checked(next()));
    } catch (const std::runtime_error &e) {
        ring(static_cast<int>(strlen(e.what())));
    }
    Left *l = new Both;
    ring(l->left());
    delete l;
    std::printf("%d\n", next());
    MPI_Finalize();
    return 0;
}
