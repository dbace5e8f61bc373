#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# steps-curve.sh: what a five-point stencil (five-point.c) costs as a slice, over its number of steps.
# usage: steps-curve.sh [-B BUILD] [-n RANKS] [-r RUNS] [-o PICTURE.png] [STEPS...]
#   -n RANKS        (512)
#   -r RUNS         of each number of steps, in turn: the median counts (3)
#   -o PICTURE.png  a curve, by gnuplot
#   STEPS           (10 100 1000 100000 1000000 1000000000)
# A row each: steps, events, processor time of all ranks together, bytes of the trace. Up to 1000 steps the trace is compared with that of all
# turns; exit status 1: they differ.
set -u
. "$(dirname "$0")/common.sh"
tree='' ranks=512 runs=3 picture=''
while getopts B:n:r:o: o; do
    case $o in
    B) tree=$OPTARG ;; n) ranks=$OPTARG ;; r) runs=$OPTARG ;; o) picture=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || set -- 10 100 1000 100000 1000000 1000000000
find_tools "$tree"
make_work
"$MPICC" -O2 -fplugin="$PLUGIN" -o "$work/slice" "$top/bench/five-point.c" 2>"$work/log" || die "cannot compile five-point.c: $(tail -n 1 "$work/log")"

# STEPS TRACE: processor time of the run, in seconds
run() {
    ( "$COMMSLICE" run -q -n "$ranks" -o "$work/$2" "$work/slice" "$1" >"$work/log" 2>&1 || die "$1 steps: $(tail -n 1 "$work/log")"
      times >"$work/times" ) || exit 2
    tail -n 1 "$work/times" | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }'
}

i=0
while [ $i -lt "$runs" ]; do
    for n; do run "$n" "$n.trace" >>"$work/$n.s" || exit 2; done
    i=$((i + 1))
done
code=0
printf '%12s %16s %8s %8s\n' steps events 's' bytes
for n; do
    same=''
    if [ "$n" -le 1000 ]; then
        COMMSLICE_NO_REPEAT=1 run "$n" all.trace >/dev/null || exit 2
        if "$COMMSLICE" diff "$work/all.trace" "$work/$n.trace" >/dev/null; then same=same; else same=DIFFERENT code=1; fi
    fi
    events=$("$COMMSLICE" info "$work/$n.trace" | sed -n 's/^events *//p')
    printf '%12d %16s %8.3f %8d %s\n' "$n" "$events" "$(median "$work/$n.s")" "$(stat -c %s "$work/$n.trace")" "$same" | tee -a "$work/rows"
done
[ -z "$picture" ] || gnuplot -e "set terminal pngcairo size 800,500; set output '$picture'; set logscale x; set yrange [0:*]; set xlabel 'steps';
    set ylabel 'processor time of $ranks ranks, s'; set grid; plot '$work/rows' using 1:3 with linespoints notitle" || die "no picture"
exit $code
