/* commslice-test: trap_format_va
 * about: %n reaches vsnprintf through a wrapper of the program's own
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
static char buf[256];
static int say(const char *fmt, ...)
{
    va_list ap; va_start(ap, fmt);
    int r = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap); return r;
}
int main(int argc, char **argv)
{
    int rank, n = 2; double a[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    say("hello %s%n", "world", &n);
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
