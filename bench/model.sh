#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# model.sh: how well small runs predict a larger one, for the demo and NPB 3.4, of which the user has a copy.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"

usage() {
    cat <<'END'
usage: bench/model.sh [-B BUILD] [-w FOLDER] [-r TIMES] [-n NUMBERS] [NPB-FOLDER [PROGRAM...]]
Each program is built as a counted original and as a counted slice. Small runs of the original, up to 16 ranks, are recorded TIMES times
(1), one rank at a time under engine emulate; commslice fit makes a model of them, and commslice predict predicts the slice at 64
ranks: that is written down before the original is recorded at 64 ranks, too. Without NPB-FOLDER, only the demo.

  -B BUILD    the build tree of commslice (build)
  -w FOLDER   work there, and leave everything (default: a folder that is removed)
  -n NUMBERS  the network (latency=2us,overhead=0.3us,gap=0.1us,bandwidth=1GB/s)

A row a program, the worst first: computation of the mean rank, predicted over measured; whole time, the same, both on the same
network; how far a second run of the original is off the first; what "as the largest small run, divided by the ranks" says of the whole time; share of the computation in segments
that no small run had; farthest that the target lies outside of what was measured.
END
}

build=$top/build work='' times=1
while getopts B:w:r:n:h o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        r) times=$OPTARG ;;
        n) network=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
take_npb "$@"
[ $# -eq 0 ] || shift
begin_work

# ---- the programs: small runs and the target, CLASS.RANKS ----

runs_of() {
    case $1 in
        heat) small='1024.2 1024.4 1024.8 512.4 512.16 256.16 1024.16' target=2048.64 ;;
        bt | sp) small='S.4 S.9 W.4 W.9 W.16 S.16' target=W.64 ;;
        lu) small='S.4 S.8 W.4 W.8 W.16 S.16' target=W.64 ;;
        ep) small='S.4 S.8 S.16 W.16' target=W.64 ;;
        *) small='S.4 S.8 S.16 W.4 W.8 W.16' target=W.64 ;;
    esac
}

# record WHAT PROGRAM CLASS.RANKS OUT: of the original (o, with times) or the slice (s).
record() {
    class=${3%.*} ranks=${3#*.} name=$2.${3%.*}.$1 input=''
    [ "$2" != heat ] || { name=heat.$1 input=$PWD/heat.$3.txt; square_plate "$class" "$ranks" >"$input"; }
    if [ "$1" = o ]; then
        commslice record -q -o "$4" -n "$ranks" -e emulate -j 1 --stdout drop -- "./$name" $input
    else
        commslice run -q -o "$4" -n "$ranks" --stdout drop "./$name" $input
    fi >"$4.log" 2>&1
}

# ---- one program ----

measure() { # PROGRAM
    runs_of "$1"
    traces=''
    for r in $small $target; do
        if [ "$1" = heat ]; then build_demo heat; else build_npb "$1" "${r%.*}"; fi || { echo "$1: not built; see the logs with -w" >&2; return 1; }
    done
    for r in $small; do
        i=1
        while [ "$i" -le "$times" ]; do
            record o "$1" "$r" "$1.$r.$i.trace" || { echo "$1: no run of $r: $(tail -n 1 "$1.$r.$i.trace.log")" >&2; return 1; }
            traces="$traces $1.$r.$i.trace"
            i=$((i + 1))
        done
    done
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force -o "$1.model" $traces >"$1.fit" || return 1
    record s "$1" "$target" "$1.target.trace" || { echo "$1: no run of the slice: $(tail -n 1 "$1.target.trace.log")" >&2; return 1; }
    commslice predict --json --network "$network" --model "$1.model" "$1.target.trace" >"$1.predicted" || return 1
    commslice predict --network "$network" --model "$1.model" "$1.target.trace" >"$1.table"
    # Only now the truth.
    record o "$1" "$target" "$1.truth.trace" || return 1
    commslice predict --json --network "$network" "$1.truth.trace" >"$1.truth"
    record o "$1" "$target" "$1.truth.trace" && commslice predict --json --network "$network" "$1.truth.trace" >"$1.again" || return 1
    last=$(for r in $small; do [ "${r%.*}" != "${target%.*}" ] || echo "$r"; done | sort -t. -k2n | tail -n 1)
    simple=nan
    if [ -n "$last" ]; then
        commslice predict --json --network "$network" "$1.$last.1.trace" >"$1.last"
        simple=$(awk -v t="$(number predicted_s "$1.last")" -v p="${last#*.}" -v q="${target#*.}" 'BEGIN { print t * p / q }')
    fi
    outside=$(sed -n 's/^ *\([0-9.]*\) times outside.*/\1/p' "$1.table" | sort -g | tail -n 1)
    unknown=$(sed -n 's/^\([0-9.]*\) % of it is in pieces.*/\1/p' "$1.table")
    awk -v name="$1 $target" -v c="$(number computation_mean_s "$1.predicted")" -v tc="$(number computation_mean_s "$1.truth")" \
        -v t="$(number predicted_s "$1.predicted")" -v tt="$(number predicted_s "$1.truth")" -v s="$simple" -v lo="$(number least_s "$1.predicted")" \
        -v hi="$(number most_s "$1.predicted")" -v unseen="${unknown:-0}" -v out="${outside:-1}" \
        -v again="$(number predicted_s "$1.again")" 'BEGIN {
            e = t / tt - 1
            printf "%g\t%-10s %+7.1f %%  %+7.1f %%  %+9.1f %%  %-3s  %9s  %6.1f %%  %6.1f x  %.4g s\n", (e < 0 ? -e : e), name, 100 * (c / tc - 1), 100 * e,
                100 * (again / tt - 1), (tt >= lo && tt <= hi ? "yes" : "no"), (s == "nan" ? "-" : sprintf("%+.1f %%", 100 * (s / tt - 1))), unseen, out, tt }'
}

cd "$work" || exit 2
[ $# -gt 0 ] || set -- heat ${npb:+bt cg ep ft is lu mg sp}
code=0
for p in "$@"; do measure "$p" >>rows.new || code=1; done
printf '%-10s %9s  %9s  %11s  %s  %9s  %8s  %8s  %s\n' program computes 'whole' itself in90 'by 1/p' unseen outside truth
sort -gr rows.new | cut -f 2-
rm -f rows.new
exit $code
