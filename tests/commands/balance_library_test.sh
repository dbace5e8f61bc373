#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libcommslice-balance: each item once by every technique and way, in C and Fortran; what it refuses, and what the environment says.
# Engine emulate has no one-sided communication: the other ways run on MPICH, with few ranks, since its ranks never sleep.
set -u
. "$(dirname "$0")/../frame.sh"
sources=$top/tests/commands
library=$build/balance/libcommslice-balance.a
all='static vrp vrp-dynamic ss css gss tss fac2 wf awf af vrp-ss'
must "$MPICC" -g -O1 -Wall -Werror -I"$top/balance/library" -o items "$sources/balance_items.c" "$library" -lm
must "$MPIFORT" -g -O1 -Wall -I"$build/balance/library" -o items.f "$sources/balance_items.f90" "$library" -lm

emulate() { n=$1; shift; "$COMMSLICE" record --no-times -o T --engine emulate -n "$n" --quiet -- "$@"; }
mpich() { n=$1; shift; timeout 300 "$MPIEXEC" -n "$n" "$@"; }
# shellcheck disable=SC2086  # words on purpose
good() { for t in $all; do echo "$t: ok"; done >expected; "$@" $all >out && cmp out expected || { cat out; false; }; }

case_ "each item once: 4 ranks" good emulate 4 ./items master-worker
case_ "each item once: 1 rank" good emulate 1 ./items master-worker
case_ "each item once: 9 ranks, more than items of some loops" good emulate 9 ./items master-worker
if [ "${CS_LONG:-no}" = yes ]; then ranks='1 2 4'; else ranks=2 all='ss fac2 wf awf af vrp-ss'; fi
for n in $ranks; do
    for way in master-worker one-sided shared-memory; do case_ "each item once: $way, $n ranks of MPICH" good mpich "$n" ./items $way; done
done

# 3 * the sum of squares up to 1000, the items, and the squares once more.
fortran() { equal_text "$(emulate 3 ./items.f)" "1001500500 1000 1001500500"; }
equal_text() { [ "$(echo "$1" | tr '\n' ' ')" = "$2 " ] || { echo "$1"; false; }; }
case_ "Fortran" fortran

# The demo computes what the one with blocks does, whoever does a row.
demo() {
    "$MPICC" -O1 -o matmul "$top/demo/matmul.c" && "$MPICC" -O1 -Wall -I"$top/balance/library" -o matmul_balanced "$top/demo/matmul_balanced.c" "$library" -lm || return 1
    want=$(emulate 1 ./matmul 90) && [ -n "$want" ] && for t in static gss vrp-ss; do emulate 3 ./matmul_balanced 90 $t 1 4 2 | grep -q "^$want," || return 1; done
}
case_ "the demo" demo

# The other demos compute what those with static blocks do.
demo_heat() {
    "$MPICC" -O1 -o heat_rows "$top/demo/heat_rows.c" && "$MPICC" -O1 -Wall -I"$top/balance/library" -o heat_balanced "$top/demo/heat_balanced.c" "$library" -lm || return 1
    want=$(emulate 3 ./heat_rows 60 20) && [ -n "$want" ] && emulate 3 ./heat_balanced 60 20 static | grep -q "^$want," &&
        COMMSLICE_BALANCE_SPEEDS=1,4,2 emulate 3 ./heat_balanced 60 20 vrp 2 1 1 | grep -q "^$want," && ! emulate 3 ./heat_balanced 60 20 ss >out 2>err
}
demo_nbody() {
    "$MPICC" -O1 -o nbody "$top/demo/nbody.c" -lm && "$MPICC" -O1 -Wall -I"$top/balance/library" -o nbody_balanced "$top/demo/nbody_balanced.c" "$library" -lm || return 1
    want=$(emulate 3 ./nbody 50 3) && [ -n "$want" ] && for t in static fac2 vrp-ss; do [ "$(emulate 3 ./nbody_balanced 50 3 $t 1 2 1)" = "$want" ] || return 1; done
}
case_ "the demo heat" demo_heat
case_ "the demo nbody" demo_nbody

# A program that uses it is sliced: its loop's body goes, the library runs, and the link says what depends on timing. With static techniques the
# slice does what the original does; with others it comes to its end. Rows of heat decide which ranks get how many messages: they stay.
slices() { # PROGRAM ARGUMENTS...
    name=$1 shown=$2
    shift 2
    commslice-mpicc -O2 -g -I"$top/balance/library" -o "$name.slice" "$top/demo/$name.c" "$library" -lm 2>log && "$MPICC" -O2 -g -I"$top/balance/library" -o "$name" "$top/demo/$name.c" "$library" -lm || { cat log; return 1; }
    grep -q "^$name.c:$shown: commslice warning: which rank gets which items may depend on timing" log && ! grep 'no row in the effects table' log || { cat log; return 1; }
    for t in static vrp; do
        export COMMSLICE_BALANCE_SPEEDS=1,4,2
        "$COMMSLICE" record --no-times -q -o O --engine emulate -n 3 -- "./$name" "$@" $t >out && "$COMMSLICE" run -q -o S -n 3 "$name.slice" "$@" $t >out && "$COMMSLICE" diff O S >out || { cat out; return 1; }
        unset COMMSLICE_BALANCE_SPEEDS
    done
}
loose() { for t in ss fac2 af vrp-ss; do "$COMMSLICE" run -q -o S -n 3 "$1.slice" 60 ${2:-} $t >out || return 1; done; }
gone() { "$COMMSLICE" info --all matmul_balanced.slice >out && grep -q '^ *0 of [0-9]* *0.0 %  multiply_row at' out || { cat out; false; }; }
case_ "a slice of the demo" slices matmul_balanced '[0-9]*' 60
case_ "a slice of the demo: its computation is gone" gone
case_ "a slice of the demo, any technique" loose matmul_balanced
case_ "a slice of heat" slices heat_balanced '[0-9]*' 60 5
case_ "a slice of nbody" slices nbody_balanced '[0-9]*' 40 3
case_ "a slice of nbody, any technique" loose nbody_balanced 3

# The environment comes before what the program says; the line says what was done.
says() { want=$1; shift; env COMMSLICE_BALANCE_REPORT=1 "$@" "$COMMSLICE" record --no-times -o T --engine emulate -n 2 --quiet -- ./items master-worker ss >out 2>err && grep -q "$want" err || { head -n 3 err; false; }; }
case_ "a technique by the environment" says 'commslice-balance: gss, master-worker: 700 items on 2 ranks in ' COMMSLICE_BALANCE_TECHNIQUE=gss
case_ "a chunk by the environment" says 'css, .*: 700 items .*, 3 chunks' COMMSLICE_BALANCE_TECHNIQUE=css COMMSLICE_BALANCE_CHUNK=300
printf '3\n1\n' >speeds
case_ "speeds in a file" says 'vrp, no messages: 700 items' COMMSLICE_BALANCE_TECHNIQUE=vrp COMMSLICE_BALANCE_SPEEDS=speeds

refuses() {
    want=$1; shift
    env "$@" >out 2>err
    [ $? = 2 ] && [ "$(grep -c '^commslice-balance: ' err)" = 1 ] && grep -q -- "$want" err || { cat out err; false; }
}
r="$COMMSLICE record --no-times -o T --engine emulate -n 2 --quiet --"
# shellcheck disable=SC2086  # words on purpose
{
    case_ "no such technique" refuses 'no technique sss; there are static vrp' COMMSLICE_BALANCE_TECHNIQUE=sss $r ./items master-worker ss
    case_ "no such way" refuses 'no way slow; there are master-worker' $r ./items slow ss
    case_ "a speed of 0" refuses 'COMMSLICE_BALANCE_SPEEDS=1,0: give a number above 0' COMMSLICE_BALANCE_SPEEDS=1,0 $r ./items master-worker ss
    case_ "no number" refuses 'COMMSLICE_BALANCE_SPEEDS=1,x: give a number' COMMSLICE_BALANCE_SPEEDS=1,x $r ./items master-worker ss
    case_ "too few speeds" refuses '1,2,3: 3 speeds for 2 ranks' COMMSLICE_BALANCE_SPEEDS=1,2,3 $r ./items master-worker ss
    case_ "no file of speeds" refuses 'nosuch: No such file' COMMSLICE_BALANCE_SPEEDS=nosuch $r ./items master-worker ss
    case_ "a chunk that is none" refuses 'a chunk of 3x items' COMMSLICE_BALANCE_CHUNK=3x $r ./items master-worker css
    case_ "ranks with other loops" refuses 'a loop of 5 to 7 items' $r ./items disagree
    case_ "ranks with other techniques" refuses 'do not ask for the same technique' $r ./items differ
    case_ "less than no items" refuses 'a loop of -1 to -1 items' $r ./items none
}

# What a rank does not finish is not lost in silence: the run ends, with an error.
killed() { cat >die.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
#include "commslice-balance.h"
static void body(int64_t first, int64_t count, void *state) { int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); if (rank == 1) abort(); usleep(1000 * (useconds_t)count); }
int main(int argc, char **argv) { MPI_Init(&argc, &argv); cs_balance_for(1000, body, NULL, MPI_COMM_WORLD, "gss"); return MPI_Finalize(); }
END
    "$MPICC" -I"$top/balance/library" -o die die.c "$library" -lm || return 1
    emulate 3 ./die >out 2>err; code=$?
    [ $code != 0 ] && grep -q 'rank 1' err || { echo $code; cat err; false; }
}
case_ "a rank that is killed" killed

# What a program links with, as pkg-config says.
package() { PKG_CONFIG_PATH=$build/packaging pkg-config --static --libs --cflags commslice-balance | grep -q -- '-lcommslice-balance -lm'; }
case_ "pkg-config" package
own_names() { nm -D --defined-only "$build/balance/libcommslice-balance.so" >names && [ -s names ] && ! grep -v ' T cs_balance_' names; }
case_ "the shared library shows its calls alone" own_names
finish
