/* commslice-test: trap_folded_arms
 * about: calls that GCC answers itself in the arms of a condition or a switch, in functions of one text, and for zeros
 * about: and numbers that differ in sign alone: what each copy gives
 * ranks: 2
 */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <string.h>

static char data[4096];

static int bits(double x)
{
    unsigned long u;
    memcpy(&u, &x, sizeof u);
    return u % 3989;
}
static void say(int count)
{
    MPI_Bcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static double of_arms(double x)
{
    return tgamma(x);
}
static double of_cases(double x)
{
    return tgamma(x);
}
static double like_cases(double x)
{
    return tgamma(x);
}
static double merged(double x)
{
    return tgamma(x);
}
static long double angle(long double y)
{
    return atan2l(y, -1);
}
static double larger(double x, double y)
{
    return fmax(x, y);
}
static double complex root(double complex z)
{
    return csqrt(z);
}

__attribute__((noinline)) static double chosen(int k)
{
    switch (k) {
    case 0: return of_cases(3);
    case 1: return of_cases(4);
    case 2: return of_cases(5);
    case 3: return of_cases(6);
    default: return 2;
    }
}
__attribute__((noinline)) static double either(int k, double x)
{
    return k ? like_cases(x) : merged(x);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    say((int)(argc > 1 ? of_arms(3) : of_arms(5)));
    say((int)of_arms(4));
    for (int k = 0; k < 5; k++)
        say((int)chosen(argc - 1 + k));
    say((int)of_cases(3));
    say((int)either(argc - 1, argc + 4));
    say((int)either(argc, argc + 3));
    say((int)merged(3));
    say((int)angle(0.0L) + 5);
    say((int)angle(-0.0L) + 5);
    say(signbit(larger(0.0, -0.0)) != 0);
    say(signbit(larger(-0.0, 0.0)) != 0);
    say((int)(2 * cimag(root(CMPLX(-4, 0.0)))) + 5);
    say((int)(2 * cimag(root(CMPLX(-4, -0.0)))) + 5);
    say(bits(creal(root(CMPLX(3.3, 1)))));
    MPI_Finalize();
    return 0;
}
