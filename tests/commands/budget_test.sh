#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The budget of points-to: a slice that keeps everything, and one for which pointers are hardly told apart, have the trace of the original, for
# programs of each kind, and say what they are.
set -u
. "$(dirname "$0")/../frame.sh"
program=$top/tests/programs/control/cg_solver.c
option=-fplugin-arg-commslice-budget

link() { commslice-mpicc -O2 -g "$@" "$program" -lm; }
says() { grep -q -- "$1" "$2" || wrong "$2 does not say: $1"; }

# All that is kept of all that there is, in per cent; the calls that are not transmitted, though they communicate.
kept() { commslice info "$1" | sed -n 's/.* kept, \([0-9.]*\) %.*/\1/p' | head -n 1; }
not_content() { commslice info --all --json "$1" | jq '[.sites[] | select(.mark != "content" and (.call | test("Comm_(rank|size)") | not))] | length'; }

link -o whole $option=none 2>log || die "no slice without a budget"
link -o coarse $option=0 2>coarse.log || die "no slice without pointers that are told apart"
must link -o usual
must link -o one $option=1
check_ "the link says what it costs" says 'budget of 0 million steps, so all that may run is kept, 100.0 % of the statements' log
check_ "info has the warning" eval 'commslice info whole >info; says "budget of 0 million steps" info'
check_ "the link says that objects were taken as one" says 'objects that pointers do not tell apart.* are taken as one: [0-9.]* % of the statements' coarse.log
check_ "why has a reason" eval 'commslice why whole cg_solver.c:89 >why; says "within the budget of the link" why'
check_ "advise says that there is a budget" eval 'commslice advise whole >advice; says "a larger one" advice'
equal "everything is kept" 100.0 "$(kept whole)"
check_ "a slice by coarse pointers keeps less than everything" awk "BEGIN { exit !($(kept coarse) < 100 && $(kept coarse) >= $(kept usual)) }"
equal "every message is transmitted" 0 "$(not_content whole)"
equal "a small program needs no million steps" "$(kept usual)" "$(kept one)"
for bad in -1 many '' 1000001; do
    expect "budget=$bad" 1 'option -fplugin-arg-commslice-budget' link -o bad "$option=$bad"
done

# Data that moves on by some bytes in each turn: a copy is asked for some of its parts, and then for all of what it copies.
asked() { COMMSLICE_DUMP=1 commslice-mpifort -O0 -g -o moved "$top/tests/programs/fortran-data/f_shifted_text.f90" 2>&1 | grep -c '^WRITER'; }
check_ "texts that are shifted are asked for few parts" eval 'n=$(asked) && [ "$n" -gt 0 ] && [ "$n" -lt 200000 ] || wrong "$n writers"'

# Programs of each kind: messages and their order, calls by pointer, exceptions, virtual functions, threads, files, error codes, the end of the run.
for kind in f_go_order go_waitany persistent_go trap_mpi_pointer trap_attr_run trap_called_back exceptions trap_families trap_thunks f_class omp_tasks \
    trap_file_streams trap_errors_return trap_process_state trap_end_pointer assume_trips; do
    case_ "$kind keeps everything" "$top/tests/run-programs.sh" -B "$build" -O 2 -k "$kind" --budget none
    case_ "$kind with coarse pointers" "$top/tests/run-programs.sh" -B "$build" -O 2 -k "$kind" --budget 0
done
finish
