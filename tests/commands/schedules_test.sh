#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What predictions write for other tools: GOAL schedules, which a small player in awk checks, and text input of Extra-P.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/commands/model_traces.sh"

goal() { "$COMMSLICE" predict --network latency=1us,overhead=100ns,gap=0ns,bandwidth=1GB/s,eager=1KB --force --goal out.goal "$1" >/dev/null; }

# A call comes 1000 ns after the one before, or more.
one_message() {
    make_trace one.T <<'X' && goal one.T && diff - out.goal <<'Y'
ranks 2
times
0 MPI_Init
0 MPI_Isend 100 d1 1 7 world
0 MPI_Wait 1 +500
0 MPI_Finalize
1 MPI_Init
1 MPI_Recv 200 d1 any 7 world +40
1 MPI_Finalize
X
// GOAL schedule of commslice
num_ranks 2

rank 0 {
l1: calc 1000
l2: send 800b to 1 tag 1
l2 requires l1
l3: calc 1500
l3 irequires l2
l4: calc 0
l4 requires l3
l4 requires l2
l5: calc 1000
l5 requires l4
}

rank 1 {
l1: calc 1040
l2: recv 800b from 0 tag 1
l2 requires l1
l3: calc 1000
l3 requires l2
}
Y
}

# whole FILE: each send has its receive, in both sizes and tags; labels are there before they are named; all operations can be done, in the
# order of each rank's dependencies.
whole() {
    awk '/^rank/ { r = $2 } /^l[0-9]*:/ { sub(":", "", $1); op[r, $1] = 1; if ($2 != "calc") { k = $2 == "send" ? r " " $5 " " $3 " " $7 : $5 " " r " " $3 " " $7; n[k] += $2 == "send" ? 1 : -1; messages++ } }
        / i?requires / { if (!((r, $1) in op) || !((r, $3) in op) || substr($1, 2) + 0 <= substr($3, 2) + 0) { print "bad: " r ": " $0; bad = 1 } }
        END { for (k in n) if (n[k]) { print "no partner: " k; bad = 1 } exit bad || !messages }' "$1"
}

# Requests, wildcards, nonblocking and blocking collectives, of all ranks and of some.
mixed() {
    {
        echo ranks 5
        echo times
        for r in 0 1 2 3 4; do
            printf '%d MPI_Init\n%d MPI_Iallreduce 1 d1 MPI_SUM world\n' $r $r
            [ $r = 0 ] && printf '0 MPI_Recv 10 d1 any 3 world\n%.0s' 1 2 3 4
            [ $r != 0 ] && echo "$r MPI_Send $r d1 0 3 world +300"
            printf '%d MPI_Wait 1 +20\n%d MPI_Bcast 4000 d1 2 world\n%d MPI_Alltoall 3 d1 3 d1 world\n%d MPI_Barrier world +70\n%d MPI_Finalize\n' $r $r $r $r $r
        done
    } | make_trace mixed.T && goal mixed.T && whole out.goal && [ "$(grep -c '^rank' out.goal)" = 5 ]
}

# commslice export writes the same schedule, with what was computed as recorded; one of a trace without times computes nothing.
exported() {
    "$COMMSLICE" export -f goal -o export.goal mixed.T && whole export.goal && "$COMMSLICE" export -f goal one.T >one.goal && grep -q '^l1: calc 1000$' one.goal || return 1
    ! "$COMMSLICE" export -f goal --limit 1 one.T 2>err && grep -q 'only of use as a whole' err || { cat err; return 1; }
    "$COMMSLICE" merge -o one.merged one.T >/dev/null && "$COMMSLICE" expand -o plain.T one.merged && "$COMMSLICE" export -f goal plain.T >plain.goal && whole plain.goal && ! grep 'calc [1-9]' plain.goal
}

refuses_goal() {
    echo mine >mine.goal
    "$COMMSLICE" predict --network latency=1us --goal mine.goal one.T >out 2>err; [ $? = 2 ] && [ "$(cat mine.goal)" = mine ] && [ "$(wc -l <err)" = 1 ] || return 1
    "$COMMSLICE" predict --network latency=1us --goal two.goal one.T mixed.T >out 2>err; [ $? = 2 ] && grep -q 'of one run' err && [ ! -e two.goal ] || return 1
    "$COMMSLICE" predict --goal three.goal one.T >out 2>err; [ $? = 2 ] && grep -q 'go with --model or --network' err || return 1
    "$COMMSLICE" predict --force --network latency=1us --goal one.T one.T >out 2>err; [ $? = 2 ] && grep -q 'is the trace itself' err
}

# ---- Extra-P ----

extra_p() {
    counted r2.T 2 1000 yes && counted r4.T 4 1000 yes && counted r4b.T 4 1000 yes && counted r4c.T 4 6000 yes && counted r2c.T 2 6000 yes &&
        "$COMMSLICE" fit -o app.model --extra-p one.txt r2.T r4.T r4b.T >/dev/null && sed -n 2,3p one.txt | tr '\n' ' ' | grep -qx 'PARAMETER p POINTS 2 4 ' &&
        grep -A2 'REGION whole->app.c:1..app.c:2' one.txt | tr '\n' ' ' | grep -q '^REGION whole->app.c:1..app.c:2 DATA 1.01e-05 DATA 5.1e-06 5.1e-06 ' && [ "$(grep -c ^METRIC one.txt)" = 3 ] && [ "$(grep -c ^DATA one.txt)" = 18 ]
}
two_parameters() {
    "$COMMSLICE" fit --force -o app.model --sizes 10,10,60,60 --extra-p two.txt r2.T r4.T r4c.T r2c.T >/dev/null && sed -n 2,3p two.txt | tr '\n' ' ' | grep -qx 'PARAMETER p n POINTS (2 10) (4 10) (4 60) (2 60) '
}
refuses_extra_p() {
    "$COMMSLICE" fit -o new.model --extra-p x.txt r2.T r4.T r4c.T >out 2>err; [ $? = 2 ] && grep -q 'x.txt: r4.T and r4c.T are not of one size: give --sizes' err && [ ! -e x.txt ] && [ ! -e new.model ] || return 1
    echo mine >mine.txt
    "$COMMSLICE" fit -o new.model --extra-p mine.txt r2.T >out 2>err; [ $? = 2 ] && [ "$(cat mine.txt)" = mine ] && [ ! -e new.model ]
}

case_ 'a message as a schedule' one_message
case_ 'collectives, wildcards and requests as a schedule' mixed
case_ 'a schedule by commslice export' exported
case_ 'a schedule replaces schedules only' refuses_goal
case_ 'input for Extra-P' extra_p
case_ 'with sizes' two_parameters
case_ 'no input for Extra-P' refuses_extra_p
finish
