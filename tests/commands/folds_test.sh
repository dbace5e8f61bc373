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
cat >order.c <<'END'
#include <mpi.h>
#include <string.h>
static char data[512];
static __attribute__((noinline)) int order(const char *a, const char *b) { return strcmp(a, b); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, order(argv[argc - 1], argv[0]) & 255, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
check_ 'strings that GCC does not know' is_silent order
check_ 'strings that GCC does not know, with -ffast-math' is_silent order -ffast-math
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
check_ 'a rounding mode at -O0' is_silent mode -O0
program plain 'static double of(double x) { return 1 / (x * x + 1); }'
check_ 'plain arithmetic' is_silent plain
small_at_link() { # OPTION: of the link alone
    commslice-mpicc -O2 -w -g -c plain.c && commslice-mpicc -g "$1" -o slice plain.o >link.log 2>&1 || wrong "does not link: $(cat link.log)"
    grep -q "plain.c:[0-9]*: commslice warning: .*small numbers be zero" link.log || wrong "does not warn: $(cat link.log)"
}
case_ 'small numbers that the link lets be zero' small_at_link -ffast-math
case_ 'small numbers that the link lets be zero: -Ofast' small_at_link -Ofast
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

if test "$(uname -m)" = x86_64; then
    fused='fuse a product with a sum'
    one='double said; static volatile double one = 1;'
    program square "$one static double of(double x) { double p = pow(one * x, 2.0); said = p; return p - one; }"
    check_ 'a power that becomes a product' warns square "$fused" -mfma
    check_ 'the same, and nothing is fused' is_silent square -mfma -ffp-contract=off
    program root "$one static double of(double x) { double p = pow(one + x, 2.5); said = p; return p - one; }"
    check_ 'a power that becomes no product' is_silent root -mfma
    program whole "$one static double of(double x) { double p = __builtin_powi(one + x, 3); said = p; return p - one; }"
    check_ 'a power with a whole exponent that becomes products' warns whole "$fused" -mfma
    program complex "$one static double of(double x) { _Complex double z = one + x * 1i; said = x * x; return __real__(z * z); }"
    check_ 'a complex product, which has sums of its own' warns complex "$fused" -mfma
    program over "$one static double of(double x) { _Complex double z = one + x * 1i; said = x * x; return __real__(z / (z + 3)); }"
    check_ 'a complex quotient that GCC computes' warns over "$fused" -mfma -fcx-fortran-rules
fi

program lanes 'double said[100];
static double of(double x) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += said[i] = x / (i + 1);
    return sum;
}'
check_ 'a sum in parts' warns lanes 'omp simd reduction' -fopenmp-simd
check_ 'the same, and not in parts' is_silent lanes -fopenmp-simd -fno-tree-loop-vectorize
check_ 'the same, and OpenMP is not asked for' is_silent lanes

# `of` is called by code that is not seen, too.
unseen_caller() {
    sed 's/static double of/double of/; s/say(of(argc + 2.3))/double unseen(void); say(unseen())/' both.c >called.c
    echo 'double of(double); double unseen(void) { return of(3.3); }' >unseen.c
    "${CC:-gcc}" -O2 -c unseen.c && commslice-mpicc -O2 -w -g -o slice called.c unseen.o -lm >link.log 2>&1 || wrong "does not link: $(cat link.log)"
    grep -q "called.c:[0-9]*: commslice warning: .*$itself" link.log || wrong "does not warn: $(cat link.log)"
}
case_ 'a function that only code calls that is not seen' unseen_caller

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
