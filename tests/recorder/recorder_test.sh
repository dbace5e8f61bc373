#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests of the preloaded library under mpiexec: events of each binding, marks, lost marks, runs that do not end well.
# UPDATE=1 writes the *.expected files anew.
set -u
. "$(dirname "$0")/../frame.sh"
src=$top/tests/recorder
lib=$COMMSLICE_LIBDIR/libcommslice-mpich.so emulate=$COMMSLICE_LIBDIR/libcommslice-emulate.so
DUMP_EVENTS=$build/tests/recorder/dump_events

# run RANKS PROGRAM ARG...: recorded to $dir/T
run() {
    n=$1
    shift
    rm -f "$dir/T" "$dir/T.live"
    COMMSLICE_TRACE=$dir/T timeout 60 "$MPIEXEC" -n "$n" -env LD_PRELOAD "$lib" "$@" > "$dir/out" 2>&1
}

# Events of a rank, with addresses in PROGRAM turned into lines.
events() {
    "$DUMP_EVENTS" "$dir/T" "$2" > "$dir/raw" || return 1
    while read -r event; do
        case $event in
        *:-1:+0x*)
            place=$(addr2line -e "$1" "${event##*+}")
            echo "${event% *} $(basename "${place%% *}")"
            ;;
        *) echo "$event" ;;
        esac
    done < "$dir/raw"
}

# compare NAME RANKS [PROGRAM-ARG]: the events of rank 1 are those of NAME.expected
compare() {
    run "$2" "$dir/$1" || wrong "$1: exit status $?: $(cat "$dir/out")"
    events "$dir/$1" 1 > "$dir/got" || wrong "$1: trace not complete"
    if [ "${UPDATE:-0}" = 1 ]; then
        cp "$dir/got" "$src/$1.expected"
    fi
    diff "$src/$1.expected" "$dir/got" || wrong "$1: other events"
}

must "$MPICC" -g -O0 -w -o "$dir/calls" "$src/calls.c"
must "$MPICC" -g -O0 -w -o "$dir/marks" "$src/marks.c"
must "$MPICC" -g -O0 -o "$dir/ends" "$src/ends.c"
must "$MPIFORT" -g -O0 -o "$dir/calls_f77" "$src/calls_f77.f"
must "$MPIFORT" -g -O0 -o "$dir/calls_f90" "$src/calls_f90.f90"
must "$MPIFORT" -g -O0 -o "$dir/calls_f08" "$src/calls_f08.f90"

check_ "events of calls" compare calls 3
check_ "events of calls_f77" compare calls_f77 2
check_ "events of calls_f90" compare calls_f90 2
check_ "events of calls_f08" compare calls_f08 2
check_ "events of marks" compare marks 3

# lost MARK PATTERN: the run ends in an error that names both places
lost() {
    COMMSLICE_PATIENCE=3
    export COMMSLICE_PATIENCE
    run 3 "$dir/marks" "$1" && wrong "lost $1: exit status 0"
    unset COMMSLICE_PATIENCE
    grep -q "^commslice: error: .*$2" "$dir/out" || wrong "lost $1: not said: $(cat "$dir/out")"
    "$DUMP_EVENTS" "$dir/T" 1 > /dev/null 2>&1 && wrong "lost $1: the trace calls itself complete"
}
check_ "lost mark of send" lost send 'marks.f90:109 (rank 1) meets the unmarked send at marks.f90:101 (rank 0)'
check_ "lost mark of recv" lost recv 'marks.f90:108 (rank 0) meets the unmarked receive at marks.f90:102 (rank 1)'
check_ "lost mark of allreduce" lost allreduce 'the marked MPI_Allreduce at marks.f90:122 (rank [02]) meets the unmarked collective call at marks.f90:106 (rank 1)'
check_ "lost mark of bcast" lost bcast 'differs: marked at marks.f90:107 (rank 0), unmarked at marks.f90:123 (rank 1)'

# The same on forked ranks, which end without waiting for each other: as many at a time as $1 says.
lost_emulated() {  # JOBS MARK PATTERN
    rm -f "$dir/T"
    COMMSLICE_TRACE=$dir/T COMMSLICE_RANKS=3 COMMSLICE_JOBS=$1 LD_BIND_NOW=1 LD_PRELOAD=$lib:$emulate timeout 60 "$dir/marks" $2 > "$dir/out" 2>&1
    got=$?
    if [ -z "$2" ]; then
        [ $got = 0 ] && [ ! -s "$dir/out" ] || wrong "marks, forked, $1 at a time: exit status $got: $(cat "$dir/out")"
        return
    fi
    [ $got = 3 ] || wrong "lost $2, forked, $1 at a time: exit status $got"
    grep -q "^commslice: error: .*$3" "$dir/out" || wrong "lost $2, forked, $1 at a time: not said: $(cat "$dir/out")"
    for rank in 0 1 2; do
        "$DUMP_EVENTS" "$dir/T" $rank > "$dir/raw" 2> "$dir/err" && wrong "lost $2, forked, $1 at a time: the trace of rank $rank calls itself complete"
        [ -s "$dir/raw" ] || wrong "lost $2, forked, $1 at a time: nothing of rank $rank can be read: $(cat "$dir/err")"
    done
}
for jobs in 1 3; do
    check_ "no lost mark, forked, $jobs at a time" lost_emulated $jobs '' \'\'
    check_ "lost mark of send, forked, $jobs at a time" lost_emulated $jobs send 'the unmarked send at marks.f90:101 (rank 0) meets the marked receive at marks.f90:109 (rank 1), tag 4'
    check_ "lost mark of recv, forked, $jobs at a time" lost_emulated $jobs recv 'the marked send at marks.f90:108 (rank 0) meets the unmarked receive at marks.f90:102 (rank 1), tag 4'
    check_ "lost mark of allreduce, forked, $jobs at a time" lost_emulated $jobs allreduce 'differs: unmarked at marks.f90:106 (rank 1), marked at marks.f90:122 (rank [02])\|differs: marked at marks.f90:122 (rank [02]), unmarked at marks.f90:106 (rank 1)'
    check_ "lost mark of bcast, forked, $jobs at a time" lost_emulated $jobs bcast 'differs: .*marked at marks.f90:[0-9]* (rank [0-2]), .*marked at marks.f90:[0-9]* (rank [0-2])'
done

# One-sided communication: recorded, and nothing of what the library does for it, or for a file, is an event.
must "$MPICC" -g -O0 -o "$dir/one_sided" "$src/one_sided.c"
told() {  # FILE TEXT...
    file=$1
    shift
    for text; do grep -qF "$text" "$file" || wrong "$file lacks: $text"; done
}
one_sided() {
    commslice record -o "$dir/T" -- "$MPIEXEC" -n 2 "$dir/one_sided" "$dir/shared.file" 2> "$dir/out" || wrong "exit status $?: $(cat "$dir/out")"
    events "$dir/one_sided" 1 > "$dir/got" || wrong "trace not complete"
    [ "$(cut -d' ' -f1 "$dir/got" | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" = "1 Init 1 Barrier 1 Win_create 1 Win_fence 50 Put 1 Win_fence 1 Win_free 1 File_open 1 File_write_at_all 1 File_close 1 Comm_dup 1 Barrier 1 Comm_free 1 Finalize " ] ||
        wrong "other events: $(cat "$dir/got")"
    commslice info "$dir/T" > "$dir/info"
    told "$dir/info" 'world/0'
    commslice matrix --json "$dir/T" > "$dir/matrix" 2>&1
    told "$dir/matrix" '409600'
    commslice merge -o "$dir/merged" "$dir/T" > "$dir/out" 2>&1 && commslice expand -o "$dir/again" "$dir/merged" >> "$dir/out" 2>&1 ||
        wrong "merge and expand: $(cat "$dir/out")"
    commslice diff "$dir/T" "$dir/again" > "$dir/out" 2>&1 || wrong "expanded: $(cat "$dir/out")"
    commslice report -o "$dir/page.html" "$dir/T" > "$dir/out" 2>&1 || wrong "report: $(cat "$dir/out")"
}
check_ "one-sided communication is recorded" one_sided

# ends HOW: what rank 1 recorded is there
ends() {
    run 2 "$dir/ends" "$1" && wrong "$1: exit status 0"
    "$DUMP_EVENTS" "$dir/T" 1 > "$dir/raw" && wrong "$1: the trace calls itself complete"
    n=$(wc -l < "$dir/raw")
    [ "$n" = 101 ] || wrong "$1: $n events of rank 1, not 101"
}
check_ "what ends by abort is recorded" ends abort
check_ "what ends by exit is recorded" ends exit
check_ "what ends by term is recorded" ends term
check_ "what ends by kill is recorded" ends kill

# Nothing of it shows in the program: it prints nothing.
silent() {  # COMMSLICE_TIMES
    export COMMSLICE_TIMES="$1"
    run 2 "$dir/ends" none || wrong "exit status $?"
    [ ! -s "$dir/out" ] || wrong "$(head -n 1 "$dir/out")"
    unset COMMSLICE_TIMES
}
check_ "prints nothing, without times" silent 0
check_ "prints nothing, with times" silent 1

# unwritable PATH CAUSE: a trace that cannot be written is said once, and the program runs on.
unwritable() {
    COMMSLICE_TRACE=$1 "$MPIEXEC" -n 2 -env LD_PRELOAD "$lib" "$dir/ends" none > "$dir/out" 2>&1 || wrong "$1: exit status $?"
    [ "$(cat "$dir/out")" = "commslice: error: rank 0 cannot write the trace $1: $2; it stays incomplete" ] || wrong "$1: $(cat "$dir/out")"
}
check_ "cannot be written: no folder" unwritable "$dir/missing/T" 'No such file or directory'
check_ "cannot be written: /dev/full" unwritable /dev/full 'No space left on device'

# Without COMMSLICE_TRACE nothing is written, and the program does not notice.
expect "not recorded" 0 '' "$MPIEXEC" -n 3 -env LD_PRELOAD "$lib" "$dir/calls"
finish
