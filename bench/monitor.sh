#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What does it cost to be watched, how far off is the end that the monitor says, and what does a corrected plan save?
# usage: monitor.sh [-B BUILD] [-r RUNS] [-s SECONDS] [cost|ends|plan]
#   -r RUNS     of each kind, in turn (5); of costs the least counts, of plans the median
#   -s SECONDS  that the loops of ends and plans take undisturbed (4)
# Cost: the processor time of loops of libcommslice-balance with short chunks, and the time of a recorded call (of bench/record-cost.c), watched over
# unwatched. Ends: four ranks whose items sleep, rank 1 as long as the others, or twice as long; looks from a third of the loop on count, by how much of
# the loop's time they are off. Plan: four ranks whose items sleep; rank 1 is stopped half of the time, by signals, after a fourth of the loop. Exit status 1: a cost
# is over 1 %, an end is more than 10 % off in the median of a kind's looks, or a plan of vrp saves less than half of what the slow-down costs.
set -u
. "$(dirname "$0")/common.sh"
tree='' runs=5 seconds=4
while getopts B:r:s: o; do
    case $o in B) tree=$OPTARG ;; r) runs=$OPTARG ;; s) seconds=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
part=${1:-all}
case $part in all|cost|ends|plan) ;; *) usage ;; esac
find_tools "$tree"
make_work
build=$(cd "${tree:-$top/build}" && pwd)
"$MPICC" -O2 -I"$top/balance/library" -o "$work/items" "$top/bench/monitor-items.c" "$build/balance/libcommslice-balance.a" -lm || die 'monitor-items.c is not built'
"$MPICC" -O2 -o "$work/loops" "$top/bench/record-cost.c" || die 'record-cost.c is not built'
cd "$work" || exit 2
export COMMSLICE_MONITOR_DIR="$work/runs"
failed=0

least() { sort -n "$1" | head -n 1; }
row() { # NAME OFF ON
    share=$(calc %.2f "100*($3/$2-1)")
    printf '%-34s %12s %12s %8s %%\n' "$1" "$2" "$3" "$share"
    [ "$(calc %d "$share <= 1")" = 1 ] || failed=1
}

costs() {
    printf '%-34s %12s %12s %8s\n' cost unwatched watched more
    for kind in 'ss shared-memory 20000 5' 'ss master-worker 20000 5' 'fac2 master-worker 20000 5'; do
        rm -f off on
        # shellcheck disable=SC2086  # words on purpose
        for i in $(seq "$runs"); do
            COMMSLICE_MONITOR=0 "$MPIEXEC" -n 1 ./items compute $kind | cut -d' ' -f2 >>off || exit 2
            COMMSLICE_MONITOR=1 "$MPIEXEC" -n 1 ./items compute $kind | cut -d' ' -f2 >>on || exit 2
        done
        row "$(echo "$kind" | sed 's/ \([0-9]*\) \([0-9]*\)$/, \1 items of \2 us, s/')" "$(least off)" "$(least on)"
    done
    rm -f off.* on.*
    for i in $(seq "$runs"); do
        for watched in off on; do
            [ $watched = on ] && name=run || name=0
            rm -f trace
            COMMSLICE_MONITOR=$name "$MPIEXEC" -n 1 env LD_PRELOAD="$COMMSLICE_LIBDIR/libcommslice-mpich.so" COMMSLICE_TRACE="$work/trace" COMMSLICE_TIMES=1 ./loops 200000 >out || exit 2
            while read -r name _ ns; do echo "$ns" >>"$watched.$name"; done <out
        done
    done
    for name in same-send stencil self-message allreduce; do row "recorded calls, $name, ns" "$(least off.$name)" "$(least on.$name)"; done
}

# Of the looks at a loop, from its first third on: how far off the end is, in percent of the loop's time; 100: not known.
offs() {  # LOOKS
    jq -s -r '[.[] | select(.loop != null)] as $in | $in[0].seconds as $from | ([$in[] | select(.loop.done == .loop.items)][0].seconds) as $to
        | $in[] | select(.seconds >= $from + ($to - $from) / 3 and .seconds < $to)
        | if .loop.end then (.seconds + .loop.end.seconds - $to) / ($to - $from) * 100 | fabs else 100 end' "$1"
}
print_off() {  # FACTOR WHAT WAY [follow]
    [ -s off ] || die "$2, $3: no look at it under way"
    middle=$(median off)
    printf '%-10s %-22s %8s %10s %10s %8s %%\n' "$2" "$3${4:+, $4}" "$1" "$(wc -l <off)" "$(awk '$1 <= 10 {n++} END {printf "%.0f %%", 100*n/NR}' off)" "$(calc %.1f "$middle")"
    [ "$(calc %d "$middle <= 10")" = 1 ] || failed=1
}
end_of() {  # FACTOR TECHNIQUE WAY [follow]
    rm -f off
    for i in $(seq "$runs"); do
        rm -f pid looks
        COMMSLICE_MONITOR=ends COMMSLICE_BALANCE_FOLLOW=${4:+1} "$MPIEXEC" -n 4 ./items sleep "$2" "$3" $((seconds * 4 * 450)) 2000 pid "$1" >took &
        runner=$!
        while [ ! -s pid ] && kill -0 $runner 2>/dev/null; do sleep 0.01; done
        "$COMMSLICE" monitor ends --json -i 0.1 >looks
        wait $runner || exit 2
        offs looks >>off
    done
    print_off "$@"
}
# The end of a run by the trace of an earlier one: looks from a third of the run on.
end_by_trace() {
    rm -f off
    printf '%s\n' 'rows 800' 'cols 800' 'grid_rows 2' 'grid_cols 1' "steps $((seconds * 400))" 'report 100' >settings
    "$MPICC" -O2 -o heat "$top/demo/heat.c" -lm || die 'heat.c is not built'
    "$COMMSLICE" record -q --force -o earlier -- "$MPIEXEC" -n 2 ./heat settings >out || exit 2
    for i in $(seq "$runs"); do
        rm -f looks
        COMMSLICE_MONITOR=again "$COMMSLICE" record -q --force -o later -- "$MPIEXEC" -n 2 ./heat settings >out &
        runner=$!
        while ! "$COMMSLICE" monitor again --trace earlier --json -i 0.1 >looks 2>err; do
            kill -0 $runner 2>/dev/null || { cat err >&2; exit 2; }
        done
        wait $runner || exit 2
        jq -s -r '.[-1].seconds as $to | .[] | select(.seconds >= $to / 3 and .seconds < $to)
            | if .run_by.end then (.seconds + .run_by.end.seconds - $to) / $to * 100 | fabs else 100 end' looks >>off
    done
    print_off 1 'heat' 'earlier trace'
}
ends() {
    printf '%-10s %-22s %8s %10s %10s %10s\n' ends way 'rank 1' looks 'within 10' median
    for factor in 1 2; do
        for kind in 'fac2 master-worker' 'gss master-worker' 'wf master-worker' 'fac2 shared-memory' 'vrp master-worker follow' 'awf master-worker'; do
            # shellcheck disable=SC2086  # words on purpose
            end_of $factor $kind
        done
    done
    end_by_trace
}

# Seconds of the loop: a plan of TECHNIQUE, with rank 1 slow, and corrected.
loop() { # TECHNIQUE SLOW CORRECTED
    rm -f pid
    COMMSLICE_MONITOR=plan COMMSLICE_BALANCE_FOLLOW=1 "$MPIEXEC" -n 4 ./items sleep "$1" master-worker $((seconds * 4 * 450)) 2000 pid >took &
    runner=$!
    while [ ! -s pid ] && kill -0 $runner 2>/dev/null; do sleep 0.01; done
    [ "$2" = no ] || ./items throttle "$(cat pid)" "$(calc %.3f "$seconds/4")" &
    [ "$3" = no ] || "$COMMSLICE" monitor plan --correct --json -i 1000 >>looks
    wait $runner || exit 2
    cut -d' ' -f1 took
}
plans() {
    printf '%-10s %10s %10s %10s %10s\n' plan undisturbed slow corrected saved
    for technique in vrp wf vrp-ss; do
        rm -f usual slow corrected looks
        for i in $(seq "$runs"); do
            loop $technique no no >>usual
            loop $technique yes no >>slow
            loop $technique yes yes >>corrected
        done
        u=$(median usual) s=$(median slow) c=$(median corrected)
        saved=$(calc %.0f "100*($s-$c)/($s-$u)")
        printf '%-10s %10.3f %10.3f %10.3f %8s %%\n' $technique "$u" "$s" "$c" "$saved"
        [ $technique != vrp ] || [ "$saved" -ge 50 ] || failed=1
    done
}

for each in costs ends plans; do
    case $part in all|${each%s}|$each) $each; echo ;; esac
done
[ $failed = 0 ] && echo 'watched at most 1 % more, ends at most 10 % off, and vrp saves at least half: yes' || echo 'watched at most 1 % more, ends at most 10 % off, and vrp saves at least half: NO'
exit $failed
