/* commslice-test: inline_variable_arguments
 * about: small inline functions that GCC cannot put in line, whatever it is told: they take variable arguments, have a
 * about: computed goto, or are compiled for another processor. The compiler for slices refused the program
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <cstdarg>
#include <cstdio>

static char data[300];

inline int say(char *to, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = std::vsnprintf(to, 64, format, ap);
    va_end(ap);
    return n;
}

struct Log {
    int lines = 0;
    int operator()(const char *format, ...)
    {
        va_list ap;
        va_start(ap, format);
        int n = std::vsnprintf(data, 9, format, ap) + ++lines;
        va_end(ap);
        return n;
    }
};

inline int jump(int n)
{
    static void *const to[] = {&&more, &&twice};
    goto *to[n & 1];
more:
    return n + 3;
twice:
    return n * 2;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) inline int wide(int n)
{
    return n + 4;
}
#else
inline int wide(int n)
{
    return n + 4;
}
#endif

int main(int argc, char **argv)
{
    char text[64];
    MPI_Init(&argc, &argv);
    Log log;
    int n = say(text, "%d and %s", argc * 100, "more") + log("%d", 123456) + jump(argc + 1) + wide(argc);
    MPI_Bcast(data, n, MPI_CHAR, 0, MPI_COMM_WORLD);
    std::printf("%d\n", n);
    MPI_Finalize();
    return 0;
}
