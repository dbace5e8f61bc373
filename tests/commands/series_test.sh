#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks of engine emulate one after the other in one process: each finds what a new process would have, and its end is its own.
set -u
. "$(dirname "$0")/../frame.sh"
sources=$top/tests/commands

# emulate PROGRAM [ARGUMENT]: 40 ranks; what they print, by rank, and the exit status.
emulate() {
    "$COMMSLICE" record --no-times --force -o "$1.trace" --engine emulate -n 40 --quiet -- "$@" </dev/null >"$1.out" 2>"$1.err"
    echo "exit status $?" >>"$1.err"
    sort -s -k 2,2n "$1.out"
    grep -v 'rank 20 at\|trace' "$1.err"
}

# processes PROGRAM: how many of them 40 ranks take that use memory and files.
processes() { emulate "$1" process | awk '$1 == "process" { print $3 }' | sort -u | wc -l; }

must "$MPICC" -g -O1 -Wall -Wno-unused-result -o state0 "$sources/series_state.c" -lm
ulimit -s 8192
equal "processes are ranks again" yes "$(test "$(processes ./state0)" -lt 20 && echo yes)"
equal "COMMSLICE_NO_SERIES" 40 "$(COMMSLICE_NO_SERIES=1 && export COMMSLICE_NO_SERIES && processes ./state0)"
equal "a limit of processor time" 40 "$(ulimit -t 1000; processes ./state0)"

# compare PROGRAM [ARGUMENT]: what ranks find, and the trace, must be those of processes of their own.
compare() {
    COMMSLICE_NO_SERIES=1 emulate "$@" >alone
    mv "$1.trace" alone.trace
    emulate "$@" >series
    equal "$*: what ranks find" "" "$(diff alone series | head -n 5)"
    "$COMMSLICE" print alone.trace >alone.text
    "$COMMSLICE" print "$1.trace" >series.text
    equal "$*: trace" "" "$(diff alone.text series.text | head -n 5)"
}
for ends in "" deep fail wait; do
    compare ./state0 $ends
done
for touch in 1 2 3 4 5 6 7; do
    must "$MPICC" -g -O1 -Wall -Wno-unused-result -pthread -DTOUCH=$touch -o state$touch "$sources/series_state.c" -lm
    compare ./state$touch
    equal "what cannot be put back, $touch: processes" 40 "$(processes ./state$touch)"
done

# A bad end is one rank's: it is named, and what ranks before it did is in the trace.
for ends in crash leave; do
    emulate ./state0 $ends >bad
    equal "$ends: who" 1 "$(grep -c 'rank 20 ' ./state0.err)"
    equal "$ends: exit status" 1 "$(grep -c 'exit status [1-9]' bad)"
    "$COMMSLICE" print state0.trace >text 2>text.err
    complete=$(sed -n 's/^\([0-9]*\):1 MPI_Finalize.*/\1/p' text | sort -n | head -n 16 | tr '\n' ' ' | sed 's/ $//')
    equal "$ends: complete ranks" "$(seq -s' ' 0 15)" "${complete:-none: $(cat text.err ./state0.err)}"
done

# What each rank writes of the libraries' variables is on one page; what is large is CS_COLD.
for library in mpich emulate; do
    size=$(objdump -h "$COMMSLICE_LIBDIR/libcommslice-$library.so" | awk '$2 == ".ranks" { print $3 }')
    case_ "variables of $library that ranks write: one page, not 0x${size:-?} bytes" test -n "$size" -a "$((0x${size:-0}))" -le 4096
done
finish
