#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# counters.sh: Gate 0 of prediction. Programs are built as counted originals and as slices with counters, both run under engine emulate, and every
# sum of every counter, rank and segment is compared (tests/same-counters). The demo heat first, then programs of your copy of NPB 3.4, which is
# only read: at 4 ranks class S, at 64 ranks class S, but bt, lu and sp class W. One line a run: program, class, ranks, verdict, share of the
# original's iterations that the slice does not count; then the loops of which most of these are.
# usage: bench/counters.sh [-B BUILD] [-l LOOPS] [-n "RANKS ..."] [NPB3.4-MPI [PROGRAM ...]]      exit status 1 if any sum differs
set -u
. "$(dirname "$0")/common.sh"
tree= loops=3 counts='4 64'
while getopts B:l:n: o; do
    case $o in B) tree=$OPTARG ;; l) loops=$OPTARG ;; n) counts=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
find_tools "$tree"
make_work
PATH=$(dirname "$COMMSLICE"):$PATH
export COMMSLICE
status=0

compare() { # NAME CLASS RANKS FOLDER [ARGUMENTS...]: runs FOLDER/original and FOLDER/slice
    name=$1 class=$2 ranks=$3 at=$4
    shift 4
    commslice record -q --force --engine emulate --stdout drop -n "$ranks" -o "$work/o" "$at/original" "$@" >"$work/log" 2>&1 &&
        commslice run -q --force --stdout drop -n "$ranks" -o "$work/s" "$at/slice" "$@" >"$work/log" 2>&1 ||
        { printf '%-6s %s %5d  FAILED: %s\n' "$name" "$class" "$ranks" "$(tail -n 1 "$work/log")"; status=1; return; }
    verdict=same
    commslice diff "$work/o" "$work/s" >/dev/null || verdict=EVENTS-DIFFER
    "$top/tests/same-counters" -l "$loops" "$work/o" "$work/s" >"$work/log" || verdict=DIFFERENT
    [ $verdict = same ] || status=1
    printf '%-6s %s %5d  %-9s %s\n' "$name" "$class" "$ranks" "$verdict" "$(grep '^not counted' "$work/log")"
    sed '1,/^not counted/d' "$work/log"
}

heat() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=counted -o "$work/original" "$top/demo/heat.c" -lm >"$work/log" 2>&1 &&
        commslice-mpicc -O2 -g -fplugin-arg-commslice-counters -o "$work/slice" "$top/demo/heat.c" -lm >"$work/log" 2>&1 ||
        die "heat does not build: $(tail -n 1 "$work/log")"
    for n in $counts; do
        side=$(calc %d "sqrt($n)")
        printf 'rows 200\ncols 120\ngrid_rows %d\ngrid_cols %d\nsteps 20\nreport 5\n' "$side" $((n / side)) >"$work/heat.txt"
        compare heat - "$n" "$work" "$work/heat.txt"
    done
}

build() { # PROGRAM CLASS: into $work/PROGRAM.CLASS/
    at=$work/$1.$2
    [ ! -d "$at" ] || return 0
    mkdir "$at"
    assume=
    [ "$1" != lu ] || assume=-fplugin-arg-commslice-assume=$top/npb-patches/3.4/lu.assume
    for mode in mode=counted counters; do
        rm -f "$npb/bin/$1.$2.x"
        make -C "$npb/$(echo "$1" | tr a-z A-Z)" CLASS="$2" ASSUME="-fplugin-arg-commslice-$mode $assume" >"$work/log" 2>&1 ||
            die "$1 class $2 does not build: $(tail -n 3 "$work/log")"
        mv "$npb/bin/$1.$2.x" "$at/$([ $mode = counters ] && echo slice || echo original)"
    done
}

class_for() { # PROGRAM RANKS
    case $1 in bt|lu|sp) [ "$2" -le 4 ] && echo S || echo W ;; *) echo S ;; esac
}

heat
[ $# -gt 0 ] || exit $status
[ -f "$1/sys/setparams.c" ] || die "$1: not a copy of NPB3.4-MPI"
npb=$work/npb
cp -r "$1" "$npb" && mkdir -p "$npb/bin" && cp "$top/npb-patches/3.4/make.def" "$npb/config/make.def" || exit 2
shift
for program in ${*:-bt cg ep ft is lu mg sp}; do
    for n in $counts; do
        class=$(class_for "$program" "$n")
        build "$program" "$class"
        compare "$program" "$class" "$n" "$work/$program.$class"
    done
done
exit $status
