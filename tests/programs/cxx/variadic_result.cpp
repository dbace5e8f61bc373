/* commslice-test: variadic_result
 * about: a function with variable arguments returns a class by the address of its result, a hidden argument behind all
 * about: others: the arguments seemed not to be needed, and were passed as 0
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <cstdarg>
#include <cstdio>
#include <string>

static char data[300];

static std::string text(const char *format, ...)
{
    char line[128];
    va_list ap;
    va_start(ap, format);
    int n = std::vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    return std::string(line, n);
}

struct Sum {
    int n = 0;
    ~Sum() { n = -1; }
};

static Sum sum(int count, ...)
{
    Sum s;
    va_list ap;
    va_start(ap, count);
    for (int i = 0; i < count; i++)
        s.n += va_arg(ap, int);
    va_end(ap);
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::string s = text("%ld of %d by %s", 12345L * argc, argc * 777, "rank");
    MPI_Bcast(data, (int)s.size() + s[2] - '0', MPI_CHAR, 0, MPI_COMM_WORLD);
    Sum t = sum(3, argc * 10, 20, argc + 3);
    MPI_Bcast(data, t.n, MPI_CHAR, 0, MPI_COMM_WORLD);
    std::printf("%s %d\n", s.c_str(), t.n);
    MPI_Finalize();
    return 0;
}
