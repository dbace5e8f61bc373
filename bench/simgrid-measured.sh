#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# simgrid-measured.sh: how well small runs, by the clock, predict what the full original takes under SimGrid's SMPI, which measures its computation.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"
. "$top/bench/smpi.sh"

usage() {
    cat <<'END'
usage: bench/simgrid-measured.sh [-B BUILD] [-w FOLDER] [-r ROUNDS] [-t RANKS] [-C CPU] [-c HOW] [-x SWEEP3D-FOLDER] [NPB-FOLDER [PROGRAM...]]
Each program is built as a counted original, as a counted slice, and by smpicc or smpiff. In each round, the small runs of the counted original, on 1 to
16 ranks, are recorded under engine emulate, all ranks on one processor, as SMPI has them; then the original runs at each target under SMPI, on a
cluster with links of 1 GB/s and 1 us; all in real-time class FIFO where we are root. SMPI takes the processor time of each piece of computation, less
what an empty one takes; its hosts are as fast as makes a small run on 16 ranks compute as long as it was recorded in that round. Of all small runs
commslice fit makes a model, and commslice predict says how long the slice takes at each target on the same cluster; only then the original's times are looked at:
truth is their median. Without NPB-FOLDER, only the demo. bt, lu and sp take five steps of class B, bt and sp on 484 ranks in place of 512.

  -B BUILD    the build tree of commslice (build)
  -w FOLDER   work there, and leave everything (default: a folder that is removed)
  -r ROUNDS   so many (5)
  -t RANKS    only targets of so many ranks
  -C CPU      all on this processor (1)
  -c HOW      slices by counters=HOW, setup or all
  -x FOLDER   your copy of Sweep3D: program sweep3d, with 100 points

A row a program and target, the worst first: computation of the mean rank and whole time, predicted over true; how far any two of the original's
runs are off each other, in the median and at most, their computation and their whole time; whether the 90 % interval holds the truth; what of the
whole time is computation of the mean rank, predicted and true; how many times as long as recorded a small run on 16 ranks computed under SMPI
before its hosts were made as fast (median); the whole time.
END
}

build=$top/build work='' rounds=5 only='' cpu=1 sweep=''
while getopts B:w:r:t:C:c:x:h o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        r) rounds=$OPTARG ;;
        t) only=$OPTARG ;;
        C) cpu=$OPTARG ;;
        c) counters=counters=$OPTARG ;;
        x) sweep=$(cd "$OPTARG" && pwd) || exit 2 ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
take_npb "$@"
[ $# -eq 0 ] || shift
begin_work
take_processor

# ---- one program ----

record() { # PROGRAM CLASS.RANKS ROUND
    place_of o "$1" "$2"
    to=$PWD/$1.$2.$3.trace
    # shellcheck disable=SC2086  # words on purpose
    [ -s "$to" ] || (cd "$at" && $alone taskset -c "$cpu" commslice record -q -e emulate -n "${2#*.}" --stdout drop -o "$to" -- "../$name" $input >"$to.log" 2>&1) ||
        { rm -f "$to"; return 1; }
    traces="$traces $to"
}

wanted() { [ -z "$only" ] || [ "${1#*.}" = "$only" ]; }

# How fast a second of SMPI's measure is in flops of a host, so that the largest small run, on 16 ranks, computes there as long as it was recorded.
speed_of() { # PROGRAM ROUND
    for r in $small; do [ "${r#*.}" != 16 ] || break; done
    [ -s "$1.$2.speed" ] || { simulate "$1" "$r" "$2" 1e9 && recorded=$(commslice info --counters --json "$1.$r.$2.trace" | jq '[.segments[].ns] | add') &&
        calc %.0f "$recorded / $(cut -d ' ' -f 2 "$1.$r.$2.simulated")" >"$1.$2.speed"; }
}

# The small runs and the targets, whose times wait.
learn() { # PROGRAM
    traces=''
    for r in $targets ${small%% *}; do
        build_simulated "$1" "${r%.*}" || { echo "$1: not built by SMPI's compilers: $(tail -n 1 "$name.log")" >&2; return 1; }
    done
    for i in $(seq "$rounds"); do
        for r in $small; do
            record "$1" "$r" "$i" || { echo "$1: no run of $r: $(tail -n 1 "$1.$r.$i.trace.log")" >&2; return 1; }
        done
        speed_of "$1" "$i" || { echo "$1: no small run under SMPI" >&2; return 1; }
        for r in $targets; do
            ! wanted "$r" || simulate "$1" "$r" "$i" "$(cat "$1.$i.speed")" || { echo "$1: no run of $r under SMPI: $(tail -n 1 "$1.$r.$i.simulated.log")" >&2; return 1; }
        done
    done
    speed=$(cat "$1".*.speed | median)
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force -o "$1.model" $traces >"$1.fit"
}

measure() { # PROGRAM CLASS.RANKS
    place_of s "$1" "$2"
    t=$1.$2
    [ -s "$t.slice.trace" ] || (cd "$at" && commslice run -q -o "../$t.slice.trace" -n "${2#*.}" --stdout drop "../$name" $input >"../$t.slice.log" 2>&1) ||
        { echo "$1: no slice of $2: $(tail -n 1 "$t.slice.log")" >&2; return 1; }
    commslice predict --json --on "$(platform "${2#*.}")" --model "$1.model" "$t.slice.trace" >"$t.predicted" || return 1
    # Only now the truth.
    # shellcheck disable=SC2046  # words on purpose
    echo "$1 $2 $(number computation_mean_s "$t.predicted") $(number predicted_s "$t.predicted") $(number least_s "$t.predicted") $(number most_s "$t.predicted")" \
        "$speed" $(sort -g "$t".*.simulated)
}

cd "$work" || exit 2
make_smpi
learn_and_measure "$@"
code=$?
# A line: PROGRAM CLASS.RANKS, predicted COMPUTED WHOLE LEAST MOST, SPEED, and of each of the original's runs WHOLE and COMPUTED, ascending by the first.
awk '
    function abs(x) { return x < 0 ? -x : x }
    function ascending(v, n,    i, k, x) { for (i = 2; i <= n; i++) { x = v[i]; for (k = i - 1; k >= 1 && v[k] > x; k--) v[k + 1] = v[k]; v[k + 1] = x } }
    function middle(v, n) { ascending(v, n); return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2 }
    # How far any two of these are off each other: median, and in `most` the largest, in per cent.
    function apart(v, n,    i, k, d, pairs) {
        pairs = 0
        for (i = 1; i < n; i++) for (k = i + 1; k <= n; k++) d[++pairs] = 200 * abs(v[k] - v[i]) / (v[k] + v[i])
        most = 0
        if (!pairs) return 0
        k = middle(d, pairs); most = d[pairs]
        return k
    }
    {
        split($2, size, "."); n = (NF - 7) / 2
        for (i = 1; i <= n; i++) { whole[i] = $(6 + 2 * i); computed[i] = $(7 + 2 * i) / size[2] }
        c = middle(computed, n); w = middle(whole, n); e = 100 * ($4 / w - 1)
        of = apart(computed, n); text = sprintf("%5.1f %5.1f %%", of, most); of = apart(whole, n)
        printf "%.3f\t%-7s %-9s %+7.1f %% %+7.1f %%  %s  %5.1f %5.1f %%  %-3s  %4.0f %4.0f %%  %5.2f  %.4g s\n", abs(e), $1, $2, 100 * ($3 / c - 1), e, text, of, most,
            (w >= $5 && w <= $6 ? "yes" : "no"), 100 * $3 / $4, 100 * c / w, 1e9 / $7, w
    }' results | sort -rg >rows
printf '%-7s %-9s %9s %9s  %13s  %13s  %-3s  %11s  %5s  %s\n' '' '' computes whole 'itself, comp.' whole '90%' 'computation' SMPI truth
cut -f 2- rows
cut -f 1 rows | awk '{ v[NR] = $1 } END { if (NR) printf "median %.1f %%, worst %.1f %% of %d\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], NR }'
exit $code
