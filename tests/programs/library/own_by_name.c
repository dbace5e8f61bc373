/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: own_by_name
 * about: what dlsym(RTLD_DEFAULT, NAME) finds in the program itself: functions that communicate, one of another type
 * about: than the call's, one that nobody calls, and a variable
 * flags: -rdynamic
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#define MOST 40

int width = 3;
static double buffer[MOST];
static double heat = 1;

/* All of these are called by what dlsym finds, and by nothing else. */
int exchange(int n);
void talk(double *from, long n);
int unused(void);
int counted(int n);

int exchange(int n)
{
    for (int i = 0; i < 1000; i++)
        heat = heat * 0.999 + i;
    MPI_Bcast(buffer, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return n + 2;
}

void talk(double *from, long n)
{
    MPI_Allreduce(MPI_IN_PLACE, from, (int)n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

int unused(void)
{
    return 1;
}

int counted(int n)
{
    width += n;
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = 1;
    int (*f)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "exchange");
    if (f)
        n = f(4);
    void (*g)(void *, size_t) = (void (*)(void *, size_t))dlsym(RTLD_DEFAULT, "talk");
    if (g)
        g(buffer, n);
    if (dlsym(RTLD_DEFAULT, "unused"))
        MPI_Barrier(MPI_COMM_WORLD);
    int *variable = dlsym(RTLD_DEFAULT, "width");
    if (variable)
        *variable = 11;
    int (*c)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "counted");
    if (c)
        c(2);
    MPI_Bcast(buffer, n + width, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%d %d %g\n", n, width, heat);
    MPI_Finalize();
    return 0;
}
