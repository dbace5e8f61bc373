#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice advise: finds what ends a solver in each of its shapes; what it says of a slice is what a link with these assumptions keeps;
# stripped slices, slices without the section, JSON.
set -u
. "$(dirname "$0")/../frame.sh"
program=$top/tests/programs/control/cg_solver.c

slice() {  # OUTPUT FLAGS...: prints "KEPT of TOTAL"
    out=$1
    shift
    commslice-mpicc -O2 -g -fplugin-arg-commslice-verbose "$@" -o "$out" "$program" -lm 2>log || { cat log; return 1; }
    sed -n 's/^commslice: \([0-9]* of [0-9]*\) statements kept.*/\1/p' log
}

# All suggestions, one a line: KEPT FLAG...
suggestions() {  # SLICE
    commslice advise --all "$1" | awk '
        function out() { if (kept != "") print kept flags; kept = flags = "" }
        /^ *[0-9]+\. keeps/ { out(); kept = $3 }
        /^ *-fplugin-arg/ { flags = flags " " $1 }
        END { out() }'
}

as_linked() {  # NAME FLAGS...: every suggestion keeps what a link with it keeps
    name=$1
    shift
    suggestions "$name" >"$name.all"
    [ -s "$name.all" ] || { echo "no suggestion"; return 1; }
    while read -r kept flags; do
        # shellcheck disable=SC2086,SC2001  # words on purpose; a number for N
        got=$(slice "$name.try" "$@" $(echo "$flags" | sed 's/=N/=7/g'))
        [ "${got%% *}" = "$kept" ] || { echo "$flags: advise says $kept, the link keeps $got"; return 1; }
    done <"$name.all"
}

line_of() { grep -nF -- "$1" "$program" | head -n "${2:-1}" | tail -n 1 | cut -d: -f1; }
first() { suggestions "$1" | head -n 1 | cut -d' ' -f2- | sed 's/-fplugin-arg-commslice-assume=//g' | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//'; }
less_than_half() { suggestions "$1" | head -n 1 | { read -r kept _; [ $((2 * kept)) -lt "${2%% *}" ]; }; }

for ends in 1 2 3 4; do
    now=$(slice "cg$ends" -DENDS=$ends) || die "cg_solver does not link"
    case_ "ends $ends: as linked" as_linked "cg$ends" -DENDS=$ends
    case_ "ends $ends: less than half of $now" less_than_half "cg$ends" "$now"
done
equal "one comparison of two" "cg_solver.c:$(line_of 'while (rr > eps && it < max)').1=always" "$(first cg1)"
equal "a break" "cg_solver.c:$(line_of 'if (rr < eps)')=never" "$(first cg2)"
equal "two breaks, neither of which does alone" \
    "cg_solver.c:$(line_of 'if (rr < eps)' 2)=never cg_solver.c:$(line_of 'if (rr > 1e30)')=never" "$(first cg3)"
equal "a loop without another end" "cg_solver.c:$(line_of 'while (rr > eps) {')=N" "$(first cg4)"
expect "the source line" 0 'if (rr < eps)$' commslice advise cg2
expect "what it asks for" 0 'depends on what MPI_Allreduce at cg_solver.c' commslice advise cg2

# why: one chain goes through the message to what ends the loop; what holds most up.
chain() { commslice why "$@" | tr -s ' \n' ' '; }
through_message() {
    chain cg2 "cg_solver.c:$(line_of 'mine += a[i] * b[i];')" | grep -F 'it writes mine, which is read by cg_solver.c:24 in dot: MPI_Allreduce' |
        grep -F 'what it brings is in all, which is read by cg_solver.c:25 in dot: return all;' |
        grep -F 'if (rr < eps) it decides whether this runs:'
}
case_ "why: through the message to the branch" through_message
expect "why: what holds most up" 0 "([0-9. ]*%)  cg_solver.c:$(line_of 'if (rr < eps)') in solve: if (rr < eps)" commslice why cg2
expect "why: of a file" 0 'kept in exchange, most for' commslice why cg2 cg_solver.c
expect "why: statements" 0 'in step: _[0-9]* = ' commslice why -s -a cg2 "cg_solver.c:$(line_of 'p[i] = r[i] + b * p[i];')"
expect "the link names advise" 0 "only for what is decided at cg_solver.c:$(line_of 'if (rr < eps)'); commslice advise" \
    commslice-mpicc -O2 -g -DENDS=2 -o cg2 "$program" -lm
# A recorded run of the original says what branches did; with what it says, the slice communicates as the original.
original() {  # NAME ENDS
    commslice-mpicc -O2 -DENDS="$2" -fplugin-arg-commslice-mode=original -o "$1" "$program" -lm &&
        commslice record --engine emulate -n 3 -o "$1.trace" -- "./$1"
}
fits() {  # ENDS: the first suggestion, linked, run, compared
    original "orig$1" "$1" || return 1
    flags=$(commslice advise --trace "orig$1.trace" "cg$1" | sed -n 's/^ *\(-fplugin-arg.*\)/\1/p' | head -n 1)
    echo "$flags"
    slice "fit$1" -DENDS="$1" "$flags" && commslice run -n 3 -o "fit$1.trace" "./fit$1" && commslice diff "orig$1.trace" "fit$1.trace"
}
case_ "a break that is taken: its trip count" fits 2
case_ "a loop without another end: its trip count" fits 4
expect "what the run did" 0 'the loop.s iterations were [0-9]*, each of 3 times\.' commslice advise --trace orig4.trace cg4
cat >aborts.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
}
END
must commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o aborts.original aborts.c
commslice record -q --engine emulate -n 2 -o aborts.trace -- ./aborts.original >aborts.log 2>&1
expect "a run that did not end" 2 'the run did not come to MPI_Finalize' commslice advise --trace aborts.trace cg4
expect "a trace that does not tell" 2 'it does not say what branches did' commslice advise --trace fit4.trace cg4
strip cg2
expect "a stripped slice" 0 'assume=cg_solver.c' commslice advise -s "$(dirname "$program")" cg2
expect "its source line" 0 'if (rr < eps)$' commslice advise -s "$(dirname "$program")" cg2
expect "JSON" 0 '"assume":"cg_solver.c:[0-9]*=never"' commslice advise --json cg2
must slice small -DENDS=2 "-fplugin-arg-commslice-assume=cg_solver.c:$(line_of 'if (rr < eps)')=never" >/dev/null
not_again() { ! suggestions small | grep -F "cg_solver.c:$(line_of 'if (rr < eps)')="; }
case_ "an assumption that is made is not suggested" not_again

cat >nothing.c <<'END'
#include <mpi.h>
static int field[100];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        field[i] = i * i;
    MPI_Bcast(field, 100, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return field[3] != 9;
}
END
must commslice-mpicc -O2 -o nothing nothing.c
expect "a slice that no assumption makes much smaller" 1 'no assumption' commslice advise nothing
must "$MPICC" -O2 -o plain "$program" -lm
expect "no slice" 2 'no section .commslice.graph' commslice advise plain
must objcopy --update-section .commslice.graph="$program" cg1 damaged
expect "a damaged section" 2 'damaged' commslice advise damaged

# What the link stores of its points-to is not needed, and must speak of the program that is stored.
cat >known.c <<'END'
#include <mpi.h>
static int mode;
static void set(int *to) { *to = 0; }
int main(int argc, char **argv)
{
    double mine = argc, sum = 0;
    MPI_Init(&argc, &argv);
    set(&mode);
    while (1) {
        mine /= 2;
        if (mode == 4)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (sum < 1)
            break;
    }
    MPI_Finalize();
    return 0;
}
END
must commslice-mpicc -O0 -g -o known known.c
must objcopy -O binary --only-section=.commslice.graph known stored
zstd -dcq stored >stored.text 2>/dev/null || cp stored stored.text # a small one is not packed
stored_as() { # NAME SED: the slice with the stored text as sed makes it
    sed "$2" stored.text >again && must objcopy --update-section .commslice.graph=again known "$1"
}
one_line() { n=$(commslice advise "$1" 2>&1 >/dev/null | wc -l); [ "$n" = 1 ] || wrong "$n lines"; }
grep -q '^learnt ' stored.text || die "nothing is stored of points-to"
stored_as anew '/^learnt /d'
equal "without what was learnt the answer is the same" "$(commslice advise --all known)" "$(commslice advise --all anew | sed 's/^anew/known/')"
for how in 's/^graph$/lost 0:-1:\n&/' 's/^graph$/lost 0:x\n&/' 's/^graph$/lost 0:-1:0:1:2:3:4:5:6:7\n&/' '1s/1$/2/'; do
    stored_as wrong "$how"
    expect "refused: $how" 2 'damaged, or of another version of commslice: link the slice again' commslice advise wrong
    check_ "in one line: $how" one_line wrong
done
for how in 's/^graph$/lost 99999999:-1:0\n&/' 's/^graph$/lost -1:99999999:0\n&/' 's/^graph$/lost -1:1:0:99999999\n&/'; do
    stored_as wrong "$how"
    expect "refused: $how" 2 'no place for what was learnt' commslice advise wrong
    check_ "in one line: $how" one_line wrong
done
expect "no file" 2 'No such file' commslice advise nonesuch
expect "two slices" 2 'give a slice' commslice advise cg1 cg2

# What only tells ranks apart is no matter of data: an assumption about it would be wrong on some ranks, however much it gains.
cat >turns.c <<'END'
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, turns;
    double x[64] = {1}, sum = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    turns = 1;
    if (rank > 0)
        for (int i = 0; i < size; i++)
            turns += rank * i % 7 + rank / (i + 1) + (rank ^ i) % 5;
    for (int i = 0; i < turns; i++)
        MPI_Send(x, 1, MPI_DOUBLE, rank, 1, MPI_COMM_SELF);
    while (sum > 1e-3) {
        for (int i = 0; i < 64; i++)
            x[i] *= 0.25 + rank * 0.001;
        MPI_Allreduce(x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O2 -g -o turns turns.c 2>log || die "turns.c does not link"
no_ranks() { suggestions turns | grep -q 'turns\.c:16=' && ! suggestions turns | grep 'turns\.c:11='; }
case_ "no suggestion that is about ranks alone" no_ranks

# Values: the count of a message, where data decides it; a variable that is assigned, where it decides several messages;
# not the counter of a loop. What advise says is what a link with the assumption keeps.
cat >values.c <<'END'
#include <mpi.h>
#include <stdlib.h>

#define N 100
static double here[N], there[N];

static void move(double *x, int turn)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 1.01 + 0.1 * turn - (x[i] > 5 ? 4 : 0);
}

static int leaving(const double *x)
{
    int n = 0;
    for (int i = 0; i < N; i++)
        n += x[i] > 3;
    return n;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < N; i++)
        here[i] = rank + i * 0.07;
    for (int turn = 0; turn < 20; turn++) {
        move(here, turn);
#if WAY == 1
        MPI_Sendrecv(here, leaving(here), MPI_DOUBLE, right, 1, there, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        int away = leaving(here);
        MPI_Send(here, away, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
        MPI_Send(here, away + 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
        MPI_Send(here, away + 2, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
        MPI_Send(here, away + 3, MPI_DOUBLE, right, 4, MPI_COMM_WORLD);
        for (int i = 1; i < 5; i++)
            MPI_Recv(there, N + 3, MPI_DOUBLE, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        here[turn] += there[turn];
    }
    MPI_Finalize();
    return 0;
}
END
whole=$program
program=$PWD/values.c
for way in 1 2; do
    must slice "values$way" -DWAY=$way >/dev/null
    case_ "a value, way $way: as linked" as_linked "values$way" -DWAY=$way
done
equal "the count of a message" "values.c:$(line_of 'MPI_Sendrecv'):sendcount=N" "$(first values1)"
equal "a variable" "values.c:$(line_of 'int away'):away=N" "$(first values2)"
expect "what a value means" 0 'The argument sendcount of MPI_Sendrecv comes from data; give for N' commslice advise values1
# Whom a message goes to is a matter of rank and size, also where the command line decides whether it is sent.
no_dest() { ! suggestions "values$1" | grep -e ':dest=' -e ':source='; }
case_ "nothing is suggested of what rank and size decide" no_dest 1
no_counter() { ! suggestions "values$1" | grep -e ':turn=' -e ':i=' -e ':n='; }
case_ "no counter is suggested" no_counter 2
program=$whole

# Code that the recorded run does not come to, with MPI calls in it: an option in a struct that is passed by value. Without a recorded run,
# and after one with that option, nothing is said of it.
cat >option.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    int table, turns[8];
};

static double values[100];

__attribute__((noinline)) static void setup(struct options o)
{
    int n = 0;
    if (o.table) {
        FILE *f = fopen("table.dat", "r");
        while (f && n < 100 && fscanf(f, "%lf", &values[n]) == 1)
            n++;
        for (int i = 0; i < n; i++)
            values[i] = values[i] * 2 + (values[i] > 3 ? 1 : 0);
        for (int i = 1; i < n; i++)
            values[i] += values[i - 1] / (1 + values[i] * values[i]);
        for (int i = 0; i < n; i++)
            n -= values[i] > 1000;
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(values, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    struct options o = {0};
    double x = 1;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == 't')
            o.table = 1;
    MPI_Init(&argc, &argv);
    setup(o);
    for (int i = 0; i < 10; i++)
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
seq 20 >table.dat
must commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o option.original option.c
must commslice-mpicc -O2 -g -o option option.c
must commslice record --engine emulate -n 2 -o unused.trace -- ./option.original
must commslice record --engine emulate -n 2 -o used.trace -- ./option.original t
expect "code that was not run" 0 'takes away 2 of [0-9]* MPI calls, which the recorded run does not make' commslice advise --trace unused.trace option
expect "code that was not run: the option" 0 'assume=option.c:14=never' commslice advise --trace unused.trace option
not_assumed() { ! commslice advise "$@" option | grep 'option.c:14=never'; }
case_ "without a recorded run it may be run" not_assumed
case_ "it was run" not_assumed --trace used.trace

# Of Fortran whole statements are shown, which go on over several lines; a long one is cut.
cat >long.f90 <<'END'
program long
  use mpi
  implicit none
  integer :: ierr, n, i, x(99)
  call MPI_Init(ierr)
  call get_environment_variable('COUNT', length=n)
  i = 3
  if (n > 2 .and. & ! a comment

      & i > n .or. &
      n == 7) n = 5
  n = n + 0 * 1000000000 + 0 * 2000000000 + 0 * 100000000 + &
      0 * 1000000000 + 0 * 2000000000 + 0 * 100000000 + 0 * 3000000 + 0 * 4000000 + 0 * 5000000 + &
      modulo(n, 3)
  call MPI_Bcast(x, n, &
                 MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program long
END
must commslice-mpifort -g -O1 -o long long.f90
expect "why: a statement of several lines" 0 'if (n > 2 .and. i > n .or. n == 7) n = 5' commslice why long long.f90:10
expect "why: a long one is cut" 0 '[.][.][.] modulo(n, 3)' commslice why long long.f90:14
expect "why: arguments in several lines" 0 'call MPI_Bcast(x, n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)' commslice why long long.f90:14

# What gives memory back is no reason for what decides which memory that is: the loop alone holds nearly all of this program up.
cat >scratch.c <<'END'
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static double relax(double *x, int n)
{
    double *next = malloc(n * sizeof *next), *spare = malloc(n * sizeof *spare), moved = 0;
    if (x[1] > 0.1) { /* what is given back is decided by the data */
        double *other = next;
        next = spare;
        spare = other;
    }
    for (int i = 0; i < n; i++)
        next[i] = 0.5 * x[i] + 0.25 * x[(i + 1) % n];
    for (int i = 0; i < n; i++) {
        moved += fabs(next[i] - x[i]);
        x[i] = next[i];
    }
    free(next);
    free(spare);
    return moved;
}

int main(int argc, char **argv)
{
    int n = 256;
    double *x = calloc(n, sizeof *x), moved = 1, all;
    MPI_Init(&argc, &argv);
    x[0] = 1;
    while (moved > 1e-3) {
        moved = relax(x, n);
        MPI_Allreduce(&moved, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        moved = all;
    }
    free(x);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O2 -g -o scratch scratch.c -lm 2>log || die "scratch.c does not link"
held_by_loop() { commslice why scratch | grep -F "scratch.c:$(grep -n 'while (moved' scratch.c | cut -d: -f1) in main" | awk '{ exit !(substr($2, 2) + 0 > 60 || $3 + 0 > 60) }'; }
case_ "memory that is given back holds nothing up" held_by_loop

# A call that is kept for what its callee writes says so: it enters no function of the reader.
cat >fills.c <<'END'
#include <mpi.h>

static int where[64];

__attribute__((noinline)) static void fill(int size)
{
    for (int i = 0; i < size; i++)
        where[i] = (i * 7 + 3) % size;
}

__attribute__((noinline)) static void prepare(int size)
{
    fill(size);
}

int main(int argc, char **argv)
{
    int rank, size, in = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    prepare(size);
    MPI_Sendrecv(&rank, 1, MPI_INT, where[rank], 5, &in, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o fills fills.c 2>log || die "fills.c does not link"
filled() { commslice why fills "fills.c:$(grep -nF '    fill(size);' fills.c | cut -d: -f1)" | grep -A 1 'in prepare: fill(size)' | grep -q 'this call (at fills.c:[0-9]*) writes where, which may be read by'; }
case_ "why: a call for what its callee writes" filled

# why: what goes into a function and comes back, goes back to the same call; the shorter way is the other call's.
cat >back.c <<'END'
#include <mpi.h>

static int base[64];

__attribute__((noinline)) static int of(int n)
{
    return base[n & 63] + n;
}

int main(int argc, char **argv)
{
    int rank, in = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    base[rank & 63] = argc;
    int few = argc + 3;
    int count = of(few) & 1;
    int many = argc + rank;
    int tag = 0;
    for (int i = of(many) & 7; i > 0; i -= 2)
        tag += 3;
    MPI_Sendrecv(&rank, count, MPI_INT, rank, tag, &in, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o back back.c 2>log || die "back.c does not link"
back_to() { commslice why back "back.c:$(grep -nF "$1" back.c | cut -d: -f1)" | tr -s ' \n' ' ' | grep -F "$2"; }
loop="back.c:$(grep -nF 'for (int i = of' back.c | cut -d: -f1) in main"
case_ "why: back to the call it came by" back_to 'int many' "its value, many, is used by $loop"
case_ "why: and the other one" back_to 'int few' 'is used by back.c:17 in main: int count = of(few) & 1;'
case_ "why: where ways meet" back_to 'tag += 3' 'its value, tag, is used by back.c:22 in main: MPI_Sendrecv'
cat >grid.c <<'END'
#include <mpi.h>

struct { int first, left, right; } grid;

__attribute__((noinline)) static void set(int *to, int n)
{
    *to = n;
}

int main(int argc, char **argv)
{
    int rank, in = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < argc; i++)
        sum = sum * 3 + i;
    set(&grid.left, sum % 5);
    set(&grid.right, rank + argc);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank, grid.left & 7, &in, 1, MPI_INT, rank, grid.left & 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (grid.right > 100)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o grid grid.c 2>log || die "grid.c does not link"
writes_for() { commslice why grid "grid.c:$(grep -nF "$1" grid.c | cut -d: -f1)" | tr -s ' \n' ' ' | grep "this call (at grid.c:[0-9]*) writes $3, which is read by grid.c:$(grep -nF "$2" grid.c | cut -d: -f1) in main"; }
case_ "why: what a call has its callee write" writes_for 'set(&grid.left' 'MPI_Sendrecv(' grid.left
case_ "why: and another call" writes_for 'set(&grid.right' 'if (grid.right > 100)' grid.right

# why: not to a read to which what is written cannot come: something else is written there first, on all ways or by loops
# that write all of an array; or the reader has run before, and does not run again.
cat >order.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int step, count, total;
double field[100], work[100];

__attribute__((noinline)) static void choose(int n)
{
    if (n > 3)
        step = n;
    else
        step = 4;
}

__attribute__((noinline)) static int small(void)
{
    return count < 5;
}

__attribute__((noinline)) static void fill(double *to, double by)
{
    for (int i = 0; i < 100; i++)
        to[i] = by * i;
}

__attribute__((noinline)) static double sum(const double *of)
{
    double all = 0;
    for (int i = 0; i < 100; i++)
        all += of[i];
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    count = argc;
    step = argc * 3;
    total = step + 1;
    choose(argc);
    if (step > 7)
        MPI_Barrier(MPI_COMM_WORLD);
    if (small())
        MPI_Barrier(MPI_COMM_WORLD);
    count = argc * 7;
    total += count;
    fill(field, argc * 5.0);
    fill(work, sum(field));
    fill(field, argc + 1.5);
    if (sum(field) > 20 || (int)work[7] + total > 100)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o order order.c 2>log || die "order.c does not link"
first_chain() { commslice why order "order.c:$(grep -nF "$1" order.c | cut -d: -f1)" | sed '/^$/q' | tr -s ' \n' ' '; }
at() { grep -nF "$1" order.c | cut -d: -f1; }
comes_to() { first_chain "$1" | grep -F "order.c:$(at "$2") in main" && ! first_chain "$1" | grep -F "order.c:$(at "$3")"; }
case_ "why: overwritten by a call, in either way" comes_to 'step = argc * 3' 'total += count' 'if (step > 7)'
case_ "why: the reader has run before" comes_to 'count = argc * 7' 'total += count' 'return count < 5'
says_of() { commslice why --all order "order.c:$(at "$1")" | tr -s ' \n' ' ' | grep "$2 order.c:$(at "$3")"; }
case_ "why: an array that is filled again" says_of 'argc * 5.0' 'this call (at order.c:[0-9]*) writes field, which may be read at order.c:[0-9]*, inside' 'fill(work, sum'
case_ "why: what is kept all the same" says_of 'step = argc * 3' 'seems never to be what is read by, but is kept as if it were:' 'if (step > 7)'

# why: not to other elements of an array, as far as its indices tell; the line of SELECT CASE, of which GCC says another one.
cat >parts.c <<'END'
#include <mpi.h>
#include <stdlib.h>

double *points;

int main(int argc, char **argv)
{
    double width = 0, height = 0;
    MPI_Init(&argc, &argv);
    points = malloc(300 * sizeof *points);
    for (int i = 0; i < 100; i++) {
        points[i * 3 + 0] = i * argc;
        points[i * 3 + 1] = i + argc;
    }
    for (int i = 0; i < 100; i++)
        height += points[i * 3 + 1];
    if (height > 70)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++)
        width += points[i * 3 + 0];
    height += width;
    if (height > 100)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o parts parts.c 2>log || die "parts.c does not link"
elements() { commslice why parts parts.c:12 | tr -s ' \n' ' ' >chains; grep -F 'may be read by parts.c:20 in main: width +=' chains && ! grep -F 'parts.c:12 in main: points[i * 3 + 0] = i * argc; it writes what is allocated at parts.c:10 as points, which may be read by parts.c:16' chains && grep -F 'it writes points, which may be read by' chains; }
case_ "why: elements that are told apart" elements
cat >cases.f90 <<'END'
program cases
    use mpi
    implicit none
    character(len=20) :: word
    integer :: n = 1, ierr
    logical :: loud = .false.
    call MPI_Init(ierr)
    call get_command_argument(1, word)
    select case (word)
    case ('few')
        n = 2
    case ('many')
        n = 20
    case default
        loud = .true.
        if (loud) print *, 'what?'
    end select
    call MPI_Bcast(word, n, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
end program
END
commslice-mpifort -O1 -g -o cases cases.f90 2>log || die "cases.f90 does not link"
expect "why: the line of SELECT CASE" 0 'cases.f90:9 in MAIN_: select case (word)' commslice why cases cases.f90:8
expect "why: a static variable" 0 'it writes n, which is read by' commslice why cases cases.f90:11

# A branch chooses what a function returns at its end, which has no line.
cat >choose.f90 <<'END'
integer function choose(word)
    implicit none
    character(len=*) :: word
    if (word .gt. '') then
        choose = 7
        return
    end if
    print *, 'no word'
    choose = -1
end function
program main
    use mpi
    implicit none
    integer, external :: choose
    integer :: n, ierr
    character(len=20) :: word
    double precision :: x(8) = 0
    call MPI_Init(ierr)
    call get_command_argument(1, word)
    n = choose(word)
    call MPI_Bcast(x, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
end program
END
commslice-mpifort -O1 -g -fno-inline -o choose choose.f90 2>log || die "choose.f90 does not link"
expect "why: a branch decides what is returned" 0 'it decides which value is returned to the call at choose.f90:20' commslice why choose choose.f90:4

cat >work.c <<'END'
#include <mpi.h>
#include <stdlib.h>

__attribute__((noinline)) static void make(double *work, double *field, int n)
{
    for (int i = 0; i < n; i++)
        work[i] = field[i] + i;
    for (int i = 0; i < n; i++)
        field[i] = work[i] * 0.5;
}

__attribute__((noinline)) static double least(double *work, const double *field, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        work[i] = field[i] * field[i];
    for (int i = 0; i < n; i++)
        sum += work[i];
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double *work = calloc(100, sizeof *work), *field = calloc(100, sizeof *field), all = 0;
    do {
        make(work, field, argc + 90);
        all = least(work, field, argc + 90);
        MPI_Barrier(MPI_COMM_WORLD);
    } while (all > 0 && all < 1000);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o work work.c 2>log || die "work.c does not link"
overwritten() { commslice why work "work.c:$(grep -nF 'work[i] = field[i] + i' work.c | cut -d: -f1)" | tr -s ' \n' ' ' | grep -F 'may be read by work.c:9 in make: field[i] = work[i] * 0.5;'; }
case_ "why: not to who has overwritten it" overwritten
expect "why: JSON says it in words" 0 '"text":"its value, many, is used by"' commslice why --json back "back.c:18"

# why: what a call of MPI or of a library writes over is not what is read behind it.
cat >given.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double mine = argc, all;
    char text[100];
    MPI_Init(&argc, &argv);
    all = argc * 0.25;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (all < 1000)
        MPI_Barrier(MPI_COMM_WORLD);
    sprintf(text, "%d", argc * 5);
    sprintf(text, "%d", argc * 7);
    if (atoi(text) < 1000)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o given given.c 2>log || die "given.c does not link"
expect "why: overwritten by MPI" 0 'writes all, which seems never to be what is read by' commslice why given given.c:10
expect "why: overwritten by a library" 0 'writes text, which seems never to be what is read by' commslice why given given.c:14
expect "why: who has overwritten it" 0 'writes text, which may be read by' commslice why given given.c:15

# why: what is written beside the elements that are read is not read there.
cat >beside.c <<'END'
#include <mpi.h>
#include <stdlib.h>

static int n;

__attribute__((noinline)) static void set_edge(double *u)
{
    int last = n;
    for (int i = 1; i <= 2; i++)
        u[last + i] = u[last];
}

__attribute__((noinline)) static void slope(const double *u, double *v)
{
    int last = n;
    for (int i = 1; i <= last; i++)
        v[i] = u[i + 1] - u[i - 1];
}

__attribute__((noinline)) static double sum_of(const double *u)
{
    double sum = 0;
    int last = n;
    for (int i = 1; i <= last; i++)
        sum += u[i];
    return sum;
}

int main(int argc, char **argv)
{
    double all = 0;
    n = 10 + argc;
    MPI_Init(&argc, &argv);
    double *u = calloc(n + 4, sizeof *u), *v = calloc(n + 4, sizeof *v);
    u[1] = argc;
    do {
        set_edge(u);
        slope(u, v);
        all += sum_of(u) + sum_of(v) * 0.5;
        MPI_Barrier(MPI_COMM_WORLD);
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o beside beside.c 2>log || die "beside.c does not link"
not_beside() { commslice why beside beside.c:10 | tr -s ' \n' ' ' | grep 'may be read at beside.c:[0-9]*, inside beside.c:38 in main: slope(u, v);'; }
case_ "why: not what is beside it" not_beside

# why: nor what a loop writes over in the function that reads it.
sed -e 's/field\[i\] = work\[i\] \* 0.5/field[i] += i/' work.c >scrap.c
commslice-mpicc -O1 -g -o scrap scrap.c 2>log || die "scrap.c does not link"
expect "why: overwritten by who reads" 0 'seems never to be what is read by' commslice why scrap "scrap.c:$(grep -nF 'work[i] = field[i] + i' scrap.c | cut -d: -f1)"

# why: a condition in several lines and what it decides in its last one are one step.
cat >outside.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int lost = 0;
    MPI_Init(&argc, &argv);
    double *x = malloc(300 * sizeof *x), box[2] = {argc * 3.0, argc * 5.0};
    for (int i = 0; i < 300; i++)
        x[i] = i * argc;
    for (int i = 0; i < 100; i++) {
        if (x[i * 3 + 0] < 0.0 || x[i * 3 + 0] >= box[0] ||
            x[i * 3 + 1] < 0.0 || x[i * 3 + 1] >= box[1]) lost++;
    }
    MPI_Allreduce(MPI_IN_PLACE, &lost, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (lost)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o outside outside.c 2>log || die "outside.c does not link"
once() { commslice why outside outside.c:13 | sed '/^$/q' >chains; [ "$(grep -c 'outside.c:13 in main' chains)" = 1 ]; }
case_ "why: a line once" once

# why: what a function is given constants for, it does not do for a call with others.
cat >kinds.c <<'END'
#include <mpi.h>

static double cold[100], warm[100];

__attribute__((noinline)) static void norm(int kind, double *out)
{
    double sum = 0;
    if (kind == 0)
        for (int i = 0; i < 100; i++)
            sum += cold[i];
    else
        for (int i = 0; i < 100; i++)
            sum += warm[i] * warm[i];
    *out = sum;
}

int main(int argc, char **argv)
{
    double first, second;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        cold[i] = 0.1 * i;
    for (int i = 0; i < 100; i++)
        warm[i] = 0.3 * i;
    norm(1, &second);
    norm(0, &first);
    if (second > 100)
        MPI_Barrier(MPI_COMM_WORLD);
    first = first * 0.5 + 1;
    first = first * first;
    if (first > 200)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o kinds kinds.c 2>log || die "kinds.c does not link"
for_kind() { commslice why kinds kinds.c:22 | tr -s ' \n' ' ' | grep -F "it writes first, which is read by kinds.c:29" && commslice why kinds kinds.c:24 | grep 'writes second'; }
case_ "why: for the call that does it" for_kind

# why: no way by what runs only if a setting is on, and what runs only if it is off.
cat >setting.c <<'END'
#include <mpi.h>
#include <string.h>

static int fast, turns;
static double field[100];

__attribute__((noinline)) static void warm(int n)
{
    for (int i = 0; i < n; i++)
        field[i] += 0.5 * i;
}

__attribute__((noinline)) static double mean(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += field[i];
    return sum > 4 ? sum / n : 4 * sum;
}

__attribute__((noinline)) static void read_settings(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "fast"))
            fast = 1;
}

int main(int argc, char **argv)
{
    double all = 0;
    MPI_Init(&argc, &argv);
    read_settings(argc, argv);
    do {
        if (fast)
            warm(argc + 90);
        else
            turns++;
        MPI_Barrier(MPI_COMM_WORLD);
        if (fast)
            all += mean(argc + 90);
        else
            all += field[argc] + turns;
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o setting setting.c 2>log || die "setting.c does not link"
one_setting() { commslice why setting setting.c:10 | tr -s ' \n' ' ' | grep -F 'it writes field, which may be read by setting.c:17 in mean: sum += field[i];'; }
case_ "why: by one setting, not by two" one_setting

# why: nor by a message, where it can be helped: another rank mostly has the same settings.
cat >sides.c <<'END'
#include <mpi.h>
#include <string.h>

static int fast, turns;
static double out[100], in[100];

__attribute__((noinline)) static void pack(int n)
{
    for (int i = 0; i < n; i++)
        out[i] = 0.5 * i * n;
}

__attribute__((noinline)) static double mean(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i];
    return sum > 4 ? sum / n : 4 * sum;
}

__attribute__((noinline)) static void read_settings(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "fast"))
            fast = 1;
}

int main(int argc, char **argv)
{
    double all = 0;
    MPI_Init(&argc, &argv);
    read_settings(argc, argv);
    do {
        if (fast)
            pack(argc + 90);
        else
            turns++;
        MPI_Request request;
        MPI_Isend(out, 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(in, 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (fast)
            all += mean(argc + 90);
        else
            all += in[argc] + turns;
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o sides sides.c 2>log || die "sides.c does not link"
both_sides() { commslice why sides sides.c:10 | tr -s ' \n' ' ' | grep -F 'what it brings is in in, which may be read by sides.c:17 in mean: sum += in[i];'; }
case_ "why: by one setting on both sides of a message" both_sides

# why: what a parameter chooses once, functions and memory, excludes what it does not choose.
cat >chosen.c <<'END'
#include <mpi.h>
#include <stdlib.h>

static double *field;
static double (*weigh)(int n);
static void (*work)(int n);

__attribute__((noinline)) static void work_hot(int n)
{
    for (int i = 0; i < n; i++)
        field[i] += 0.5 * i;
}

__attribute__((noinline)) static double weigh_hot(int n)
{
    return field[n] > 4 ? 3 * field[n] + 5 : field[n] * 2;
}

__attribute__((noinline)) static void work_cold(int n)
{
    for (int i = 0; i < n; i++)
        field[i] += 0.25 * i;
}

__attribute__((noinline)) static double weigh_cold(int n)
{
    return field[n];
}

__attribute__((noinline)) static void choose(int hot)
{
    if (hot) {
        field = calloc(200, sizeof *field);
        work = work_hot;
        weigh = weigh_hot;
    } else {
        field = calloc(100, sizeof *field);
        work = work_cold;
        weigh = weigh_cold;
    }
}

int main(int argc, char **argv)
{
    double all = 0;
    MPI_Init(&argc, &argv);
    choose(argc > 3);
    do {
        work(argc + 5);
        all += weigh(argc + 2);
        MPI_Barrier(MPI_COMM_WORLD);
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o chosen chosen.c 2>log || die "chosen.c does not link"
by_hot() { commslice why chosen chosen.c:11 | tr -s ' \n' ' ' | grep -F 'allocated at chosen.c:33 as field, one of them, may be read by chosen.c:16 in weigh_hot'; }
by_cold() { commslice why chosen chosen.c:22 | tr -s ' \n' ' ' | grep -F 'allocated at chosen.c:37 as field, one of them, may be read by chosen.c:27 in weigh_cold'; }
case_ "why: functions that are chosen together" by_hot
case_ "why: memory of what was chosen" by_cold

# why: the chain that is followed best is the first one.
cat >order.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double mine, all = 0;
    int *first = calloc(100, sizeof *first), *last = calloc(100, sizeof *last);
    MPI_Init(&argc, &argv);
    mine = argc;
    for (long i = 0; i < argc; i++) {
        last[i] = 2 * argc;
        first[i] = 3 * argc;
    }
    while (all < 50) {
        mine += all / 3; MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (last[argc - 1] * 2 + 4 > argc * argc)
        MPI_Barrier(MPI_COMM_WORLD);
    if (first[argc - 1] > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o order order.c 2>log || die "order.c does not link"
communicates() { commslice why order order.c:15 | grep -v "in short:" | sed -n 2p | grep -F 'it communicates'; }
own_array() { commslice why order order.c:11 | grep -v "in short:" | sed -n 2p | grep -F 'it writes last'; }
case_ "why: first, that it communicates itself" communicates
case_ "why: last, what is only computed once for two lines" own_array

# why: what a branch tells before the call counts like a constant.
cat >told.c <<'END'
#include <mpi.h>

static double flux[100], xs[100], ys[100];

__attribute__((noinline)) static void move(int kind, double *v)
{
    for (int i = 0; i < 100; i++)
        if (kind == 1)
            v[i] += flux[i];
        else
            v[i] = v[i] * 0.5 + 2;
}

__attribute__((noinline)) static void drive(int kind)
{
    if (kind == 1)
        move(kind, xs);
    else
        move(kind, ys);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < argc; i++)
        flux[i] = i * 0.25;
    drive(argc);
    drive(argc + 1);
    if (ys[argc] > 3)
        MPI_Barrier(MPI_COMM_WORLD);
    double x = xs[argc] * 2 + 1;
    x = x * x + 3;
    if (x > 3)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o told told.c 2>log || die "told.c does not link"
told() { commslice why told told.c:26 | tr -s ' \n' ' ' | grep -F 'it writes xs, which may be read, or overwritten before, by told.c:31'; }
case_ "why: for the call that a branch lets do it" told

# why: a number as index and an even or an odd one, in an array that is a member.
cat >faces.c <<'END'
#include <mpi.h>
#include <stdlib.h>

struct halo {
    int rank[6], n;
};

__attribute__((noinline)) static struct halo *start(int me)
{
    struct halo *h = calloc(1, sizeof *h);
    h->rank[0] = me % 7;
    h->rank[1] = me % 5;
    h->rank[2] = me % 3;
    h->rank[3] = me % 2;
    return h;
}

__attribute__((noinline)) static void exchange(struct halo *h, int axis)
{
    int low = 2 * axis, high = low + 1;
    if (h->rank[high] > 4)
        MPI_Barrier(MPI_COMM_WORLD);
    int n = h->rank[low] * 3 + 1;
    n = n * n + axis;
    if (n > 4)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct halo *h = start(argc);
    for (int axis = 0; axis < 2; axis++)
        exchange(h, axis);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o faces faces.c 2>log || die "faces.c does not link"
even() { commslice why faces faces.c:11 | tr -s ' \n' ' ' | grep -F 'may be read, or overwritten before, in the call at faces.c:34 by faces.c:23 in exchange'; }
case_ "why: even elements, not odd ones" even

# why: not by a branch on a counter that has been counted on before.
cat >guard.c <<'END'
#include <mpi.h>
#include <stdio.h>

__attribute__((noinline)) static void show(const int *steps)
{
    if (*steps > 1000)
        puts("many steps");
}

int main(int argc, char **argv)
{
    int steps = 0;
    double rest = 0, all = 0;
    MPI_Init(&argc, &argv);
    for (int n = 0; n < 100; n++) {
        if (steps == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        steps = steps + 1;
        show(&steps);
        rest = 0.5 * rest + argc;
        if (rest > 3)
            break;
        for (int i = 0; i < argc; i++)
            if (i != n)
                MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o guard guard.c 2>log || die "guard.c does not link"
past() { commslice why guard guard.c:20 | tr -s ' \n' ' ' | grep -F 'guard.c:21 in main: if (rest > 3) it decides whether this runs: guard.c:23'; }
case_ "why: not back to what runs once" past

# why: nor to what a setting and a flag that was set exclude together.
cat >stays.c <<'END'
#include <mpi.h>

static int turns;

__attribute__((noinline)) static double solve(int fast, int argc)
{
    double rest = 0, all = 0;
    int late = 0;
    for (int n = 0; n < 100; n++) {
        if (!late && n * argc > 3)
            late = 1;
        if (fast) {
            turns++;
            if (late) {
                rest = 0.5 * rest + argc;
                goto next;
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
    next:
        if (rest > 3)
            break;
        for (int i = 0; i < argc; i++)
            if (i != n)
                MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double all = solve(argc > 2, argc);
    MPI_Finalize();
    return all > turns;
}
END
commslice-mpicc -O1 -g -o stays stays.c 2>log || die "stays.c does not link"
stays() { commslice why stays stays.c:15 | tr -s ' \n' ' ' | grep -F 'stays.c:21 in solve: if (rest > 3) it decides whether this runs: stays.c:23'; }
case_ "why: not back to what a flag has ended" stays

# why: what the line shows comes first, who reads is who names it, and the heading of a procedure gives bounds.
cat >plain.c <<'END'
#include <mpi.h>
#include <stdlib.h>

__attribute__((noinline)) static void move(int *table, int to, int from)
{
    table[to] = table[from] * 3 + 1;
}

int main(int argc, char **argv)
{
    int rank, size, j = 0, *slot, *other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    slot = calloc(size + 100, sizeof *slot);
    other = calloc(size + 100, sizeof *other);
    slot[rank] = argc;
    if (other[rank] > 3)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < argc; k++) {
        if (slot[k] > 2)
            move(other, j++, slot[k] % 10);
    }
    if (slot[argc] + other[argc] > 7)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o plain plain.c 2>log || die "plain.c does not link"
cat >heading.f90 <<'END'
module fields
contains
  subroutine shift(lo, hi, &
                   a, b)
    implicit none
    integer :: lo, hi, j
    double precision, dimension(lo - 2:hi + 2) :: a, b
    do j = 1, 2
      a(lo - j) = b(hi + 1 - j)
    end do
  end subroutine shift
end module fields

program heading
  use fields
  use mpi
  implicit none
  integer :: ierr, n, l, m
  double precision, allocatable :: u(:), v(:), e(:)
  call MPI_Init(ierr)
  n = command_argument_count() + 5
  allocate(u(-1:n + 2), v(-1:n + 2), e(n))
  u = 1
  v = 2
  e = n
  call shift(1, n, u, v)
  call shift(2, n + 0, v, u)
  if (u(0) + v(1) > 2) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  do l = 1, n
    e(:) = eoshift(e(:), 1)
    do m = l, n - 1
      if (abs(e(m)) < 1) exit
    end do
    if (m == l) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end do
  call MPI_Finalize(ierr)
end program heading
END
commslice-mpifort -O2 -g -o heading heading.f90 2>log || die "heading.f90 does not link"
cat >note.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char line[100] = "";
    MPI_Init(&argc, &argv);
    FILE *out = fopen("note", "w");
    fprintf(out, "%d\n", argc);
    fclose(out);
    FILE *in = fopen("note", "r");
    fgets(line, sizeof line, in);
    fclose(in);
    if (atoi(line) > 3)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o note note.c 2>log || die "note.c does not link"
files_apart() {
    commslice why note "note.c:$(grep -n 'fprintf(out' note.c | cut -d: -f1)" | tr -s ' \n' ' ' |
        grep -F 'assume=no-read-back says that no rank reads what the program wrote'
}
case_ "files, and what says that they are told apart" files_apart
named() { commslice why plain plain.c:20 | grep -v "in short:" | sed -n 2p | grep -F 'it decides whether this runs:'; }
reader() { commslice why plain plain.c:13 | grep -v "in short:" | sed -n 3p | grep -F 'plain.c:18 in main'; }
heading() { commslice why heading heading.f90:4 | grep -v "in short:" | sed -n 2p | grep -F 'the value of lo, read here for the bounds of arrays, is used by'; }
shifted() { commslice why heading heading.f90:30 | grep -v "in short:" | sed -n 2p | grep -F 'it writes e, which may be read by'; }
noted() { commslice why note note.c:10 | grep -v "in short:" | sed -n 2p | grep -F 'it writes a file or stream, which the slicer does not tell from the file that is read by'; }
case_ "why: first, a variable that the line names" named
case_ "why: who reads a variable is who names it" reader
case_ "why: a heading gives bounds" heading
case_ "why: last, what the compiler gives back" shifted
case_ "why: files are read" noted

# why: what is beside the elements that are read is told by numbers that are one of a few, too.
sed -e 's/u\[last + i\] = u\[last\]/u[last + *by + i] = u[last]/' -e 's/set_edge(double \*u)/set_edge(double *u, const int *by)/' \
    -e 's/set_edge(u)/set_edge(u, \&by)/' -e 's/double all = 0;/double all = 0;\n    int by = 0;\n    if (argc > 3)\n        by = 1;/' beside.c >shifts.c
commslice-mpicc -O1 -g -o shifts shifts.c 2>log || die "shifts.c does not link"
not_shifted() { commslice why shifts shifts.c:10 | tr -s ' \n' ' ' | grep 'may be read at shifts.c:[0-9]*, inside shifts.c:41 in main: slope(u, v);'; }
case_ "why: nor a few elements further" not_shifted

# why: of flags that are set side by side one excludes the other, and what needs no setting comes first.
cat >flags.c <<'END'
#include <mpi.h>
#include <string.h>

static int hot = 1, cold, turns;
static double field[100];

__attribute__((noinline)) static void warm(int n)
{
    for (int i = 0; i < n; i++)
        field[i] += 0.5 * i;
}

__attribute__((noinline)) static double mean(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += field[i];
    return sum > 4 ? sum / n : 4 * sum;
}

__attribute__((noinline)) static void read_settings(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "hot")) {
            cold = 0;
            hot = 1;
        } else if (!strcmp(argv[i], "cold")) {
            cold = 1;
            hot = 0;
        }
}

__attribute__((noinline)) static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

__attribute__((noinline)) static void step(void)
{
    meet();
}

int main(int argc, char **argv)
{
    double all = 0;
    MPI_Init(&argc, &argv);
    read_settings(argc, argv);
    do {
        if (hot)
            warm(argc + 90);
        else
            turns++;
        step();
        if (turns > 3 && cold)
            meet();
        if (hot)
            all += mean(argc + 90);
        if (cold)
            all += field[argc] + turns;
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o flags flags.c 2>log || die "flags.c does not link"
line_in() { grep -nF "$2" "$1" | head -n 1 | cut -d: -f1; }
first_of() { commslice why "${1%.c}" "$1:$(line_in "$1" "$2")" | sed '/^$/q' | tr -s ' \n' ' '; }
one_flag() { first_of flags.c 'field[i] +=' | grep -F "it writes field, which may be read by flags.c:$(line_in flags.c 'sum += field')"; }
no_flag() { first_of flags.c 'sum += field' | grep -F "flags.c:$(line_in flags.c '        step();') in main: step(); by this call the program comes to"; }
case_ "why: one of the flags that are set side by side" one_flag
case_ "why: first, what needs no setting" no_flag

# why: with the setting of the reader, an array is filled again, part by part, by calls of a loop; an update is no way past itself.
cat >refill.c <<'END'
#include <mpi.h>
#include <string.h>

static int fast, parts, turns;
static double field[100], level;

__attribute__((noinline)) static void begin(void)
{
    for (int i = 0; i < 100; i++)
        field[i] = 0.5 * i + level;
}

__attribute__((noinline)) static double weigh(void)
{
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += field[i] * i;
    return sum > 4 ? sum / 3 : 4 * sum;
}

__attribute__((noinline)) static void fill(int part)
{
    for (int i = 0; i < 10; i++)
        field[part * 10 + i] = i * level;
}

__attribute__((noinline)) static void scale(void)
{
    for (int i = 0; i < 100; i++)
        field[i] = field[i] * 0.25 + i;
}

__attribute__((noinline)) static double mean(void)
{
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += field[i];
    return sum;
}

__attribute__((noinline)) static void read_settings(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "fast"))
            fast = 1;
}

int main(int argc, char **argv)
{
    double all = 0;
    MPI_Init(&argc, &argv);
    read_settings(argc, argv);
    parts = argc + 9;
    do {
        begin();
        level += weigh() * 0.125;
        if (fast)
            for (int part = 0; part < parts; part++)
                fill(part);
        else
            turns++;
        MPI_Barrier(MPI_COMM_WORLD);
        if (fast) {
            scale();
            all += mean();
        }
        all += turns;
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O1 -g -o refill refill.c 2>log || die "refill.c does not link"
filled_again() { first_of refill.c '0.5 * i + level' | grep -F "it writes field, which may be read by refill.c:$(line_in refill.c 'sum += field[i] * i')"; }
updated() { first_of refill.c 'i * level' | grep -F "it writes field, which may be read, or overwritten before, by refill.c:$(line_in refill.c 'field[i] * 0.25')"; }
case_ "why: not to who reads what calls in a loop have filled" filled_again
case_ "why: by way of an update" updated

# why: who communicates is kept for that, and no other chain is shown unasked.
alone() { commslice why --all cg2 cg_solver.c:24 | grep 'what it brings is in all' && ! commslice why cg2 cg_solver.c:24 | grep 'what it brings'; }
case_ "why: what communicates needs no other reason" alone

# why: nor to a store through the same pointer that writes what is beside it.
cat >axes.c <<'END'
#include <mpi.h>
#include <stdlib.h>

__attribute__((noinline)) static void move(double *x, double *v, const double *f, int n)
{
    for (int i = 0; i < n; i++) {
        v[i * 3 + 0] += f[i * 3 + 0];
        v[i * 3 + 1] += f[i * 3 + 1];
        v[i * 3 + 2] += f[i * 3 + 2];
        x[i * 3 + 0] += 0.1 * v[i * 3 + 0];
        x[i * 3 + 1] += 0.1 * v[i * 3 + 1];
        x[i * 3 + 2] += 0.1 * v[i * 3 + 2];
    }
}

__attribute__((noinline)) static int lost(const double *x, int n)
{
    int out = 0;
    for (int i = 0; i < n; i++)
        if (x[i * 3 + 0] > 9 || x[i * 3 + 1] > 9 || x[i * 3 + 2] > 9)
            out++;
    return out;
}

int main(int argc, char **argv)
{
    int n = argc + 9;
    MPI_Init(&argc, &argv);
    double *x = calloc(3 * n, sizeof *x), *v = calloc(3 * n, sizeof *v), *f = calloc(3 * n, sizeof *f);
    for (int i = 0; i < 3 * n; i++)
        f[i] = 0.5 * i;
    do {
        move(x, v, f, n);
        MPI_Barrier(MPI_COMM_WORLD);
    } while (lost(x, n) < 3);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicc -O2 -g -o axes axes.c 2>log || die "axes.c does not link"
same_axis() { commslice why axes axes.c:8 | grep -v "in short:" | sed -n 3p | grep -F 'axes.c:11 in move'; }
case_ "why: to the same element behind the same pointer" same_axis

# Where an element of a chain is next to itself, a value for it would make a loop without end; and no line of a function
# that was put in line is one branch.
cat >lists.cpp <<'END'
#include <mpi.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

static int first[8], next[64];

/* The cells of a list, of which the data decides how long it is. */
static int length(int list)
{
    int n = 0;
    for (int c = first[list]; c >= 0; c = next[c])
        n++;
    return n;
}

static double stable(const std::vector<double> &u)
{
    double most = 1e-3;
    for (double x : u)
        most = std::max(most, std::fabs(x));
    return 0.1 / most;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = std::max(size, 16);
    std::vector<double> u(n, 1.0 + rank);
    std::vector<int> cells(64);
    MPI_Scatter(cells.data(), 8, MPI_INT, first, 8, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(next, 64, MPI_INT, 0, MPI_COMM_WORLD);
    for (double t = 0, dt = 0; t < 1; t += dt) {
        double mine = std::max(stable(u), 1e-6);
        MPI_Allreduce(&mine, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        for (int i = 1; i < n; i++)
            u[i] += dt * (u[i - 1] - u[i]) * std::max(u[i], 0.0);
        MPI_Sendrecv_replace(u.data(), std::min(n, length(0)), MPI_DOUBLE, (rank + 1) % size, 0,
                             (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    std::printf("%g\n", u[n - 1]);
    MPI_Finalize();
    return 0;
}
END
commslice-mpicxx -O2 -g -o lists lists.cpp 2>log || die "lists.cpp does not link"
suggestions lists >lists.all
loop=lists.cpp:$(grep -n 't < 1' lists.cpp | cut -d: -f1)=N
case_ "a loop that is held up by inlined comparisons" grep -qE "^[0-9]+ -fplugin-arg-commslice-assume=$loop\$" lists.all
none_of() { ! grep -E "$1" lists.all; }
case_ "no value for the next element of a chain" none_of ':c='
case_ "no branch of an inlined function" none_of 'stl_'
# Many options, each of which keeps a little: what never changed in the recorded run is assumed together. A run that takes another way says so.
many() {
    printf '#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\nstatic double x[100];\nstatic int settings[12], length = 10;\n'
    for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
        printf 'static void step%d(void)\n{\n    for (int i = 1; i < 100; i++)\n        x[i] = x[i - 1] * %d + i;\n' $k $k
        printf '    length += (x[99] > %d.0) + (x[50] > %d.5) + (x[10] > %d.7);\n}\n' $k $k $k
    done
    cat <<'END'
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 12 && i + 1 < argc && rank == 0; i++)
        settings[i] = atoi(argv[i + 1]);
    MPI_Bcast(settings, 12, MPI_INT, 0, MPI_COMM_WORLD);
END
    for k in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '    if (settings[%d] > 3)\n        step%d();\n' $((k - 1)) $k; done
    cat <<'END'
    MPI_Sendrecv(x, length, MPI_DOUBLE, (rank + 1) % size, 0, x + 50, length, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%g\n", x[50]);
    MPI_Finalize();
    return 0;
}
END
}
many >many.c
program=many.c
slice many >/dev/null || die "many.c does not link"
original many.orig 0 || die "many.c cannot be recorded"
expect "what never changed, together" 0 '^ *1[12] conditions that never changed in the recorded run, from many.c:[0-9]* to many.c:[0-9]*: assume the same' \
    commslice advise --trace many.orig.trace --output many.assume many
equal "all of it in a file" 12 "$(grep -c '^many.c:[0-9]*=never$' many.assume)"
together() {  # the first suggestion, linked from the file, run, compared
    kept=$(commslice advise --trace many.orig.trace many | sed -n 's/^ *1\. keeps \([0-9]*\) .*/\1/p')
    got=$(slice many.small -fplugin-arg-commslice-assume=many.assume)
    [ "$kept" -lt 40 ] && [ "${got%% *}" = "$kept" ] || { echo "advise says $kept, the link keeps $got"; return 1; }
    commslice run -n 3 -o many.small.trace ./many.small && commslice diff many.orig.trace many.small.trace
}
case_ "as linked, and the trace is the same" together
other_way() {
    commslice-mpicc -O2 -fplugin-arg-commslice-mode=original -fplugin-arg-commslice-assume=many.assume -o many.check many.c &&
        commslice record --engine emulate -n 3 -o many.check.trace -- ./many.check 1 9
}
expect "a run that goes another way" 0 "many.c:$(line_of 'if (settings[1] > 3)')=never.* violated 3 times" other_way
echo mine >notes.txt
expect "no file of somebody else's is replaced" 2 'notes.txt: exists and is not a file of commslice advise' \
    commslice advise --trace many.orig.trace --output notes.txt many

# Ways that a pointer can be set, all of which lead to all of the computation: what needs what does not tell that without these ways pointers point
# elsewhere, and each of them alone brings nothing. All that the run tells, together, does.
ways() {
    printf '#include <mpi.h>\n#include <stdio.h>\nstatic double x[1000];\nstatic int n = 4, scratch;\n\nstatic void compute(void)\n{\n'
    k=1
    while [ $k -lt 500 ]; do
        printf '    x[%d] = x[%d] * %d + x[%d];\n' $k $((k - 1)) $k $((999 - k))
        k=$((k + 1))
    done
    cat <<'END'
}

int main(int argc, char **argv)
{
    int rank, size, *to[3] = {&scratch, &scratch, &scratch};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
END
    for k in 0 1 2; do printf '    if (argc > %d)\n        to[%d] = &n;\n' $((k + 5)) $k; done
    echo '    compute();'
    for k in 0 1 2; do printf '    *to[%d] = x[%d] > 1e9;\n' $k $((k + 490)); done
    cat <<'END'
    MPI_Sendrecv(x, n, MPI_DOUBLE, (rank + 1) % size, 0, x + 500, n, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d %g\n", scratch, x[500]);
    MPI_Finalize();
    return 0;
}
END
}
ways >ways.c
program=ways.c
slice ways >/dev/null || die "ways.c does not link"
original ways.orig 0 || die "ways.c cannot be recorded"
expect "all that a run tells, where no part of it is seen to do" 0 '^ *1\. keeps [1-9][0-9] statements' \
    commslice advise --trace ways.orig.trace --output ways.assume ways
equal "what each time went one way went it always" "$(grep -n 'if (argc' ways.c | cut -d: -f1 | sed 's/.*/ways.c:&=never/')" "$(grep -v '^#' ways.assume)"

# How the ranks are divided into a grid is left to the slice: runs on 8 and 12 ranks do not tell of 64. What only decides that is assumed which
# never changed, and the slice has the trace of the original there.
cat >grid.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double x[400];
static int options[6];

/* Makes the factors of n as near to each other as they can be. */
static void divide(int n, int *p)
{
    p[0] = p[1] = 1;
    for (int f = 2; n > 1; f++)
        while (n % f == 0) {
            if (p[0] <= p[1])
                p[0] *= f;
            else if (p[1] < 6)
                p[1] *= f;
            else
                p[0] *= f;
            n /= f;
        }
}

static int smooth(int turns)
{
    int n = 0;
    for (int t = 0; t < turns; t++)
        for (int i = 1; i < 400; i++) {
            x[i] = 0.5 * (x[i] + x[i - 1]) + 1e-3 * options[1];
            n += x[i] > 1e9;
        }
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, p[2], n = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 6 && i + 1 < argc && rank == 0; i++)
        options[i] = atoi(argv[i + 1]);
    MPI_Bcast(options, 6, MPI_INT, 0, MPI_COMM_WORLD);
    divide(size, p);
    if (options[0] > 3)
        n += smooth(3);
    if (options[2] > 3)
        n += smooth(4);
    if (options[3] > 3)
        n += smooth(5);
    if (smooth(options[4] + 2) > 3)
        n++;
    int right = rank % p[0] == p[0] - 1 ? MPI_PROC_NULL : rank + 1, left = rank % p[0] == 0 ? MPI_PROC_NULL : rank - 1;
    int up = rank / p[0] == p[1] - 1 ? MPI_PROC_NULL : rank + p[0], down = rank < p[0] ? MPI_PROC_NULL : rank - p[0];
    MPI_Sendrecv(x, n, MPI_DOUBLE, right, 0, x + 200, n, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(x, n, MPI_DOUBLE, up, 0, x + 200, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%g\n", x[100]);
    MPI_Finalize();
    return 0;
}
END
other_sizes() {
    commslice-mpicc -O2 -g -o grid grid.c && commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o grid.orig grid.c || return 1
    for n in 8 12 64; do commslice record --engine emulate -n $n -o "grid.$n.trace" -- ./grid.orig || return 1; done
    commslice advise --trace grid.8.trace --trace grid.12.trace --output grid.assume grid && cat grid.assume &&
        commslice-mpicc -O2 -g -fplugin-arg-commslice-assume=grid.assume -o grid.slice grid.c &&
        commslice run -n 64 -o grid.slice.trace ./grid.slice && commslice diff grid.64.trace grid.slice.trace
}
case_ "two runs: on other numbers of ranks" other_sizes
equal "two runs: what is assumed" "$(grep -n 'if (options\|if (smooth' grid.c | cut -d: -f1 | sed 's/.*/grid.c:&=never/')" "$(grep -v '^#' grid.assume)"

# A line that the compiler has put into several places has one count of how often the rank came there: where a list is assumed there, all that
# decides how often any of them runs stays, also where nothing else needs that. The link keeps no more than what is said.
cat >copies.c <<'END'
#include <mpi.h>
#include <stdlib.h>

static double x[400];

static inline __attribute__((always_inline)) int amount(int most)
{
    double sum = 0;
    for (int i = 0; i < 400; i++)
        sum += x[i];
    int n = (int)(sum * 10) % most;
    return n;
}

static void smooth(void)
{
    for (int i = 1; i < 400; i++)
        x[i] = (x[i] + x[i - 1]) / 2 + drand48() / 7;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = 0; turn < 10; turn++) {
        smooth();
        int left = amount(50);
        MPI_Send(x, left, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Send(x, left + 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Recv(x + 100, 60, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(x + 200, 60, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 5 && x[turn + i] > 0.1; i++)
            x[turn + i] = x[turn + i] * 0.5 + 1e-3 * amount(7);
    }
    MPI_Finalize();
    return 0;
}
END
kept_as_said() {
    commslice-mpicc -O2 -g -o copies copies.c && commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o copies.tells copies.c &&
        commslice record -q --engine emulate -n 3 -o copies.trace -- ./copies.tells || return 1
    all=$(commslice advise --all --json --trace copies.trace copies)
    for i in $(seq 0 $(($(echo "$all" | jq '.suggestions | length') - 1))); do
        echo "$all" | jq -r ".suggestions[$i].assumptions[].assume" >copies.assume
        ! grep -q "=N$" copies.assume || continue
        said=$(echo "$all" | jq ".suggestions[$i].kept")
        got=$(commslice-mpicc -O2 -g -fplugin-arg-commslice-assume=copies.assume -o copies.small copies.c 2>&1 |
            sed -n 's/^commslice: \([0-9]*\) of [0-9]* statements kept.*/\1/p')
        cat copies.assume
        echo "said $said, got $got"
        [ "$got" -le "$said" ] || return 1
    done
}
case_ "a list of a line in several places: no more than said" kept_as_said

# Elements of an array that a loop sets have one name, but each another value: no number stands for all of them, unless a recorded run says so.
elements_apart() {
    commslice-mpicc -O2 -g -o heat "$top/demo/heat.c" -lm 2>log && { commslice advise --all heat || [ $? = 1 ]; } >heat.all &&
        grep '^heat keeps' heat.all && ! grep 'settings=N' heat.all
}
case_ "no number for all elements of an array" elements_apart
# A loop with two ends on one line: a recorded run counts each comparison. That by which it was left is never suggested not to; no two suggestions
# together close both.
cat >two.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double x[400];

static double residual(void)
{
    double mine = 0, all = 0;
    for (int i = 1; i < 400; i++) {
        x[i] = 0.5 * (x[i] + x[i - 1]);
        mine += x[i] * x[i];
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double eps = argc > 1 ? atof(argv[1]) : 0;
    int most = argc > 2 ? atoi(argv[2]) : 10, it = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 400; i++)
        x[i] = i + rank;
    double r = residual();
    while (r > eps && it < most) {
        r = residual();
        it++;
    }
    if (rank == 0)
        printf("%d %g\n", it, r);
    MPI_Finalize();
    return 0;
}
END
two=two.c:$(grep -n 'while (r > eps' two.c | cut -d: -f1)
two_is() { commslice-mpicc -O2 -g "$@" two.c; }
must two_is -o two
must two_is -fplugin-arg-commslice-mode=original -o two.original
must commslice record -q --engine emulate -n 2 -o two.eps.trace -- ./two.original 15000000 100000000
must commslice record -q --engine emulate -n 2 -o two.most.trace -- ./two.original 1 10
expect "each comparison is counted: by which the loop is left" 0 "$two.1 held 234 of 236 times" commslice info two.eps.trace
expect "each comparison is counted: the other one" 0 "$two.2 held 234 of 234 times" commslice info two.eps.trace
left_by() { # TRACE: what is suggested of single comparisons
    commslice advise --all --trace "$1" two | sed -n "s/^ *-fplugin-arg-commslice-assume=\($two\.[0-9]=.*\)/\1/p"
}
equal "left by the first comparison: nothing is assumed of it" "" "$(left_by two.eps.trace)"
equal "left by the second one: the first one always holds" "$two.1=always" "$(left_by two.most.trace)"
expect "what the run says of it" 0 'always held, in 22 evaluations' commslice advise --all --trace two.most.trace two
warned() { # ASSUMPTION...
    for a; do
        shift
        set -- "$@" "-fplugin-arg-commslice-assume=$a"
    done
    two_is "$@" -o two.endless 2>&1 | grep "leaves the loop around $two no way out"
}
case_ "a loop without a way out: one warning" warned "$two.1=always" "$two.2=always"
case_ "a loop without a way out: by its whole condition" warned "$two=always"
not_warned() { ! warned "$@"; }
case_ "a loop with a way out: none" not_warned "$two.1=always"
case_ "a loop that is counted: none" not_warned "$two=7"

# Two breaks, neither of which a run has come to: what is suggested leaves one of them.
cat >breaks.c <<'END'
#include <mpi.h>
#include <stdlib.h>

static double x[400];

static double residual(void)
{
    double mine = 0, all = 0;
    for (int i = 1; i < 400; i++) {
        x[i] = 0.5 * (x[i] + x[i - 1]);
        mine += x[i] * x[i];
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 400; i++)
        x[i] = i + argc;
    for (;;) {
        double r = residual();
        if (r < 1)
            break;
        if (r > 1e30)
            break;
    }
    MPI_Finalize();
    return 0;
}
END
one_way_is_left() {
    commslice-mpicc -O2 -g -o breaks breaks.c && suggestions breaks >breaks.all
    cat breaks.all
    [ -s breaks.all ] && ! grep 'breaks.c:24=never.*breaks.c:26=never\|breaks.c:26=never.*breaks.c:24=never' breaks.all
}
case_ "no two suggestions close a loop together" one_way_is_left
finish
