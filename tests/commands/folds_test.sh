#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What GCC answers or rounds itself in the original, and need not in the slice, in a way that nobody can follow: the link warns, with
# the line. Where it is known what becomes of each call, it does not.
set -u
. "$(dirname "$0")/../frame.sh"

# A program whose counts are what the function `of` gives for numbers known to GCC and not.
program() { # NAME HEAD: what defines `of`
    cat >"$1.c" <<END
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <string.h>
$2
static char data[4096];
static void say(double x)
{
    unsigned long u;
    memcpy(&u, &x, sizeof u);
    MPI_Bcast(data, u % 3989, MPI_CHAR, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    say(of(3.3));
    say(of(argc + 2.3));
    MPI_Finalize();
    return 0;
}
END
}

warns() { # NAME WORDS OPTION...
    name=$1 words=$2
    shift 2
    commslice-mpicc -O2 -w -g "$@" -o slice "$name.c" -lm >link.log 2>&1 || wrong "does not link: $(tail -n 1 link.log)"
    grep -q "$name.c:[0-9]*: commslice warning: .*$words" link.log || wrong "does not warn: $(cat link.log)"
}

is_silent() { # NAME OPTION...
    name=$1
    shift
    commslice-mpicc -O2 -w -g "$@" -o slice "$name.c" -lm >link.log 2>&1 || wrong "does not link: $(tail -n 1 link.log)"
    ! grep "warning" link.log || wrong "warns"
}

itself='GCC computes it itself where it comes to know'
program both 'static double of(double x) { return tgamma(x); }'
check_ 'a copy that GCC knows, and one for which it may be given the same' warns both "$itself"
check_ 'the same, and nothing is computed by GCC' is_silent both -fno-builtin
check_ 'the same at -O0' is_silent both -O0
program never 'static double of(double x) { return tgamma(2); }'
check_ 'what is the same whoever computes it' is_silent never
program twins 'static double more(double x) { return tgamma(x) + 1; }
static double of(double x) { return x > 100 ? more(x + 1) : tgamma(x); }'
check_ 'two functions that call one' warns twins "$itself"
program attribute '__attribute__((optimize("O3"))) static double of(double x) { return x == 3.3 ? tgamma(x) : 2; }'
check_ 'options of one function' warns attribute "$itself"
check_ 'a link that optimises' warns both "$itself" -flto
program quotient 'static double of(double x) { int q; remquo(x * 40, 3, &q); return q; }'
check_ 'what a function stores' warns quotient "$itself"
program sign 'extern double lgamma_r(double, int *);
static double of(double x) { int s = 0; return lgamma_r(x, &s) > 100 ? 3 : s; }'
check_ 'a sign that a function stores' warns sign "$itself"
program cold '__attribute__((cold)) static double other(double x, int n) { return __builtin_powi(x, n); }
static double of(double x) { return other(x, 5) + (x > 100 ? other(x, (int)x) : other(x, 7)); }'
check_ 'a power in a function that is compiled for size' warns cold "$itself"
program knows 'static int known(int n) { return __builtin_constant_p(n) ? n : 7; }
static double of(double x) { return known(x > 3 ? 3 : 4); }'
check_ 'what GCC is asked' warns knows 'what GCC knows here'
program mode 'static double of(double x) { fesetround(FE_UPWARD); return 1 / x; }'
check_ 'a rounding mode' warns mode 'sets the rounding mode'
program plain 'static double of(double x) { return 1 / (x * x + 1); }'
check_ 'plain arithmetic' is_silent plain
check_ 'digits that a type does not have' warns plain 'more digits than their type has' -mfpmath=387
check_ 'zeros without a sign' warns both 'or a part of it' -fno-signed-zeros
program sunk 'static double of(double x) { double y = cbrt(x); return x == 5.5 ? y : 2; }'
sed -i 's/of(3.3)/of(5.5)/' sunk.c
check_ 'what GCC computes where it has moved the call' warns sunk "$itself" -fno-math-errno
program unused 'static double of(double x) { double s = erf(x), c = sinh(x / 2); (void)(s * c); return tgamma(x); }'
check_ 'a function that is smaller without what nobody uses' warns unused "$itself"
program pointer 'static double apply(double (*f)(double), double x) { return f(x); }
static double of(double x) { return apply(tgamma, x); }'
check_ 'a call through a pointer' warns pointer 'a function of the library gives'
program agreed 'static double apply(double (*f)(double), double x) { return f(x); }
static double of(double x) { return apply(tgamma, x > 3 ? 2 : 3); }'
check_ 'so, of constants for which the library gives the same' is_silent agreed
program product '#include <complex.h>
static double of(double x) { double complex z = x + 0.7 * I; return creal(z * z / (z + 1)); }'
check_ 'a product of complex numbers' warns product 'a complex product or quotient'
program vector 'static double apart(const double complex *z) { return creal(z[0] * z[1]); }
static double of(double x) { double complex z[2]; MPI_Comm_size(MPI_COMM_WORLD, (int *)z); MPI_Bcast(z, 2, MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD); return apart(z) + x; }'
sed -i '1i#include <complex.h>' vector.c
check_ 'a product of complex numbers that GCC never knows' is_silent vector

cat >shared.cpp <<'END'
#include <cmath>
#include <mpi.h>
template <class T> T volume(T x) { return std::tgamma(x); }
void say(int n);
void other(int n);
#ifdef OTHER
extern template double volume<double>(double);
void other(int n) { say((int)volume(n + 3.0)); }
#else
template double volume<double>(double);
static char data[100];
void say(int n) { MPI_Bcast(data, n, MPI_CHAR, 0, MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    say((int)volume(4.0));
    other(argc);
    MPI_Finalize();
}
#endif
END
counts_on() {
    commslice-mpicxx -O2 -w -c -o here.o shared.cpp && commslice-mpicxx -O2 -w -DOTHER -c -o there.o shared.cpp &&
        commslice-mpicxx -O2 -w -o slice here.o there.o && commslice run -n 1 -o slice.trace ./slice
}
case_ 'an instantiation that another source counts on' counts_on
finish
