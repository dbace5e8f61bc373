// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: error_forms
// about: a function that ends in an error calls virtual functions, members and functions by pointers that end no run,
// about: while others, of other classes and with other arguments, do
// ranks: 2 3
// gone: scorch
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>

static void finish(int status)
{
    MPI_Finalize();
    exit(status);
}

struct printer {
    virtual ~printer() {}
    virtual void print(const char *text) { fprintf(stderr, "%s\n", text); }
};

struct marked : printer {
    void print(const char *text) override { fprintf(stderr, "*** %s\n", text); }
};

struct command {
    virtual ~command() {}
    virtual bool run(int n) = 0;
};

struct quit : command {
    bool run(int n) override
    {
        finish(n);
        return false;
    }
};

struct go_on : command {
    bool run(int n) override { return n > 0; }
};

static void say(const char *text, int n)
{
    fprintf(stderr, "%s %d\n", text, n);
}

static void shout(const char *text, int n)
{
    fprintf(stderr, "%s %d!\n", text, n);
}

static printer *out;
static void (*how)(const char *, int) = say;
static void (*end)(int) = finish;

[[noreturn]] static __attribute__((noinline)) void fail(const char *text)
{
    out->print(text);
    how(text, 3);
    abort();
}

extern "C" __attribute__((noinline)) double scorch(double *x, int n)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        x[i] = 0.3 * (x[i - 1] + x[i] + x[i + 1]);
        sum += x[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    command *commands[] = {new go_on, new quit};
    out = argc > 5 ? new marked : new printer;
    if (argc > 6)
        how = shout;
    for (int i = 0; i < 100; i++)
        x[i] = i * 0.5 + rank;
    for (int step = 1; step < 9 && commands[step > 6]->run(step > 6 ? 0 : step); step++) {
        if (scorch(x, 100) > 1e300)
            fail("the sum is wrong");
        MPI_Sendrecv(&x[98], 1, MPI_DOUBLE, (rank + 1) % size, 1, &x[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end(0);
}
