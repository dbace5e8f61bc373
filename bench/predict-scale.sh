#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What processor time it takes to predict large runs of the demo from small ones: the slice's run, the prediction, memory; one row a number of ranks.
# usage: predict-scale.sh [-B BUILD] [-s STEPS] [RANKS...]
#   RANKS     square numbers (64 1024 4096 16384)
#   -s STEPS  steps of each run (100): events a rank are some nine times as many
set -u
. "$(dirname "$0")/common.sh"

tree='' steps=100
while getopts B:s: o; do
    case $o in
    B) tree=$OPTARG ;; s) steps=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 64 1024 4096 16384
find_tools "$tree"
make_work
[ -x /usr/bin/time ] || die "/usr/bin/time is missing (Debian: time)"

# A plate of 128 by 128 points for each rank.
settings() { # RANKS ROWS-OF-RANKS COLUMNS-OF-RANKS
    printf 'rows %d\ncols %d\ngrid_rows %d\ngrid_cols %d\nsteps %d\nreport 10\n' \
        $((128 * $2)) $((128 * $3)) "$2" "$3" "$steps" >"$work/in.$1"
}

timed() { # WHAT COMMAND...: processor time in s and MB of the command in the files WHAT.s, WHAT.mb
    what=$1
    shift
    /usr/bin/time -o "$work/$what.time" -f '%U %S %M' "$@" >"$work/$what.out" 2>&1 ||
        { cat "$work/$what.out" >&2; die "$what fails"; }
    awk '{ printf "%.1f | %.0f", $1 + $2, $3 / 1000 }' "$work/$what.time"
}

PATH=$build/bin:$PATH
for way in counted=mode=counted slice=counters; do
    commslice-mpicc -g -O2 "-fplugin-arg-commslice-${way#*=}" -o "$work/${way%%=*}" "$top/demo/heat.c" -lm 2>"$work/link.out" ||
        { cat "$work/link.out" >&2; die "cannot build the demo"; }
done
cd "$work" || exit 2
settings 1 1 1
settings 2 1 2
settings 4 2 2
for n in 1 2 4; do
    timed small "$COMMSLICE" record --engine emulate -o "p$n.trace" -n "$n" ./counted "in.$n" >/dev/null || exit 2
done
timed fit "$COMMSLICE" fit -o model p1.trace p2.trace p4.trace >/dev/null || exit 2

echo "| ranks | events | slice's run, CPU s | MB | prediction, CPU s | MB |"
echo "|---|---|---|---|---|---|"
for n; do
    side=$(echo "$n" | awk '{ s = int(sqrt($1) + 0.5); print s * s == $1 ? s : 0 }')
    [ "$side" -gt 0 ] || die "$n: not a square number"
    settings "$n" "$side" "$side"
    run=$(timed run "$COMMSLICE" run -n "$n" -o large.trace ./slice "in.$n") || exit 2
    events=$(sed -n 's/.* ranks*, \([0-9]*\) events.*/\1/p' run.out)
    prediction=$(timed predict "$COMMSLICE" predict --model model --network latency=2us,bandwidth=1GB/s large.trace) || exit 2
    echo "| $n | $events | $run | $prediction |"
done
