#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What recording costs: nanoseconds an event over the same engine (the same preloaded library) without recording.
# usage: record-cost.sh [-B BUILD] [-r RUNS] [-e EVENTS]
#   -r RUNS    takes the median of so many runs of each kind, in turn (5); -e EVENTS in each loop (1000000)
# Exit status 1: more than 150 ns in any loop.
set -u
. "$(dirname "$0")/common.sh"
tree='' runs=5 events=1000000
while getopts B:r:e: o; do
    case $o in
    B) tree=$OPTARG ;; r) runs=$OPTARG ;; e) events=$OPTARG ;; *) usage ;;
    esac
done
find_tools "$tree"
library=${COMMSLICE_LIBDIR:-$(dirname "$(dirname "$COMMSLICE")")/lib/commslice}/libcommslice-mpich.so
[ -e "$library" ] || die "$library: not there"
make_work
"$MPICC" -O2 -o "$work/loops" "$top/bench/record-cost.c" || die "cannot compile record-cost.c"

i=0
while [ $i -lt "$runs" ]; do
    for kind in off slice original; do
        case $kind in
        off) set -- ;;
        slice) set -- COMMSLICE_TRACE="$work/trace" ;;
        original) set -- COMMSLICE_TRACE="$work/trace" COMMSLICE_TIMES=1 ;;
        esac
        rm -f "$work/trace"
        "$MPIEXEC" -n 1 env LD_PRELOAD="$library" "$@" "$work/loops" "$events" >"$work/out" || die "the loops failed ($kind)"
        while read -r name count ns; do
            echo "$ns" >>"$work/$kind.$name"
            echo "$count" >"$work/count.$name"
        done <"$work/out"
    done
    i=$((i + 1))
done

printf '%-14s %10s %12s %12s %12s %12s %12s\n' loop events 'off ns' 'on ns' 'cost ns' 'times ns' 'cost ns'
failed=0
for name in same-send random-send stencil self-message allreduce; do
    off=$(median "$work/off.$name") on=$(median "$work/slice.$name") times=$(median "$work/original.$name")
    cost=$(calc %.1f "$on-$off")
    [ "$(calc %d "$cost <= 150")" = 1 ] || failed=1
    printf '%-14s %10s %12s %12s %12s %12s %12s\n' $name "$(cat "$work/count.$name")" "$off" "$on" "$cost" "$times" "$(calc %.1f "$times-$off")"
done
echo "off: the library is there and records nothing; on: as commslice run; times: as commslice record, with entry and exit times"
[ $failed = 0 ] && echo 'at most 150 ns an event: yes' || echo 'at most 150 ns an event: NO'
exit $failed
