#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice monitor: what it says of programs that stop in a known call, what is left of runs that end or are killed, plans that a loop follows,
# and what it refuses. Nothing depends on how long anything takes: programs stop until a file is there.
set -u
. "$(dirname "$0")/../frame.sh"
export COMMSLICE_MONITOR_DIR="$dir/runs"
unset COMMSLICE_MONITOR
must "$MPICC" -g -O1 -o stops "$top/tests/commands/monitor_stops.c"
must "$MPICC" -g -O1 -I"$top/balance/library" -o items "$top/tests/commands/monitor_items.c" "$build/balance/libcommslice-balance.a" -lm

monitor() { "$COMMSLICE" monitor "$@"; }
none_left() { [ -z "$(ls runs 2>/dev/null)" ] || { ls runs; false; }; }

# Looks until what is seen is so, at most some minutes: until_seen JQ-CONDITION.
until_seen() {
    for i in $(seq 600); do
        monitor --once --json >look 2>err && jq -e "$1" look >seen 2>&1 && return 0
        sleep 0.1
    done
    cat look err
    return 1
}
# Starts a command, looks until the condition holds, lets it go on, and takes its exit status.
stopped() { # CONDITION COMMAND...
    condition=$1
    shift
    rm -f go
    "$@" >program.out 2>&1 &
    pid=$!
    until_seen "$condition"
    seen=$?
    monitor --once >table
    touch go
    wait $pid || { cat program.out; return 1; }
    return $seen
}
emulate() { n=$1; shift; "$COMMSLICE" record --engine emulate -q -o T -n "$n" -- "$@"; }
mpich() { n=$1; shift; "$COMMSLICE" record -q -o T -- "$MPIEXEC" -n "$n" "$@"; }

chain='.chain == [3,2,1,0] and .rank[0].state == "computes" and .rank[3].call == "MPI_Wait" and .rank[3].waits_for == 2 and .loop == null'
case_ "a chain of waits: emulate" stopped "$chain" emulate 4 ./stops chain
case_ "a chain of waits: the table" grep -q '^longest wait: rank 3 for 2, 2 for 1, 1 for 0$' table
case_ "a chain of waits: MPICH" stopped '.chain == [2,1,0] and .here == 3 and .ranks == 3 and .program == "stops"' mpich 3 ./stops chain
case_ "nothing is left" none_left
case_ "a barrier waits for the rank that computes" stopped '.rank[1].state == "computes" and all(.rank[0,2,3]; .call == "MPI_Barrier" and .waits_for == 1)' emulate 4 ./stops barrier
case_ "ranks of another communicator" stopped '.rank[0].call == "MPI_Recv" and .rank[0].waits_for == 2' emulate 4 ./stops split
case_ "from any rank" stopped '.rank[1].waits_for == "any" and .chain == []' emulate 2 ./stops any
without_times() { "$COMMSLICE" record --no-times --engine emulate -q -o T -n 2 -- ./stops chain; }
case_ "a run without times" stopped '.rank[1].waits_for == 0 and .rank[1].since == null and .rank[1].in_mpi == null' without_times

# A slice is watched where that is asked for.
slice() { COMMSLICE_MONITOR=$1 "$COMMSLICE" run -q -o S -n 3 ./stops.slice chain; }
must commslice-mpicc -g -O1 -o stops.slice "$top/tests/commands/monitor_stops.c"
# A run that can be watched makes the folder of runs, which stays.
unseen() { touch go; COMMSLICE_MONITOR_DIR=$dir/never "$@" >out && [ ! -e never ]; }
seen() { touch go; COMMSLICE_MONITOR_DIR=$dir/watched "$@" >out && [ -d watched ]; }
unasked() { unseen slice '' && seen slice 1; }
case_ "a slice, unasked" unasked

# A process that is stopped, and one that is gone.
signalled() {
    rm -f go
    emulate 3 ./stops barrier >program.out 2>&1 &
    pid=$!
    until_seen '.rank[2].waits_for == 1' && kill -STOP "$(jq '.rank[2].pid' look)" && until_seen '.rank[2].state == "stopped" and .chain == [0,1]'
    seen=$?
    kill -CONT "$(jq '.rank[2].pid' look)"
    touch go
    wait $pid && return $seen
}
case_ "a rank that is stopped" signalled
killed_rank() { touch go; mpich 2 ./stops killed >out 2>&1; none_left; }
case_ "a rank that is killed leaves nothing" killed_rank
# All of a run is killed, with the command: the next monitor cleans up.
killed_run() {
    rm -f go
    COMMSLICE_MONITOR=doomed setsid "$COMMSLICE" record --engine emulate -q -o T -n 2 -- ./stops chain >program.out 2>&1 &
    pid=$!
    until_seen '.rank[1].waits_for == 0' && kill -9 -$pid
    touch go
    wait $pid
    for i in $(seq 600); do
        monitor --once >out 2>err || break
        sleep 0.1
    done
    grep -q 'nothing runs that can be watched' err && none_left
}
case_ "a run that is killed: the monitor cleans up" killed_run

# ---- loops ----
export COMMSLICE_MONITOR=1
plain() { n=$1; shift; "$MPIEXEC" -n "$n" "$@"; }
whole='.loop.items == 300 and .loop.technique == "vrp" and .rank[0].done == 100 and .rank[1].done == 0 and .rank[1].at_work == 100 and .rank[1].block == 100 and .rank[1].rate == null and .loop.end.by_others == 1'
case_ "a loop in blocks" stopped "$whole" plain 3 ./items vrp 300 50
# Rank 1 stops in its chunk; the others do all the rest.
# Its chunk is what the others have not done; a worker keeps the last eighth of it until it has asked for the next one.
chunk='(3000 - .loop.done) as $c | .loop.technique == "wf" and .rank[1].done == 0 and .rank[1].at_work > 0 and .rank[1].at_work == $c - (($c + 7) / 8 | floor)'
case_ "a loop in chunks" stopped "$chunk" plain 3 ./items wf 3000 60
case_ "a loop, and MPI calls besides" stopped '.rank[0].loop == 1 and .rank[1].at_work == 100 and .rank[1].events > 0' env COMMSLICE_MONITOR= "$COMMSLICE" record --engine emulate -q -o T -n 3 -- ./items vrp 300 50
switched_off() { unseen env COMMSLICE_MONITOR=0 "$MPIEXEC" -n 2 ./items fac2 30 5; }
# What a recorded program does in a chunk is in the trace: to be watched must not make more chunks. One rank without a
# leader gets the same chunks in each run; pieces of them are made where a plan may be followed.
chunks() { # COMMSLICE_MONITOR FOLLOW
    COMMSLICE_MONITOR=$1 COMMSLICE_BALANCE_FOLLOW=$2 COMMSLICE_BALANCE_WAY=one-sided "$COMMSLICE" record --engine emulate --force -q -o C -n 1 -- ./items fac2 64 1000 chunks >out &&
        "$COMMSLICE" print C | grep -c MPI_Bcast
}
same_chunks() {
    touch go
    unwatched=$(chunks 0 0) unasked=$(chunks '' 0) followed=$(chunks 1 1)
    [ "$unwatched" -ge 2 ] && [ "$unasked" = "$unwatched" ] && [ "$followed" -gt "$unwatched" ] || { echo "$unwatched, $unasked, $followed chunks"; false; }
}
case_ "switched off" switched_off
case_ "watched unasked, the trace is the same" same_chunks

# Rank 1 stops in its block: by a plan the others do the parts that it has not begun. Without one they do not.
follows() {
    rm -f go
    "$MPIEXEC" -n 3 ./items vrp 3000 500 >program.out 2>&1 &
    pid=$!
    until_seen '.loop.done > 0' || return 1
    "$COMMSLICE" monitor --correct --json -i 0.1 >looks &
    watcher=$!
    until_seen '.loop.items - .loop.done == .rank[1].at_work and .rank[0].plan > 0'
    seen=$?
    touch go
    wait $pid && wait $watcher && grep -qx '0 items wrong' program.out && tail -n 1 looks | jq -e '.plan > 0' >out && return $seen
    cat program.out
    return 1
}
export COMMSLICE_BALANCE_FOLLOW=1
case_ "blocks move by a plan" follows
case_ "blocks stay without a plan" stopped '.rank[0].done == 1000 and .rank[2].done == 1000 and .rank[0].at_work == 0 and .rank[2].at_work == 0 and .rank[1].at_work > 0' plain 3 ./items vrp 3000 500
unset COMMSLICE_BALANCE_FOLLOW
unset COMMSLICE_MONITOR

# ---- progress through a trace ----
progress() {
    touch go
    emulate 3 ./stops chain && mv T before || return 1
    rm -f go
    emulate 3 ./stops chain >program.out 2>&1 &
    pid=$!
    until_seen '.rank[2].waits_for == 1'
    monitor --once --json --trace before >progress.json
    seen=$?
    touch go
    wait $pid && [ $seen = 0 ] && jq -e '.run_by.what == "trace" and .run_by.progress < 1 and .rank[2].segment == "monitor_stops.c:26 -> monitor_stops.c:27"' progress.json >out || { cat progress.json; false; }
}
case_ "progress through an earlier run" progress
other_ranks() {
    rm -f go
    emulate 2 ./stops chain >program.out 2>&1 &
    pid=$!
    until_seen '.rank[1].waits_for == 0'
    monitor --once --trace before >out 2>err
    code=$?
    touch go
    wait $pid && [ $code = 2 ] && grep -qx 'commslice monitor: the trace is of 3 ranks, the run has 2' err
}
case_ "the trace of another run" other_ranks

# ---- several runs ----
two() {
    rm -f go
    COMMSLICE_MONITOR=one "$COMMSLICE" record --engine emulate -q -o T1 -n 2 -- ./stops chain &
    COMMSLICE_MONITOR=two "$COMMSLICE" record --engine emulate -q -o T2 -n 2 -- ./stops barrier &
    for i in $(seq 600); do monitor --once >list 2>err; [ "$(wc -l <list)" = 2 ] && break; sleep 0.1; done
    grep -q '^one ' list && grep -q '^two ' list && grep -q 'say which one' err && monitor --once --json one | jq -e '.run == "one"' >out &&
        monitor --once --json "$(monitor --once --json two | jq '.rank[0].pid')" | jq -e '.run == "two"' >out
    seen=$?
    touch go
    wait
    return $seen
}
case_ "several runs" two

# ---- what it refuses ----
expect "no run" 1 'nothing runs that can be watched' monitor --once
expect "no such run" 1 'nosuch: no run of this name or process can be watched' monitor nosuch
expect "an interval" 2 'interval 0: give seconds from 0.01' monitor -i 0
expect "an interval that is no number" 2 'interval often' monitor -i often
expect "two runs" 2 'b: give one run' monitor a b
expect "a model without a trace" 2 'model needs a trace' monitor --model m
expect "a trace that is not there" 2 'nosuch' monitor --trace nosuch
must emulate 1 ./stops barrier
cp T timed
must "$COMMSLICE" record --no-times --engine emulate -q -o untimed -n 1 -- ./stops barrier
expect "a trace without times" 2 'untimed: has no times: give the model' monitor --trace untimed
garbage() { mkdir -p runs && echo garbage >runs/x.live && : >runs/y.live && monitor --once; }
expect "files that are none" 1 'nothing runs' garbage
rm -f runs/*
must ln -sfn "$dir" linked
expect "a folder of others" 0 'this run cannot be watched' env COMMSLICE_MONITOR_DIR="$dir/linked" "$COMMSLICE" record --engine emulate -q -o T -n 1 -- ./stops barrier
finish
