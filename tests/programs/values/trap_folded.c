/* commslice-test: trap_folded
 * about: real functions and powers that GCC computes itself where it puts a function in line, unrolls a loop or follows
 * about: a parameter, with another last digit than the library
 * ranks: 2
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char data[64];
static double kept[4];

static int lowest(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u & 15;
}
static double root(double x)
{
    return cbrt(x);
}
static double power(double x, double y)
{
    return pow(x, y);
}
static double times(double x, int n)
{
    return __builtin_powi(x, n);
}
double gamma_of(double x) /* others might call it, but nobody does */
{
    return tgamma(x);
}
static void set(double *to, double x)
{
    *to = cbrt(x);
}
static int order(const char *a, const char *b)
{
    return strcmp(a, b);
}

static void say(int count)
{
    int rank, got;
    MPI_Status status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(data, count, MPI_CHAR, 1, count, MPI_COMM_WORLD);
    else if (rank == 1) {
        MPI_Recv(data, sizeof data, MPI_CHAR, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_CHAR, &got);
        printf("got %d\n", got);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    say(lowest(root(3375)));
    say(lowest(root(3374)));
    say(lowest(gamma_of(5.3)));
    say(lowest(power(1.1 * argc, 2)));
    say(lowest(times(1.1 * argc, 15)));
    say(lowest(times(1.3 * argc, 11)));
    for (int i = 0; i < 3; i++)
        set(&kept[i], 3373 + i);
    say(lowest(kept[0] + kept[2]));
    say(lowest(tanh(0.1 * argc)));
    say(1 + abs(order("abc", "axz")));
    MPI_Finalize();
    (void)argv;
    return 0;
}
