#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice shares: blocks by speed, by measured times and by curves; the files that it writes, and what it refuses.
set -u
. "$(dirname "$0")/../frame.sh"
shares() { "$COMMSLICE" shares "$@"; }
all() { jq -c '[.machines[].shares[]]' out; }

printf '# two types\nold 2 1\n\nnew 2 2.5 # twice and a half\n' >machines
# 1000 items over 1 + 1 + 2.5 + 2.5: 142.857 and 357.143 each.
speeds() {
    shares --json -n 1000 --item-cost 0.01 machines >out && [ "$(all)" = '[143,143,357,357]' ] &&
        [ "$(jq -c '[.seconds, .seconds_equal, .machines[1].relative]' out)" = '[1.43,2.5,2.5]' ] && [ "$(jq '.gain * 10 | round' out)" = 428 ]
}
adds_up() {
    for n in 1 2 3 5 7 11 101 9007199254740992; do shares --json -n $n machines >out && [ "$(jq '[.machines[].shares[]] | add' out)" = $n ] || { echo $n; return 1; }; done
    shares --json -n 1 machines >out && [ "$(all)" = '[0,0,1,0]' ] && [ "$(jq .seconds out)" = null ]
}
# Half the time is twice the speed.
by_times() { printf 'a 1 6\nb 1 3\nc 1 2\n' >timed && shares --json --times -n 60 timed >out && [ "$(all)" = '[10,20,30]' ]; }
# Beyond 100 items a needs 3 s for one: 100 + 3 x = 2 (400 - x - 100) at x = 100, so that both take 400 s.
curves() {
    printf 'a 1 100:100,200:400\nb 1 100:200\n' >curved && shares --json -n 400 curved >out && [ "$(all)" = '[200,200]' ] && [ "$(jq .seconds out)" = 400 ] &&
        shares --json -n 150 curved >out && [ "$(all)" = '[100,50]' ] && [ "$(jq '.machines[0].relative' out)" = 2 ]
}
table() { shares -n 1001 machines >out && grep -q '^        2     1.000           143 *286  old$' out && grep -q '^unit load: 143 items' out && grep -q '^gain 42' out && ! grep -q predicted out; }
files() {
    shares -n 1000 --hostfile hosts --shares items machines >out && [ "$(grep -v '^#' hosts | tr '\n' ' ')" = 'old:2 new:2 ' ] && [ "$(grep -v '^#' items | tr '\n' ' ')" = '143 143 357 357 ' ] &&
        shares -n 2000 --shares items machines >out && grep -q 714 items && echo mine >mine && ! shares -n 1000 --shares mine machines >out 2>err && [ "$(cat mine)" = mine ] &&
        shares -n 1000 --shares mine --force machines >out && grep -q 357 mine
}
# The library takes the shares as speeds, and hands out just these.
library() {
    cat >each.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include "commslice-balance.h"
static void body(int64_t first, int64_t count, void *state) { *(int64_t *)state += count; }
int main(int argc, char **argv)
{
    int rank;
    int64_t own = 0, all[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int code = cs_balance_for(1000, body, &own, MPI_COMM_WORLD, "vrp");
    MPI_Gather(&own, 1, MPI_INT64_T, all, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d %d %d\n", (int)all[0], (int)all[1], (int)all[2], (int)all[3]);
    MPI_Finalize();
    return code;
}
END
    "$MPICC" -I"$top/balance/library" -o each each.c "$build/balance/libcommslice-balance.a" -lm && shares -n 1000 --shares plan machines >/dev/null &&
        [ "$(COMMSLICE_BALANCE_SPEEDS=plan "$COMMSLICE" record --no-times -o T --engine emulate -n 4 --quiet -- ./each)" = '143 143 357 357' ]
}
refuses() {
    printf 'a 1 1\nb 1 0\n' >zero; printf '# none\n' >empty; printf 'a 0 1\n' >noone; printf 'a 1\n' >short; printf 'a 1 1 1 1\n' >long; printf 'a 1 1:2\nb 1 3\n' >both
    printf 'a 1 2:1,1:3\n' >down; printf 'a 1 x\n' >word; printf 'a 9999999 1\n' >many; printf 'a - 1\n' >nocores
    printf 'cores many\n' >box; printf 'a - 1 box\n' >odd; printf 'cores 2\nmemory 100 MiB\n' >b; printf 'a - 1 b\n' >full
    while IFS='|' read -r args say; do
        # shellcheck disable=SC2086  # words on purpose
        shares $args >out 2>err
        [ $? = 2 ] && [ ! -s out ] && grep -q -- "$say" err && [ "$(wc -l <err)" = 1 ] || { echo "$args"; cat out err; return 1; }
    done <<'END'
machines|say how many items
-n 0 machines|--items 0 is no number
-n 10|give a list of machines
-n 10 --describe-machine machines|--describe-machine stands alone
-n 10 --network latency=1us machines|--network goes with traces
-n 10 --item-memory 0 machines|--item-memory 0 is no number of bytes
-n 10 nocores|nocores:1: give a number of processes from 1 on, or -
-n 10 odd|box:1: give name, cores N, clock
-n 1000 --item-memory 1e6 full|a: its shares need .* b says that it has .*: they cannot be kept
-n 10 nosuch|nosuch: No such file
-n 10 zero|zero:2: 0: give a speed above 0
-n 10 --times zero|zero:2: 0: give a time above 0
-n 10 word|word:1: x: give a speed
-n 10 empty|empty: there are no machines
-n 10 noone|noone:1: give a number of processes from 1 on
-n 10 short|short:1: give a name
-n 10 long|long:1: give a name
-n 10 many|many:1: give a number
-n 10 both|both:2: either all machines have points
-n 10 down|down:1: give points as .* ascending
-n 10 --item-cost 0 machines|--item-cost 0 is no number of seconds above 0
-n 10 --hostfile x --shares x machines|are one file
END
}

# What a machine says of itself is read again: as many processes as it has cores.
described() {
    shares --describe-machine >self && grep -q '^cores [1-9]' self && grep -q '^memory [1-9][0-9]* MiB$' self && grep -q '^system ' self && printf 'a - 1 self\n' >own &&
        shares --json -n 1000 own >out && [ "$(jq '.machines[0].shares | length' out)" = "$(sed -n 's/^cores //p' self)" ]
}
# Models without a clock: a turn of a loop costs 3 ns on the old machines, 1 ns on the fast ones. What the slice counts on 2, 4 and 8 ranks says what shares cost.
models() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-counters -o heat.s "$top/demo/heat_rows.c" 2>log && commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=counted -o heat.o "$top/demo/heat_rows.c" 2>log || return 1
    for n in 32 64 128; do for r in 1 2 4; do "$COMMSLICE" record -q -o "T.$n.$r" --engine emulate -n $r -- ./heat.o $n 50 >log || return 1; done; done
    for r in 2 4 8; do "$COMMSLICE" run -q -o "S.$r" -n $r ./heat.s 256 50 >log || return 1; done
    "$COMMSLICE" fit -o any.model T.*.* >log && for speed in old=3 fast=1; do
        awk -F '\t' -v OFS='\t' -v ns="${speed#*=}" '$1 == "varies" { next } $1 == "row" { $5 = 100 * ns; $6 = 0; for (i = 7; i <= NF; i++) $5 += ns * substr($i, index($i, "=") + 1) } 1' any.model >"${speed%=*}.model"
    done && printf 'old 2 old.model\nfast 2 fast.model\n' >both.models
}
by_model() {
    shares --json --static -n 256 both.models S.2 S.4 S.8 >out && [ "$(jq '.machines[1].relative * 10 | round' out)" = 30 ] && [ "$(jq '[.machines[].shares[]] | add' out)" = 256 ] &&
        [ "$(jq '.machines[1].shares[0] / .machines[0].shares[1] > 2.9' out)" = true ] && [ "$(jq '.gain > 40 and .communication > 0 and .seconds < .seconds_equal and .enough_of == 8' out)" = true ] &&
        shares -n 256 both.models S.2 S.4 S.8 >out && grep -q '^of that .* are communication on 4 ranks' out && grep -q '^enough: ' out
}
# On a network that is slow enough, one rank is.
enough() { shares --json --network latency=1s -n 256 both.models S.2 S.4 S.8 >out && [ "$(jq .enough out)" -lt 3 ]; }
other_models() {
    sed 's/heat_rows\.c/other.c/' old.model >another.model; printf 'a 2 another.model\n' >others; printf 'a 2 nosuch\n' >nomodel
    while IFS='|' read -r args say; do
        # shellcheck disable=SC2086  # words on purpose
        shares $args >out 2>err
        [ $? = 2 ] && [ ! -s out ] && grep -q -- "$say" err && [ "$(wc -l <err)" = 1 ] || { echo "$args"; cat out err; return 1; }
    done <<'END'
-n 256 others S.2|no piece of this program is in another.model, which is a model of another one
-n 256 nomodel S.2|nosuch: No such file
-n 256 both.models S.2 S.2|two traces are of 2 ranks
-n 256 --times both.models S.2|no --times
-n 256 empty S.2|empty: there are no machines
END
}

case_ 'by speed' speeds
case_ 'shares add up' adds_up
case_ 'by measured times' by_times
case_ 'by curves' curves
case_ 'a table' table
case_ 'files' files
case_ 'the library takes them' library
case_ 'a machine describes itself' described
case_ 'wrong words' refuses
case_ 'a program, its models' models
case_ 'by models' by_model
case_ 'on a slow network' enough
case_ 'models that are of no use' other_models
finish
