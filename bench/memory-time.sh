#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory per rank of a slice beyond a program that does nothing, and its time against the original's, both in one go.
# usage: memory-time.sh [-B BUILD] [-e ENGINE] [-r RUNS] [-n RANKS] [-t SECONDS] [-1] ORIGINAL SLICE NRANKS [ARGUMENTS]
#   -e ENGINE  of the slice, and of the program that does nothing: emulate (the default) or mpich
#   ORIGINAL   runs on NRANKS ranks; - leaves it out. SLICE runs under `commslice run`, recording switched on,
#              on NRANKS ranks too, or on RANKS (-n)
#   -r RUNS    medians of so many runs (3), original and slice in turn; -1: the original only once
#   -t SECONDS what takes longer is ended and reported (600)
# Memory is the peak of resident memory of the rank that needs most: pages that ranks share count for each of them.
# Exit status 1: more than 5 MB beyond the program that does nothing, or more than 1/100 of the original's time.
set -u
. "$(dirname "$0")/common.sh"

tree='' engine=emulate runs=3 ranks='' limit=600 once=
while getopts B:e:r:n:t:1 o; do
    case $o in
    B) tree=$OPTARG ;; e) engine=$OPTARG ;; r) runs=$OPTARG ;; n) ranks=$OPTARG ;; t) limit=$OPTARG ;; 1) once=yes ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 3 ] || usage
original=$1 slice=$2 nranks=$3
shift 3
ranks=${ranks:-$nranks}
find_tools "$tree"
for p in "$original" "$slice"; do [ "$p" = - ] || [ -x "$p" ] || die "$p: not a program"; done
case $slice in */*) ;; *) slice=./$slice ;; esac
case $original in */* | -) ;; *) original=./$original ;; esac
make_work
make_peak_mpiexec

cat >"$work/nothing.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
END
"$MPICC" -O2 -o "$work/nothing" "$work/nothing.c" || die "cannot compile the program that does nothing"

# Appends seconds and highest memory of one run to NAME.s and NAME.kb.
measure() { # NAME COMMAND...
    name=$1
    shift
    rm -f "$peaks"/*
    start=$(now)
    timeout "$limit" "$@" >"$work/$name.log" 2>&1 </dev/null
    rc=$?
    since "$start" >>"$work/$name.s"
    [ $rc != 124 ] || die "$name: not done after $limit s"
    [ $rc = 0 ] || { tail -n 3 "$work/$name.log" >&2; die "$name: exit status $rc"; }
    highest_peak >>"$work/$name.kb"
}

# The slice, recording, and the program that does nothing. mpiexec's ranks are wrapped one by one; emulate's are all below us.
measure_slice() { # [ARGUMENT...]
    case $engine in
    mpich) measure slice env COMMSLICE_MPIEXEC="$work/mpiexec" "$COMMSLICE" run -e mpich -n "$ranks" -o "$work/trace" "$slice" "$@" ;;
    *) measure slice "$work/peak" "$peaks/all" "$COMMSLICE" run -e "$engine" -n "$ranks" -o "$work/trace" "$slice" "$@" ;;
    esac
}
measure_nothing() {
    case $engine in
    mpich) measure nothing "$work/mpiexec" -n "$ranks" "$work/nothing" ;;
    *) measure nothing "$work/peak" "$peaks/all" "$COMMSLICE" record -e "$engine" -n "$ranks" -o "$work/nothing.trace" "$work/nothing" ;;
    esac
}

row() { # NAME TITLE RANKS
    kb=$(sort -n "$work/$1.kb" | tail -n 1)
    printf '%-34s %3d ranks %10.2f s %10s MB per rank\n' "$2" "$3" "$(median "$work/$1.s")" "$(calc %.2f "$kb/1024")"
}

i=0
while [ $i -lt "$runs" ]; do
    measure_nothing
    if [ "$original" != - ] && { [ -z "$once" ] || [ $i = 0 ]; }; then
        measure original "$work/mpiexec" -n "$nranks" "$original" "$@"
    fi
    measure_slice "$@"
    i=$((i + 1))
done

row nothing 'does nothing' "$ranks"
[ "$original" = - ] || row original "original ${original##*/}" "$nranks"
row slice "slice ${slice##*/}" "$ranks"
events=$(sed -n 's/.*ranks*, \([0-9]*\) events.*/\1/p' "$work/slice.log")
printf '%-34s %s events, trace of %s bytes\n' '' "$events" "$(wc -c <"$work/trace")"

failed=0
verdict() { # TEXT VALUE LIMIT
    ok=$(calc %d "$2 <= $3")
    [ "$ok" = 1 ] || failed=1
    printf '%s: %s (at most %s: %s)\n' "$1" "$2" "$3" "$([ "$ok" = 1 ] && echo yes || echo NO)"
}
verdict 'MB per rank beyond doing nothing' "$(calc %.2f "($(sort -n "$work/slice.kb" | tail -n 1)-$(sort -n "$work/nothing.kb" | head -n 1))/1024")" 5
if [ "$original" != - ]; then
    s=$(median "$work/slice.s") o=$(median "$work/original.s") z=$(median "$work/nothing.s")
    verdict 'time, slice / original' "$(calc %.4f "$s/$o")" 0.01
    printf 'beyond doing nothing, slice %s s\n' "$(calc %.2f "$s-$z")"
fi
exit $failed
