#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Slices of random nests of loops record the same with one turn for all as with all turns, and the same as the originals.
set -u
usage() {
    cat <<'END'
usage: tests/random_loops_test.sh [-B BUILD] [-n COUNT] [-s SEED]
  -B BUILD  the build folder (default: $BUILD_DIR or build)
  -n COUNT  so many programs in C and as many in Fortran (default 8)
  -s SEED   the number of the first one (default 1)
END
}
seed=1 count=8
while [ $# -gt 0 ]; do
    case $1 in
        -B) BUILD_DIR=$2; shift ;;
        -n) count=$2; shift ;;
        -s) seed=$2; shift ;;
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
. "$(dirname "$0")/frame.sh"
must "$CC" -O1 -Wall -o random-loops "$top/tests/random-loops.c"
COMMSLICE_REPEAT_FROM=1
export COMMSLICE_REPEAT_FROM

# SOURCE LEVEL: original.trace, all.trace (all turns) and one.trace
record() {
    "$(mpi_wrapper "$(tool "$1")")" -O"$2" -g -w -o original "$1" &&
        "$build/bin/commslice-$(tool "$1")" -O"$2" -g -w -o slice "$1" &&
        commslice record -q --no-times --engine emulate -n 3 -o original.trace -- ./original &&
        COMMSLICE_NO_REPEAT=1 commslice run -q -n 3 -o all.trace ./slice && commslice run -q -n 3 -o one.trace ./slice
}

repeated() { commslice info slice | grep -c ': one turn for all$'; }
same() { record "$1" "$2" && commslice diff original.trace all.trace && commslice diff all.trace one.trace; }

alike=0
while [ "$count" -gt 0 ]; do
    ./random-loops "$seed" >loops.c && ./random-loops "$seed" fortran >loops.f90 || die "cannot write programs"
    case_ "program $seed in C" same loops.c $((seed % 3))
    alike=$((alike + $(repeated)))
    case_ "program $seed in Fortran" same loops.f90 $((seed % 3))
    alike=$((alike + $(repeated)))
    seed=$((seed + 1)) count=$((count - 1))
done
case_ "there are loops that run one turn for all" [ "$alike" -gt 0 ]
finish
