#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# counters.sh: Gate 0 of prediction. Programs are built as counted originals and as slices with counters, both run under engine emulate, and every
# sum of every counter, rank and segment is compared (tests/same-counters). The demo heat first, then programs of your copy of NPB 3.4, which is
# only read: at 4 ranks class S, at 64 ranks class S, but bt, lu and sp class W; on more than 64, is and ep W, and bt, lu and sp five steps of B,
# bt and sp on the largest square of ranks. -x: Sweep3D with its 50 points, on more than 64 ranks 150. One line a run: program, class, ranks,
# verdict, share of the original's iterations that the slice does not count; then the loops of which most of these are. -c: slices by counters=HOW.
# usage: bench/counters.sh [-B BUILD] [-l LOOPS] [-c HOW] [-x SWEEP3D] [-n "RANKS ..."] [NPB3.4-MPI [PROGRAM ...]]      exit status 1 if any sum differs
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"
tree= loops=3 counts='4 64' counters=counters sweep=
while getopts B:l:n:c:x: o; do
    case $o in B) tree=$OPTARG ;; l) loops=$OPTARG ;; n) counts=$OPTARG ;; c) counters=counters=$OPTARG ;; x) sweep=$OPTARG ;;
        *) usage ;; esac
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
    cd "$at" || exit 2
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

# The shorter side of the grid of so many ranks that is nearest to a square.
side() { awk -v n="$1" 'BEGIN { for (i = int(sqrt(n)); n % i; i--); print i }'; }

heat() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=counted -o "$work/original" "$top/demo/heat.c" -lm >"$work/log" 2>&1 &&
        commslice-mpicc -O2 -g -fplugin-arg-commslice-$counters -o "$work/slice" "$top/demo/heat.c" -lm >"$work/log" 2>&1 ||
        die "heat does not build: $(tail -n 1 "$work/log")"
    for n in $counts; do
        printf 'rows 200\ncols 120\ngrid_rows %d\ngrid_cols %d\nsteps 20\nreport 5\n' "$(side "$n")" $((n / $(side "$n"))) >"$work/heat.txt"
        compare heat - "$n" "$work" "$work/heat.txt"
    done
}

build() { # PROGRAM CLASS: into $work/PROGRAM.CLASS/
    at=$work/$1.$2
    [ ! -d "$at" ] || return 0
    mkdir "$at"
    assume=
    [ "$1" != lu ] || assume=-fplugin-arg-commslice-assume=$top/npb-patches/3.4/lu.assume
    for mode in mode=counted $counters; do
        rm -f "$npb/bin/$1.$2.x"
        make -C "$npb/$(echo "$1" | tr a-z A-Z)" CLASS="$2" ASSUME="-fplugin-arg-commslice-$mode $assume" >"$work/log" 2>&1 ||
            die "$1 class $2 does not build: $(tail -n 3 "$work/log")"
        mv "$npb/bin/$1.$2.x" "$at/$([ $mode = mode=counted ] && echo original || echo slice)"
    done
}

class_for() { # PROGRAM RANKS
    case $1:$(($2 > 4)):$(($2 > 64)) in
        bt:1:1 | lu:1:1 | sp:1:1) echo B ;;
        bt:1:0 | lu:1:0 | sp:1:0 | is:1:1 | ep:1:1) echo W ;;
        *) echo S ;;
    esac
}

ranks_for() { # PROGRAM RANKS: as many as it takes
    case $1 in bt | sp) awk -v n="$2" 'BEGIN { r = int(sqrt(n)); print r * r }' ;; *) echo "$2" ;; esac
}

sweep3d() { # RANKS
    points=$([ "$1" -gt 64 ] && echo 150 || echo 50) at=$work/sweep3d.$1
    for mode in mode=counted $counters; do
        rm -rf "$work/sweep3d" && cp -r "$sweep" "$work/sweep3d" && mkdir -p "$at" || exit 2
        sed -i "s/maxtasks=[0-9]*/maxtasks=$1/" "$work/sweep3d/msg_stuff.h"
        make -C "$work/sweep3d" -f makefile -f "$top/npb-patches/sweep3d/make.def" mpi \
            ASSUME="-fplugin-arg-commslice-$mode -fplugin-arg-commslice-assume=$top/npb-patches/sweep3d/sweep3d.assume" >"$work/log" 2>&1 </dev/null ||
            die "Sweep3D does not build: $(tail -n 3 "$work/log")"
        mv "$work/sweep3d/sweep3d.mpi" "$at/$([ $mode = mode=counted ] && echo original || echo slice)"
    done
    awk -v i="$(side "$1")" -v j="$(($1 / $(side "$1")))" 'NR == 1 { $1 = i; $2 = j } 1' "$sweep/input.$points" >"$at/input"
    compare sweep3d "$points" "$1" "$at"
}

own=
if [ $# -gt 0 ]; then
    own=$(cd "$1" && pwd) && [ -f "$own/sys/setparams.c" ] || die "$1: not a copy of NPB3.4-MPI"
    shift
fi
[ -z "$sweep" ] || sweep=$(cd "$sweep" && pwd) || exit 2
heat
for n in ${sweep:+$counts}; do sweep3d "$n"; done
[ -n "$own" ] || exit $status
npb=$work/npb
cp -r "$own" "$npb" && mkdir -p "$npb/bin" && cp "$top/npb-patches/3.4/make.def" "$npb/config/make.def" || exit 2
for program in ${*:-bt cg ep ft is lu mg sp}; do
    for n in $counts; do
        class=$(class_for "$program" "$n")
        build "$program" "$class"
        [ "$class" != B ] || few_steps "$program" 102 "$work/$program.$class"
        compare "$program" "$class" "$(ranks_for "$program" "$n")" "$work/$program.$class"
    done
done
exit $status
