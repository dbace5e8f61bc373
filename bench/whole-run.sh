#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Wall time, memory and trace of whole runs of `commslice run`, all processes counted, commslice's own too; one row each.
# usage: whole-run.sh [-B BUILD] [-r RUNS] [-C DIR] [-e ENGINE] PROGRAM RANKS [PROGRAM RANKS]...
#   PROGRAM   a slice; or null: MPI_Init, barrier, MPI_Finalize as a slice (its barrier is not marked), null-kept: the same with
#             everything marked, so that all ranks are alive together; ring, ring-kept: 10 laps of a ring;
#             stencil, sends: a million calls a rank, nothing sent
#   -r RUNS   least wall time and least CPU time of so many runs (3) during which nothing is looked at; memory is taken in one more run
#   -C DIR    run there (a program that reads its input from the current folder)
#   -e ENGINE emulate (default) or mpich
# MB in all: what the kernel counts for the control group of the run at its peak (anonymous and shared memory, kernel stacks, page tables, all other
# kernel memory, the trace's pages), plus the processes' shares of library pages that were in memory before. whole-run.c says it exactly.
set -u
. "$(dirname "$0")/common.sh"

tree='' runs=3 dir=. engine=emulate
while getopts B:r:C:e: o; do
    case $o in
    B) tree=$OPTARG ;; r) runs=$OPTARG ;; C) dir=$OPTARG ;; e) engine=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || usage
find_tools "$tree"
make_work
$CC -O2 -o "$work/whole-run" "$top/bench/whole-run.c" || die "cannot compile whole-run.c"

# A program of this folder, as a slice or with everything marked; or the path of a built one.
program() { # NAME
    case $1 in
    null | ring | stencil | sends) mode='' source=$1 ;;
    null-kept | ring-kept) mode=-fplugin-arg-commslice-mode=original source=${1%-kept} ;;
    /*) echo "$1"; return ;;
    *) echo "$(pwd)/$1"; return ;;
    esac
    # shellcheck disable=SC2086
    [ -x "$work/$1" ] || "$MPICC" -O2 -fplugin="$PLUGIN" $mode -o "$work/$1" "$top/bench/$source.c" || die "cannot compile $1"
    echo "$work/$1"
}

once() { # [-m] PROGRAM RANKS
    flag=''
    [ "$1" != -m ] || { flag=-m; shift; }
    # shellcheck disable=SC2086
    (cd "$dir" && "$work/whole-run" $flag "$COMMSLICE" run -n "$2" --engine "$engine" -o "$work/trace" "$1") >"$work/out" 2>"$work/err" </dev/null \
        || { tail -n 3 "$work/err" >&2; die "$1 with $2 ranks: failed"; }
    tail -n 1 "$work/out"
}

word() { awk -v w="$1" '{ for (i = 1; i < NF; i++) if ($i == w) { print $(i + 1); exit } }'; }

printf '%-20s %6s %12s %8s %8s %9s %9s %9s %10s\n' program ranks events s 'CPU s' 'MB in all' kernel pss trace
while [ $# -ge 2 ]; do
    path=$(program "$1") || exit 2
    [ -x "$path" ] || die "$path: not a program"
    : >"$work/s"
    : >"$work/cpu"
    i=0
    while [ $i -lt "$runs" ]; do
        line=$(once "$path" "$2") || exit 2
        echo "$line" | word s >>"$work/s"
        echo "$line" | word cpu >>"$work/cpu"
        i=$((i + 1))
    done
    memory=$(once -m "$path" "$2") || exit 2
    events=$(sed -n 's/.*ranks*, \([0-9]*\) events.*/\1/p' "$work/out")
    printf '%-20s %6s %12s %8s %8s %9s %9s %9s %10s\n' "${1##*/}" "$2" "$events" "$(sort -n "$work/s" | head -n 1)" \
        "$(sort -n "$work/cpu" | head -n 1)" "$(echo "$memory" | word all)" \
        "$(echo "$memory" | word kernel)" "$(echo "$memory" | word pss)" "$(wc -c <"$work/trace")"
    shift 2
done
