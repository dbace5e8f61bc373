#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice plan: traces made by hand, and the demo's slice, which is run for it.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/commands/model_traces.sh"

# 500 turns each time on a rank of the target.
must counted target.T 8 4000 no && must counted near.T 2 1000 no && must counted tiny.T 2 10 no && must counted large.T 2 90000 no && must counted less.T 4 1600 no
plan() { "$COMMSLICE" plan "$@"; }
chosen() { sed -n 's/.* %  \([^ ]*\.T\)$/\1/p' out | sort | tr '\n' ' '; }

# The one of its size comes first; a tiny one tells what is beside the loops.
chooses() { plan --target target.T --most 3 --caches none tiny.T large.T less.T near.T >out && [ "$(chosen)" = 'less.T near.T tiny.T ' ] && sed -n 3p out | grep -q near.T && ! grep -q outside out; }
outside() { plan --target target.T --most 1 tiny.T >out && grep -q '^app.c:1 -> app.c:2, [0-9]* % of the target.s turns: 100 times outside of these runs, in the loop at app.c:9' out; }
# A cache of 1 KiB holds the 5 numbers of tiny.T, and not 500.
beyond() {
    say='goes through 0.04.* MB again and again, none of these runs through more than 0.0004.* MB, which a cache holds'
    plan --target target.T --most 1 --caches 1KiB tiny.T >out && grep -q "^app.c:1 -> app.c:2, .*$say" out &&
        plan --target target.T --most 1 --caches none tiny.T >out && ! grep -q 'again and again' out &&
        plan --target target.T --most 3 --caches 1KiB tiny.T near.T >out && [ "$(chosen)" = 'near.T tiny.T ' ] && ! grep -q 'again and again' out
}
# The target goes from its barrier to its end by another call, with nine of ten of its turns; small runs that go there, too, are as others.
other_way() { # FILE: 3000 turns to app.c:3 by way of app.c:4, beside the 300 that all runs have.
    {
        echo ranks 2
        for r in 0 1; do
            printf '%d MPI_Init @ app.c:1\n%d MPI_Barrier world @ app.c:2\n%d MPI_Barrier world @ app.c:4\n%d MPI_Finalize @ app.c:3\n' $r $r $r $r
            printf 'segment %d app.c:1 app.c:2 1 0 app.c:9=300\nsegment %d app.c:2 app.c:4 1 0 app.c:9=3000\nsegment %d app.c:4 app.c:3 1 0\n' $r $r $r
        done
    } | make_trace "$1"
}
other_ways() {
    other_way way.T && other_way same.T || return 1
    plan --target way.T near.T tiny.T >out && grep -q '^89 % of the target.s turns are in pieces that none of these runs goes through: where an input takes' out &&
        plan --json --target way.T near.T tiny.T | jq -e '.other_ways_share > 0.87 and .other_ways_share < 0.91' >/dev/null &&
        plan --target way.T near.T same.T >out && ! grep -q 'where an input takes' out
}
json() { plan --json --target target.T near.T tiny.T >out && [ "$(jq -r '(.runs | length), .runs[0].run, .target_turns' out | tr '\n' ' ')" = '2 near.T 40080 ' ]; }

settings() { printf 'rows %d\ncols %d\ngrid_rows 1\ngrid_cols %d\nsteps 8\nreport 4\n' "$2" "$2" "$1" >"in.$2.$1.txt"; }
# 64 x 64 on 16 ranks: 256 points each, as 32 x 32 on 4 ranks; a grid of 3 is not there, which costs a candidate.
slice() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-counters -o heat.s "$top/demo/heat.c" -lm && mkdir -p tmp || return 1
    for n in 1 2 4 16; do for size in 16 32 64; do settings $n $size; done; done
    TMPDIR=$PWD/tmp plan --target 16:64 -n 1,2,3,4 --sizes 16,32 ./heat.s in.{size}.{n}.txt >out 2>err && [ -z "$(ls tmp)" ] && grep -q 'heat.s -n 4, size 32$' out && ! grep -q 'n 3' out &&
        grep -q './heat.s -n 3, size 16 failed' err
}
refuses() {
    while IFS='|' read -r args say; do
        # shellcheck disable=SC2086  # words on purpose
        plan $args >out 2>err
        [ $? = 2 ] && [ ! -s out ] && grep -q -- "$say" err && [ "$(wc -l <err)" = 1 ] || { echo "$args"; cat out err; return 1; }
    done <<'END'
near.T|give the target
--target target.T|give traces
--target none.T near.T|none.T
--target target.T none.T|none.T
--target target.T --most 0 near.T|no number from 1
--target target.T --sizes 3 near.T|goes with -n
--target 8:x -n 1,2 --sizes 4 ./s|--target x: give numbers
--target 8,9 -n 1,2 ./s|there is one target
--target 8 -n 1,2 --sizes 4 ./s|RANKS:SIZE
--target 8:4 -n 1,2 ./s|RANKS:SIZE
--target 8 -n 1,y ./s|-n 1,y: give numbers
--target target.T --caches 3 near.T|--caches 3: give
--target target.T --caches 32KiB,8KiB near.T|ascending
--target other.T near.T|of another program
--target short.T near.T|short.T: has no counters
END
}
make_trace other.T <<'X'
ranks 1
0 MPI_Init @ b.c:1
0 MPI_Finalize @ b.c:3
segment 0 b.c:1 b.c:3 1 0 b.c:9=7
X
make_trace short.T <<'X'
ranks 1
0 MPI_Init
0 MPI_Finalize
X

case_ 'runs near the target are chosen' chooses
case_ 'what lies outside is said' outside
case_ 'what goes beyond a cache is said' beyond
case_ 'ways that no small run goes' other_ways
case_ 'JSON' json
case_ 'a slice is run' slice
case_ 'wrong words' refuses
finish
