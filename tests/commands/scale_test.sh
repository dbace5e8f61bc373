#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice scale: traces by hand on 2, 4 and 8 ranks, in which it is known what grows as what; all forms of traces; bad input.
set -u
. "$(dirname "$0")/../frame.sh"
# RANKS: a ring whose messages are shorter on more ranks, a reduction, a gather of which the root alone hears more, and two barriers on many ranks only.
make_trace() {
    {
        echo "ranks $1"
        for r in $(seq 0 $(($1 - 1))); do
            echo "$r MPI_Send $((64 / $1)) d1 $(((r + 1) % $1)) 0 world @ /a/ring.c:10"
            echo "$r MPI_Recv $((64 / $1)) d1 $(((r + $1 - 1) % $1)) 0 world @ /a/ring.c:11"
            for k in $(seq $(($1 / 2))); do echo "$r MPI_Allreduce 1 d1 MPI_SUM world @ /a/ring.c:20"; done
            [ "$1" -lt 4 ] || echo "$r MPI_Barrier world @ /a/ring.c:30"
        done
    } | "$build/tests/unit/trace_make" "T.$1"
}
for n in 2 4 8; do make_trace $n; done
ask() { jq -c "$1" out; }
numbers() {
    "$COMMSLICE" scale --json T.8 T.2 T.4 >out && [ "$(ask '[.traces[]|[.path,.ranks]]')" = '[["T.2",2],["T.4",4],["T.8",8]]' ] &&
        [ "$(ask '.places[]|select(.line==10)|[.call,.calls_of_a_rank,.bytes_of_a_rank,.bytes_power,.ranks]')" = '["MPI_Send",[1,1,1],[256,128,64],-1,[2,4,8]]' ] &&
        [ "$(ask '.places[]|select(.line==20)|[.calls_of_a_rank,.calls_power,.bytes_of_a_rank]')" = '[[1,2,4],1,[8,16,32]]' ] &&
        [ "$(ask '.places[]|select(.line==30)|[.calls_of_a_rank,.calls_power,.ranks]')" = '[[0,1,1],null,[0,4,8]]' ] && [ "$(ask .partners)" = '{"mean":[1,1,1],"power":0}' ] &&
        [ "$(ask '.all|[.calls_of_a_rank,.bytes_of_a_rank]')" = '[[3,5,7],[264,144,96]]' ] || { cut -c1-300 out; false; }
}
text() {
    "$COMMSLICE" scale T.2 T.4 T.8 >out && grep -q '^ *1 *1 *1  same *256 B *128 B *64 B  p^-1.00 *ring.c:10 MPI_Send$' out && grep -q '^ *1 *2 *4  p^1.00 *8 B *16 B *32 B  p^1.00 *ring.c:20 MPI_Allreduce$' out &&
        grep -q '^ *0 *1 *1  not in all *0 B *0 B *0 B *ring.c:30 MPI_Barrier$' out && grep -q '^2 ranks: T.2$' out && "$COMMSLICE" scale -n 1 T.2 T.8 | grep -q 'and 3 more places (-n 4 shows all)' || { cat out; false; }
}
forms() {
    "$COMMSLICE" scale --json T.2 T.8 >plain && "$COMMSLICE" merge -o M.2 T.2 >log && "$COMMSLICE" fold -o F.8 M.2 >log && "$COMMSLICE" merge -o M.8 T.8 >log && "$COMMSLICE" fold --force -o F.8 M.8 >log &&
        "$COMMSLICE" scale --json M.2 F.8 | sed 's/"M.2"/"T.2"/; s/"F.8"/"T.8"/' >out && [ "$(jq -S '.places|sort_by(.line)' out)" = "$(jq -S '.places|sort_by(.line)' plain)" ]
}
# PATTERN ARGUMENTS...
refuses() {
    pattern=$1; shift
    "$COMMSLICE" scale "$@" >out 2>err
    [ $? = 2 ] && grep -q "$pattern" err && [ ! -s out ] || { cat out err; return 1; }
}
bad() {
    cp T.2 again && head -c 60 T.4 >cut && refuses 'give 2 to 16 traces' T.2 && refuses 'T.2 and again are both of 2 ranks\|again and T.2 are both of 2 ranks' T.2 again T.4 && refuses 'nowhere: ' T.2 nowhere && refuses 'cut: ' T.2 cut &&
        refuses 'give a number of rows' -n 0 T.2 T.4 && refuses 'give 2 to 16' T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2 T.2
}
# Each point of each metric and region has its number, in the order of the ranks.
extrap() {
    "$COMMSLICE" scale --extra-p xp T.8 T.2 T.4 >out && grep -qx 'POINTS 2 4 8' xp && [ "$(grep -c '^REGION' xp)" = 10 ] && [ "$(grep -c '^DATA' xp)" = 30 ] &&
        [ "$(sed -n '/^METRIC bytes/,$p' xp | grep -A 3 'whole->ring.c:10_MPI_Send' | sed 1d | tr '\n' ' ')" = 'DATA 256 DATA 128 DATA 64 ' ] && echo mine >own &&
        ! "$COMMSLICE" scale --extra-p own T.2 T.4 >out 2>err && grep -q 'own: ' err && [ "$(cat own)" = mine ] &&
        cp T.4 kept && ! "$COMMSLICE" scale --force --extra-p T.4 T.2 T.4 >out 2>err && grep -q 'T.4: is the trace itself' err && cmp T.4 kept
}
case_ "input for Extra-P" extrap
case_ "numbers" numbers
case_ "text" text
case_ "merged and folded" forms
case_ "bad input" bad
finish
