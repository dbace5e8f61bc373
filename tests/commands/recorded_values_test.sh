#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a recorded run of an instrumented original tells of values, loops and conditions, what assumptions commslice advise and recorded:INFO
# make of that, and that slices with these communicate as the run did.
set -u
. "$(dirname "$0")/../frame.sh"
line_of() { grep -nF -- "$1" "$program" | head -n "${2:-1}" | tail -n 1 | cut -d: -f1; }

# Data that decides, which the programs below share.
cat >work.h <<'END'
#include <mpi.h>
#include <stdlib.h>

static double x[1000];
static int rank, size;

static int work(int most)
{
    double sum = 0;
    for (int i = 1; i < 1000; i++)
        x[i] = (x[i] + x[i - 1]) / 2 + drand48() / 7;
    for (int i = 0; i < 1000; i++)
        sum += x[i];
    return (int)(sum * 10) % most;
}

static void begin(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    srand48(rank + 3);
}
END
# A recorded run of the original says what a value was: alike in the mean on all ranks; the same number on all; by the number of the rank; a list.
cat >seen.c <<'END'
#include <mpi.h>
#include <stdlib.h>

#ifndef TO
#define TO (rank + 1) % size
#endif
static int rank, size;

/* A side of a grid of ranks, from the largest on. */
static inline int side(int i)
{
    int n[3] = {0, 0, 0};
    MPI_Dims_create(size, 3, n);
    return n[i];
}

/* Where the rank is along a side; they count along the smallest first. */
static inline int at(int i)
{
    return i == 2 ? rank % side(2) : i == 1 ? rank / side(2) % side(1) : rank / side(2) / side(1);
}

/* How many of the ranks before and behind it along the side there are, with itself. */
static inline int along(int i)
{
    return 1 + (at(i) > 0) + (at(i) < side(i) - 1);
}

/* Rank number k of those around this one; or, if `way`, along which sides it is at another place. */
static inline int around(int k, int way)
{
    k %= along(0) * along(1) * along(2) - 1;
    for (int d = 0; d < 27; d++) {
        int by[3] = {d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1}, to = 0, differs = 0, there = 1;
        for (int i = 0; i < 3; i++) {
            there &= at(i) + by[i] >= 0 && at(i) + by[i] < side(i);
            to = to * side(i) + at(i) + by[i];
            differs += by[i] ? 4 >> i : 0;
        }
        if (there && differs && k-- == 0)
            return way ? differs : to;
    }
    return -1;
}

int main(int argc, char **argv)
{
    static double x[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 1000; i++)
        x[i] = drand48();
    for (int turn = 0; turn < TURNS; turn++) {
        int n = 0;
        for (int i = 0; i < 1000; i++)
            n += x[i] > 2;
        n = n + LEFT;
        MPI_Send(x, n, MPI_DOUBLE, TO, 0, MPI_COMM_WORLD);
        MPI_Recv(x, 1000, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 1000; i++)
            x[i] = (x[i] + x[(i * 7) % 1000]) / 2;
    }
    MPI_Finalize();
    return 0;
}
END
said() {  # LEFT [TURNS]: the assumption about the count, from a recorded run; the slice with it communicates as the original
    set -- "-DLEFT=$1" "-DTURNS=${2:-10}"
    commslice-mpicc -O2 -g "$@" -fplugin-arg-commslice-mode=original -o seen.original seen.c 2>log || return 1
    commslice-mpicc -O2 -g "$@" -o seen.slice seen.c 2>log || return 1
    commslice record --engine emulate -n 4 -o seen.trace -- ./seen.original >log 2>&1 || return 1
    rm -f seen.assume
    commslice advise --trace seen.trace --output seen.assume seen.slice >log || return 1
    flag=$(grep -v '^#' seen.assume | head -n 1)
    commslice-mpicc -O2 -g "$@" "-fplugin-arg-commslice-assume=$flag" -o seen.assumed seen.c 2>log || return 1
    commslice run -n 4 -o assumed.trace ./seen.assumed >log 2>&1 || return 1
    echo "${flag#*=}$(commslice diff seen.trace assumed.trace >log 2>&1 || echo ' differs')"
}
equal "a value: the same everywhere" "12" "$(said 12)"
equal "a value: by rank" "5+3*rank" "$(said '5 + 3 * rank')"
equal "a value: a list" "pick(rank,0,1,4,9)" "$(said 'rank * rank')"
equal "a value: a step each time" "100+1*iteration" "$(said '100 + turn')"
equal "a value: over and over" "pick(iteration,3,5,4)" "$(said '3 + turn * 2 % 3')"
equal "a value: in its order, by rank" "pick(rank,pick(iteration,0,0,1),pick(iteration,1,1,2),pick(iteration,2,2,3),pick(iteration,3,3,4))" \
    "$(said 'rank + (turn % 3 == 2)')"
equal "a value: as often as is noted" "pick(iteration,$(seq -s, 0 126))" "$(said 'turn % 127' 128)"
equal "a value: over and over, often" "pick(iteration,$(seq -s, 0 6))" "$(said 'turn % 7' 2000)"
equal "a value: often, and then others" "pick(iteration+pick((iteration>=500),0,1),5,6,9)" "$(said '5 + (turn + turn / 500) % 3 * (1 + (turn + turn / 500) % 3) / 2 * 4 / 3' 900)"
equal "a value: never again, nearly the same" "903 differs" "$(said '900 + turn * turn % 1009 % 7' 900)"
# Of many ranks that all had the same it tells what that was each time.
same_on_many() {
    commslice-mpicc -O2 -g '-DLEFT=100 + turn * turn % 103' -DTURNS=100 -fplugin-arg-commslice-mode=original -o seen.original seen.c 2>log &&
        commslice record --engine emulate -n 27 -o seen.many.trace -- ./seen.original && commslice info seen.many.trace
}
expect "a value: in its order, the same on many ranks" 0 'count was .*; by rank 100,101,104,109,' same_on_many
# Runs on two numbers of ranks say what holds on a third one, too: by a rule of rank and size, or in the mean. What each rank had is no rule.
scaled() {  # LEFT [SIZES LAST FLAGS...]: the assumption by runs on SIZES (4 6); does the slice communicate as the original on LAST ranks (9)?
    small=${2:-4 6} last=${3:-9} traces= left=$1
    if [ $# -gt 3 ]; then shift 3; else set -- -DTURNS=10; fi
    set -- "-DLEFT=$left" "$@"
    commslice-mpicc -O2 -g "$@" -fplugin-arg-commslice-mode=original -o seen.original seen.c 2>log || return 1
    commslice-mpicc -O2 -g "$@" -o seen.slice seen.c 2>log || return 1
    for n in $small $last; do
        commslice record --engine emulate -n $n -o seen.$n.trace -- ./seen.original >log 2>&1 || return 1
        [ $n = $last ] || traces="$traces --trace seen.$n.trace"
    done
    rm -f seen.assume
    # shellcheck disable=SC2086  # words
    commslice advise $traces --output seen.assume seen.slice >log 2>&1 ||
        { sed -n 's/.*seen.assume is not written: //p' log; return; }
    flag=$(grep -v '^#' seen.assume | head -n 1)
    commslice-mpicc -O2 -g "$@" "-fplugin-arg-commslice-assume=$flag" -o seen.assumed seen.c 2>log || { echo "${flag#*=}"; return; }
    commslice run -n $last -o assumed.trace ./seen.assumed >log 2>&1 || return 1
    echo "${flag#*=}$(commslice diff seen.$last.trace assumed.trace >log 2>&1 || echo ' differs')"
}
equal "on any number of ranks: by rank and size" "5-2*rank+3*size" "$(scaled '5 + 3 * size - 2 * rank')"
equal "on any number of ranks: at the ends" "7-3*(rank==0)+(rank==size-1)" "$(scaled '7 - 3 * !rank + (rank == size - 1)')"
equal "on any number of ranks: a ring" "(rank+3)%size" "$(scaled '(rank + 3) % size')"
equal "on any number of ranks: in its order" "pick(iteration,rank,2+size)" "$(scaled 'turn % 2 ? size + 2 : rank')"
equal "on any number of ranks: by parts, in its order" "pick((rank>0)+(rank>0)*(rank==size-1),1,pick(iteration,-1+rank,1+rank),7)" \
    "$(scaled 'rank == 0 ? 1 : rank == size - 1 ? 7 : rank - 1 + turn % 2 * 2')"
equal "on any number of ranks: some always had the same" "pick(iteration,-1+rank+2*(rank==0),1+rank-2*(rank==size-1))" \
    "$(scaled 'rank == 0 ? 1 : rank == size - 1 ? rank - 1 : rank - 1 + turn % 2 * 2')"
# A grid of ranks in three dimensions.
grid() {
    scaled "$1" '8 12 27' 18
}
x='rank%dims(size,3,2)' y='rank/dims(size,3,2)%dims(size,3,1)' z='rank/dims(size,3,2)/dims(size,3,1)'
around="(1+($x>0)+($x<dims(size,3,2)-1))*(1+($y>0)+($y<dims(size,3,1)-1))*(1+($z>0)+($z<dims(size,3,0)-1))-1"
equal "in a grid of ranks: a side" "(dims(size,3,0))*5" "$(grid '5 * side(0)')"
equal "in a grid of ranks: a place" "$y" "$(grid 'at(1)')"
equal "in a grid of ranks: a place, each time" "($z)*pick(iteration,16,8)" "$(grid '(16 - turn % 2 * 8) * at(0)')"
equal "in a grid of ranks: neighbours around" "$around" "$(grid 'along(0) * along(1) * along(2) - 1')"
equal "in a grid of ranks: the next one" "rank+(($y+1)%dims(size,3,1)-($y))*dims(size,3,2)" \
    "$(grid 'rank + ((at(1) + 1) % side(1) - at(1)) * side(2)')"
# Lists with a number for each rank around.
rounds() { scaled "$1" '8 12 27' 18 "-DTURNS=4 * (along(0) * along(1) * along(2) - 1)" -DTO=rank; }
equal "in a grid of ranks: those around" "near(iteration,2,1,0)" "$(rounds 'around(turn, 0)')"
equal "in a grid of ranks: by the way there" "pick(toward(iteration,2,1,0)-1,1,4,9,16,25,36,49)" "$(rounds 'around(turn, 1) * around(turn, 1)')"
equal "in a grid of ranks: by the way there, each time" \
    "pick(pick((iteration/($around)),0,0,1),pick(toward(iteration,2,1,0)-1,1,2,3,4,5,6,7),pick(toward(iteration,2,1,0)-1,51,52,53,54,55,56,57))" \
    "$(rounds 'around(turn, 1) + (turn / (along(0) * along(1) * along(2) - 1) == 2 ? 50 : 0)')"
equal "on any number of ranks: in the mean" "102 differs" "$(scaled '100 + rank * rank % 5')"
equal "on any number of ranks: nearly, each time" "pick(iteration,102,151) differs" "$(scaled '100 + turn % 2 * 50 + rank * rank % 5 - turn % 2')"
equal "on any number of ranks: what is typical, each time" "pick(iteration,52,52,40,46,52,40,46,40,40,40) differs" \
    "$(scaled '40 + 60 * ((rank * rank + 3 * turn) % 11 == 1)')"
equal "on any number of ranks: anything, each time" "each suggestion has an N; give it yourself" \
    "$(scaled '(37 * rank * rank + 53 * turn * turn) % 101')"
equal "on any number of ranks: no rule, only how often the loop ran" "10" "$(scaled 'rank * rank')"
expect "of one run, that a list is of its ranks only" 0 'of these says* what each of the 4 recorded ranks had' commslice advise --trace seen.4.trace seen.slice
expect "runs of as many ranks" 2 'of 4 ranks, as another trace' commslice advise --trace seen.4.trace --trace seen.4.trace seen.slice
# What all runs tell is tried together where no way to a small slice is seen: what leaves decides what comes, and that what leaves. What only a
# receiver learns is not assumed, too: both sides have it of one number.
cat >pairs.c <<'END'
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 4000 };
static double x[MOST], out[MOST], in[MOST];
static int n = 1000, rank, size;

/* What leaves to the left, and what comes from the right. */
static void exchange(double lo, int sweep)
{
    int leaving = 0, total, coming, stay = 0;
    for (int i = 0; i < n; i++)
        if (x[i] < lo)
            out[leaving++] = x[i];
        else
            x[stay++] = x[i];
    total = 3 * leaving;
    MPI_Sendrecv(&total, 1, MPI_INT, (rank + size - 1) % size, sweep, &coming, 1, MPI_INT, (rank + 1) % size, sweep, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, total, MPI_DOUBLE, (rank + size - 1) % size, 9, in, coming, MPI_DOUBLE, (rank + 1) % size, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    n = stay;
    for (int i = 0; i < coming / 3 && n < MOST; i++)
        x[n++] = in[i];
}

#define ONE(a) x[i] = 4 * x[i] * (1 - x[i]) * a + 1e-4 * x[(i * 7) % n];
#define TEN ONE(0.990) ONE(0.991) ONE(0.992) ONE(0.993) ONE(0.994) ONE(0.995) ONE(0.996) ONE(0.997) ONE(0.998) ONE(0.999)
static void move(void)
{
    for (int i = 0; i < n; i++) {
        TEN TEN TEN TEN
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    srand48(rank + 7);
    for (int i = 0; i < n; i++)
        x[i] = drand48();
    for (int step = 0; step < 12; step++) {
        move();
        exchange(0.02, 0);
        if (size > 2)
            exchange(0.03, 1);
    }
    MPI_Finalize();
    return 0;
}
END
pairs() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o pairs.original pairs.c 2>log || return 1
    commslice-mpicc -O2 -g -o pairs.slice pairs.c 2>log || return 1
    for n in 4 6 9; do
        commslice record --engine emulate -n $n -o pairs.$n.trace -- ./pairs.original >log 2>&1 || return 1
    done
    rm -f pairs.assume
    commslice advise --trace pairs.4.trace --trace pairs.6.trace --output pairs.assume pairs.slice || return 1
}
expect "all that runs tell: one number for both sides" 0 'keeps [1-4][0-9] statements' pairs
pairs_assumed() {
    [ "$(grep -vc '^#' pairs.assume)" = 1 ] && grep 'pairs.c:[0-9]*:total=pick(iteration,' pairs.assume &&
        commslice-mpicc -O2 -g -fplugin-arg-commslice-assume=pairs.assume -o pairs.assumed pairs.c 2>log &&
        commslice run --engine emulate -n 9 -o pairs.assumed.trace ./pairs.assumed && commslice diff --tolerance 0.5 pairs.9.trace pairs.assumed.trace
}
expect "all that runs tell, on another number of ranks" 0 'counts differ, by at most' pairs_assumed
# How often loops ran, on each rank and each time: one that asks first, and one that ends in its last iteration.
cat >loops.c <<'END'
#include "work.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    for (int turn = 0; turn < 7; turn++) {
        int k = 0, parts = work(4);
        for (int i = 0; i < parts; i++)
            MPI_Sendrecv(x, 10 + i, MPI_DOUBLE, rank, 0, x + 500, 400, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        do
            MPI_Sendrecv(x, 20 + k++, MPI_DOUBLE, rank, 1, x + 500, 400, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        while (work(3) > 0);
    }
    MPI_Finalize();
    return 0;
}
END
program=loops.c
loops=$(line_of 'i < parts') again=$(line_of 'work(3) > 0')
loops() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o loops.original loops.c &&
        commslice-mpicc -O2 -g -o loops.slice loops.c &&
        commslice record --engine emulate -n 4 -o loops.trace -- ./loops.original &&
        commslice info loops.trace
}
expect "a loop that asks first, in the trace" 0 "loops.c:$loops=N was 0 to 3, .* 28 times; by rank [0-9],[0-9],[0-9],[0-9],[0-9],[0-9],[0-9] " loops
expect "a loop that asks last, in the trace" 0 "loops.c:$again=N was 1 to [0-9]*, .* 28 times; by rank [0-9]" loops
advised_loops() {  # both, assumed: the trace is the same
    commslice-mpicc -O2 -g $(commslice info loops.trace | sed -n "s/^ *\(loops.c:\($loops\|$again\)\)=N was.*/-fplugin-arg-commslice-assume=\1=recorded:loops.info/p") \
        -o loops.assumed loops.c && commslice run -n 4 -o loops.assumed.trace ./loops.assumed &&
        commslice diff loops.trace loops.assumed.trace
}
commslice info loops.trace >loops.info
expect "as often as they did" 0 '^same: ' advised_loops
expect "such a trace is an approximation" 0 'approximation' commslice info loops.assumed.trace
expect "they are suggested" 0 "loops.c:$loops=pick(rank,pick(iteration,[0-9]" commslice advise --all --trace loops.trace loops.slice
# A loop whose condition has several comparisons: that leaves it by the one or the other.
cat >chain.c <<'END'
#include "work.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    for (int turn = 0; turn < 6; turn++) {
        for (int k = 0; k < turn && (work(50) > 2 || k < 2); k++)
            MPI_Sendrecv(x, 10 + k, MPI_DOUBLE, rank, 0, x + 500, 400, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int k = 0;
        do
            MPI_Sendrecv(x, 20 + k++, MPI_DOUBLE, rank, 1, x + 500, 400, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        while (k < 4 && work(3) > 0);
    }
    MPI_Finalize();
    return 0;
}
END
program=chain.c
chain=$(line_of 'k < turn') chain_end=$(line_of 'k < 4')
chain() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o chain.original chain.c &&
        commslice-mpicc -O2 -g -o chain.slice chain.c &&
        commslice record --engine emulate -n 4 -o chain.trace -- ./chain.original && commslice info chain.trace >chain.info && cat chain.info
}
expect "a loop of several comparisons" 0 "chain.c:$chain=N was 0 to 5, .* 24 times; by rank 0,1,2,[0-9],[0-9],[0-9] " chain
expect "one that asks last" 0 "chain.c:$chain_end=N was 1 to 4, .* 24 times; by rank [0-9],[0-9]" cat chain.info
advised_chain() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-assume="chain.c:$chain=recorded:chain.info" -fplugin-arg-commslice-assume="chain.c:$chain_end=recorded:chain.info" \
        -o chain.assumed chain.c && ! commslice why chain.assumed work.h:11 >/dev/null && commslice run -n 4 -o chain.assumed.trace ./chain.assumed &&
        commslice diff chain.trace chain.assumed.trace
}
expect "as often as they went on" 0 '^same: ' advised_chain
# A function of two calls, which the compiler copies into both: what it sent in its order is the order of both together.
cat >both.c <<'END'
#include "work.h"

static inline __attribute__((always_inline)) void send(int n)
{
    MPI_Sendrecv(x, n, MPI_DOUBLE, rank, 0, x + 500, 400, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    for (int turn = 0; turn < 9; turn++) {
        send(10 + work(9));
        send(100 + work(9));
    }
    MPI_Finalize();
    return 0;
}
END
both() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o both.original both.c &&
        commslice record --engine emulate -n 3 -o both.trace -- ./both.original && commslice info both.trace >both.info &&
        commslice-mpicc -O2 -g "-fplugin-arg-commslice-assume=both.c:$(program=both.c && line_of 'MPI_Sendrecv'):sendcount=recorded:both.info" -o both.assumed both.c &&
        commslice run -n 3 -o both.assumed.trace ./both.assumed && commslice diff both.trace both.assumed.trace
}
expect "copies of a call, in the order of the source" 0 '^same: ' both
# What conditions did each time: one alone, and one of two comparisons.
cat >turns.c <<'END'
#include "work.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    for (int turn = 0; turn < 9; turn++) {
        if (work(2))
            MPI_Sendrecv(x, 10, MPI_DOUBLE, rank, 0, x + 500, 400, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (turn > 3 && work(3) > 0)
            MPI_Sendrecv(x, 20, MPI_DOUBLE, rank, 1, x + 500, 400, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
END
turns() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o turns.original turns.c &&
        commslice-mpicc -O2 -g -o turns.slice turns.c &&
        commslice record --engine emulate -n 4 -o turns.trace -- ./turns.original && commslice info turns.trace
}
program=turns.c
expect "a condition, in the trace" 0 "turns.c:$(line_of 'if (work')=when(N) was 0 to 1, 1 in the mean, 36 times; by rank [01],[01]," turns
expect "a comparison, in the trace" 0 "turns.c:$(line_of 'if (turn').2=when(N) was 0 to 1, 1 in the mean, 20 times; by rank [01]" turns
advised_turns() {
    commslice advise --trace turns.trace --output turns.assume turns.slice && cat turns.assume &&
        commslice-mpicc -O2 -g -fplugin-arg-commslice-assume=turns.assume -o turns.assumed turns.c &&
        commslice run -n 4 -o turns.assumed.trace ./turns.assumed && commslice diff turns.trace turns.assumed.trace
}
expect "conditions as they were" 0 '^same: ' advised_turns
case_ "both of them, and no other" eval '[ "$(grep -c "=when(pick(rank" turns.assume)" = 2 ]'
# In a recursive function: conditions, and loops that are left before they are entered again, but none that calls the function.
cat >levels.c <<'END'
#include "work.h"

static void cycle(int level)
{
    for (int k = 0; k < 1 + level + work(1); k++)
        MPI_Sendrecv(x, 10 + k, MPI_DOUBLE, rank, 0, x + 500, 400, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (level + work(1) < 3)
        cycle(level + 1);
    if (level == 1)
        for (int twice = 0; twice < 2 + work(1); twice++)
            cycle(3);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    for (int turn = 0; turn < 3; turn++)
        cycle(0);
    MPI_Finalize();
    return 0;
}
END
levels() {
    commslice-mpicc -O2 -g -fno-inline -fplugin-arg-commslice-mode=original -o levels.original levels.c &&
        commslice-mpicc -O2 -g -fno-inline -o levels.slice levels.c &&
        commslice record --engine emulate -n 2 -o levels.trace -- ./levels.original && commslice info levels.trace
}
program=levels.c
expect "a recursion: its condition" 0 "levels.c:$(line_of 'if (level')=when(N) was .* by rank 1,1,1,0,0,0,1,1,1,0,0,0" levels
expect "a recursion: a loop that does not call it" 0 "levels.c:$(line_of 'k < 1')=N was 1 to 4, .* by rank 1,2,3,4,4,4,1,2,3,4,4,4" levels
case_ "a recursion: none that does" eval '! commslice info levels.trace | grep "levels.c:$(line_of "twice < 2").*=N was"'
advised_levels() {
    commslice advise --trace levels.trace --output levels.assume levels.slice && cat levels.assume &&
        commslice-mpicc -O2 -g -fno-inline -fplugin-arg-commslice-assume=levels.assume -o levels.assumed levels.c &&
        commslice run -n 2 -o levels.assumed.trace ./levels.assumed && commslice diff levels.trace levels.assumed.trace
}
expect "a recursion: as it went" 0 '^same: ' advised_levels
# Loops and conditions that are come to more often than is kept as it is: what they did comes again.
cat >often.c <<'END'
#include "work.h"

static void send(int n)
{
    MPI_Sendrecv(x, n, MPI_DOUBLE, rank, 0, x + 500, 400, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int parts[3], sends[5];
    begin(argc, argv);
    for (int i = 0; i < 3; i++)
        parts[i] = i + (work(1000) > 0);
    for (int i = 0; i < 5; i++)
        sends[i] = (i * i + rank) % 3 - (work(1000) == 0);
    for (int turn = 0; turn < 400; turn++) {
        for (int i = 0; i < parts[turn % 3]; i++)
            send(10 + i);
        if (sends[turn % 5])
            send(20);
    }
    MPI_Finalize();
    return 0;
}
END
often() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o often.original often.c &&
        commslice record --engine emulate -n 3 -o often.trace -- ./often.original && commslice info often.trace | tee often.info
}
program=often.c
loop=often.c:$(line_of 'i < parts') condition=often.c:$(line_of 'if (sends')
expect "a loop that is entered often" 0 "$loop=N was 1 to 3, 2 in the mean, 1200 times; by rank (1,2,3)x133,1 (1,2,3)x133,1 (1,2,3)x133,1" often
expect "a condition that is asked often" 0 "$condition=when(N) was 0 to 1, 1 in the mean, 1200 times; by rank (0,1,1,0,1)x80 1 (1,0,0,1,0)x80" cat often.info
as_often() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-assume="$loop=recorded:often.info" -fplugin-arg-commslice-assume="$condition=recorded:often.info" \
        -o often.assumed often.c && commslice run -n 3 -o often.assumed.trace ./often.assumed && commslice diff often.trace often.assumed.trace
}
expect "both as they were" 0 '^same: ' as_often
no_work() { commslice info often.assumed | grep ' of .* work at' && return 1; return 0; }
case_ "and nothing is kept that made them" no_work
# The size of memory that the slice still needs: loops are known, and so is that. In C++ and in Fortran, too.
cat >sizes.c <<'END'
#include "work.h"

int main(int argc, char **argv)
{
    begin(argc, argv);
    for (int turn = 0; turn < 9; turn++) {
        int n = 0;
        for (int i = 0; i < 4; i++)
            n += work(2);
        int *list = malloc((size_t)n * sizeof *list);
        for (int i = 0; i < n; i++)
            list[i] = 10 + i * i * rank;
        for (int i = 0; i < n; i++)
            MPI_Sendrecv(x, list[i], MPI_DOUBLE, rank, 0, x + 500, 400, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        free(list);
    }
    MPI_Finalize();
    return 0;
}
END
sed 's/malloc(.*);$/new int[n];/; s/free(list)/delete[] list/' sizes.c >sizes.cpp
cat >sizes_f.f90 <<'END'
program sizes_f
  use mpi
  implicit none
  real(8) :: x(1000), y(1000)
  integer, allocatable :: list(:)
  integer :: rank, ierr, turn, i, n
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do turn = 1, 9
     do i = 1, 1000
        x(i) = sin(i * turn * 0.37d0 + rank)
     end do
     n = 0
     do i = 1, 4
        if (x(200 * i) > 0) n = n + 1
     end do
     allocate (list(n))
     do i = 1, n
        list(i) = 10 + i * rank
     end do
     do i = 1, n
        call MPI_Sendrecv(x, list(i), MPI_DOUBLE_PRECISION, rank, 0, y, 1000, MPI_DOUBLE_PRECISION, rank, 0, &
             MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
     end do
     deallocate (list)
  end do
  call MPI_Finalize(ierr)
end program
END
sizes() {  # COMPILER SOURCE ALLOCATION LOOP LOOP WHAT-IS-GONE: lines
    "commslice-$1" -O2 -g -fplugin-arg-commslice-mode=original -o sizes.original "$2" && "commslice-$1" -O2 -g -o sizes.slice "$2" &&
        commslice record --engine emulate -n 3 -o sizes.trace -- ./sizes.original && commslice info sizes.trace >sizes.info &&
        commslice advise --all --trace sizes.trace sizes.slice | grep "$2:$3:size=" || return 1
    printf "$2:%s=recorded:sizes.info\n" "$3:size" "$4" "$5" >sizes.assume
    "commslice-$1" -O2 -g -fplugin-arg-commslice-assume=sizes.assume -o sizes.assumed "$2" && ! commslice why sizes.assumed "$2:$6" >/dev/null &&
        commslice run -n 3 -o sizes.assumed.trace ./sizes.assumed && commslice diff sizes.trace sizes.assumed.trace
}
sizes_in_c() { program=sizes.c && sizes "$1" "$2" "$(line_of 'malloc')" "$(line_of 'i < n' 1)" "$(line_of 'i < n' 2)" "$(line_of 'n += work(2)')"; }
sizes_in_fortran() {
    program=sizes_f.f90
    sizes mpifort sizes_f.f90 "$(line_of allocate\ )" "$(line_of 'do i = 1, n' 1)" "$(line_of 'do i = 1, n' 2)" "$(line_of 'x(i) = sin')"
}
expect "the size of memory: C" 0 '^same: ' sizes_in_c mpicc sizes.c
expect "the size of memory: C++" 0 '^same: ' sizes_in_c mpicxx sizes.cpp
expect "the size of memory: Fortran" 0 '^same: ' sizes_in_fortran
# Nothing stands for a place in a table that is another one each time; for how much is sent, something does.
cat >place.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    static double x[1000];
    static int table[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 1000; i++)
        x[i] = drand48();
    for (int i = 0; i < 100; i++)
        table[i] = i * 7 % 100;
    for (int turn = 0; turn < TURNS; turn++) {
        double sum = 0;
        for (int i = 0; i < 1000; i++)
            sum += x[i] * x[i];
        int place = (int)(sum * 1000) % 100;
        for (int i = 0; i < 1000; i++)
            x[i] = (x[i] + x[(i * 7) % 1000]) / 2 + drand48() / 7;
        MPI_Send(x, table[place], MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Recv(x, 1000, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
END
of_places() {  # TURNS: what is suggested of a run with so many
    commslice-mpicc -O2 -g "-DTURNS=$1" -fplugin-arg-commslice-mode=original -o place.original place.c 2>log || return 1
    commslice-mpicc -O2 -g "-DTURNS=$1" -o place.slice place.c 2>log || return 1
    commslice record --engine emulate -n 4 -o place.trace -- ./place.original >log 2>&1 || return 1
    commslice advise --all --trace place.trace place.slice
}
expect "a place in a table, in its order" 0 ':place=pick(iteration,[0-9]*,' of_places 10
expect "how much is sent, in the mean" 0 ':count=[0-9]' of_places 1000
no_place() { ! of_places 1000 | grep -F ':place='; }
case_ "no mean of a place in a table" no_place
# recorded:INFO is the same; what the trace does not tell, or no file, is an error.
said 'rank * rank' >/dev/null
commslice info seen.trace >seen.info
recorded() {  # VALUE
    commslice-mpicc -O2 -g '-DLEFT=rank * rank' -DTURNS=10 "-fplugin-arg-commslice-assume=src/seen.c:$1" -o seen.recorded seen.c
}
at=$(grep -nF MPI_Send seen.c | cut -d: -f1)
expect "recorded values" 0 "assuming src/seen.c:$at:count=pick(rank,0,1,4,9) (1 place)" recorded "$at:count=recorded:seen.info"
expect "no recorded value" 1 "does not say what src/seen.c:$at:tag was" recorded "$at:tag=recorded:seen.info"
expect "no such recording" 1 'cannot read nonesuch' recorded "$at:count=recorded:nonesuch"
expect "no recording" 1 'give .recorded:FILE.' recorded "$at:count=recorded"

finish
