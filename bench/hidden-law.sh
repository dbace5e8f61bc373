#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hidden-law.sh: how well small runs predict larger ones where computation follows a law that no model knows (cost-law.c), so that no clock
# spoils the truth; for the demo and NPB 3.4, of which the user has a copy.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"
. "$top/bench/smpi.sh"

usage() {
    cat <<'END'
usage: bench/hidden-law.sh [-B BUILD] [-w FOLDER] [-n NUMBERS] [-l LAW] [-s SEED] [-t RANKS] [-p] [-g] [-d] [-c HOW] [-x SWEEP3D-FOLDER] [NPB-FOLDER [PROGRAM...]]
Each program is built as a counted original and as a counted slice. Small runs of the original, on 1 to 16 ranks, get times by the hidden law;
commslice fit makes a model of them, and commslice predict predicts the slice at 64, 256 and 512 ranks. That and what other methods say is
written down before the original runs there and gets its times by the same law. All is played on the same network, without a clock: two runs
of this script print the same table. Without NPB-FOLDER, only the demo. bt, lu and sp take five steps of class B, bt and sp on 484 ranks in place of 512.

  -B BUILD    the build tree of commslice (build)
  -w FOLDER   work there, and leave everything (default: a folder that is removed)
  -n NUMBERS  the network (latency=2us,overhead=0.3us,gap=0.1us,bandwidth=1GB/s)
  -l LAW      a number: each is another law (1); 1p: what the program does around its loops grows with a power of the ranks; 1u: a law of other terms
  -s SEED     of the law's noise (1)
  -x FOLDER   your copy of Sweep3D: program sweep3d, with 100 points
  -t RANKS    only targets of so many ranks
  -c HOW      slices by counters=HOW, setup or all
  -g          SimGrid plays it all, on a cluster with links of 1 GB/s and 1 us, in place of the network
  -d          of ft, small runs that cut their data in two directions, as the targets do
  -p          learn only from those small runs that commslice plan chooses for the target

A row a program and size, the worst first: computation of the mean rank and whole time, predicted over true; whether the 90 % interval holds
the truth; what the whole time alone says: T = c + a p^i log^j p as Extra-P chooses it, the same of p times T, the same with negative
exponents, log T over log p (Barnes et al. 2008), and the largest small run by 1/p; share of segments that no small run had; the truth.
END
}

build=$top/build work='' seed=1 law=1 only='' plan='' sweep='' simgrid='' two=''
while getopts B:w:n:l:s:t:x:c:dpgh o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        n) network=$OPTARG ;;
        l) law=$OPTARG ;;
        s) seed=$OPTARG ;;
        t) only=$OPTARG ;;
        x) sweep=$(cd "$OPTARG" && pwd) || exit 2 ;;
        c) counters=counters=$OPTARG ;;
        d) two=yes ;;
        p) plan=yes ;;
        g) simgrid=yes ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
take_npb "$@"
[ $# -eq 0 ] || shift
begin_work
make_cost_law

# run WHAT PROGRAM CLASS.RANKS OUT: the original (o) or the slice (s), without a clock, in a folder with its input.
run() {
    place_of "$1" "$2" "$3"
    to=$PWD/$4
    [ -s "$to" ] || (cd "$at" && commslice run -q -o "$to" -n "${3#*.}" --stdout drop "../$name" $input >"$to.log" 2>&1) || { rm -f "$to"; return 1; }
}

# give_times PROGRAM CLASS.RANKS: its counted original, with times by the law.
give_times() {
    run o "$1" "$2" "$1.$2.counted.trace" && ./cost-law "$law" "$(echo "$seed $1 $2" | cksum | cut -d ' ' -f 1)" "$1.$2.counted.trace" "$1.$2.trace"
}

# The whole time with the trace's own times; by SimGrid from its time-independent trace.
whole() { # TRACE RANKS
    commslice predict --json --network "$network" "$1" >whole.json || return 1
    if [ -n "$simgrid" ]; then
        commslice export -f ti --force --speed 1e9 -o whole.ti "$1" 2>/dev/null
        s=$("$COMMSLICE_SMPIRUN" -np "$2" -platform "$(platform "$2")" -replay whole.ti 2>&1 | sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p')
        rm -rf whole.ti whole.ti_files
        sed -i "s/\"predicted_s\":[0-9.]*/\"predicted_s\":${s:-0}/" whole.json
    fi
    cat whole.json
}

# ---- one program ----

learn() { # PROGRAM
    traces=''
    for r in $small; do
        give_times "$1" "$r" || { echo "$1: no run of $r: $(tail -n 1 "$1.$r.counted.trace.log")" >&2; return 1; }
        traces="$traces $1.$r.trace"
    done
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force -o "$1.model" $traces >"$1.fit"
}

# choose PROGRAM CLASS.RANKS: a model of those small runs that tell most of it, by what their slices count.
choose() {
    traces=''
    for r in $small; do
        run s "$1" "$r" "$1.$r.slice.trace" || return 1
        traces="$traces $1.$r.slice.trace"
    done
    # shellcheck disable=SC2086  # words on purpose
    commslice plan --json --target "$1.$2.slice.trace" $traces >"$1.$2.plan" || return 1
    chosen=$(grep -o '"run":"[^"]*' "$1.$2.plan" | sed 's/.*"//; s/slice.trace/trace/')
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force -o "$1.model" $chosen >"$1.fit"
}

measure() { # PROGRAM CLASS.RANKS
    run s "$1" "$2" "$1.$2.slice.trace" || { echo "$1: no slice of $2: $(tail -n 1 "$1.$2.slice.trace.log")" >&2; return 1; }
    [ -z "$plan" ] || choose "$1" "$2" || { echo "$1: no plan for $2" >&2; return 1; }
    if [ -n "$simgrid" ]; then set -- "$1" "$2" --on "$(platform "${2#*.}")"; else set -- "$1" "$2" --network "$network"; fi
    commslice predict --json "$3" "$4" --model "$1.model" "$1.$2.slice.trace" >"$1.$2.predicted" || return 1
    for r in $small; do
        [ "${r%.*}" != "${2%.*}" ] || { whole "$1.$r.trace" "${r#*.}" >"$1.$r.whole" && echo "${r#*.} $(number predicted_s "$1.$r.whole")"; }
    done >"$1.$2.curve"
    awk -v target="${2#*.}" -f "$top/bench/curve-baselines.awk" "$1.$2.curve" >"$1.$2.baselines"
    # Only now the truth.
    give_times "$1" "$2" || { echo "$1: no run of $2: $(tail -n 1 "$1.$2.counted.trace.log")" >&2; return 1; }
    whole "$1.$2.trace" "${2#*.}" >"$1.$2.truth"
    unseen=$(calc %.1f "100 * $(number unmeasured_share "$1.$2.predicted")")
    # shellcheck disable=SC2046  # words on purpose
    echo "$1 $2" $(for f in predicted truth; do number computation_mean_s "$1.$2.$f"; number predicted_s "$1.$2.$f"; done) \
        "$(number least_s "$1.$2.predicted")" "$(number most_s "$1.$2.predicted")" "$unseen" $(cat "$1.$2.baselines")
}

cd "$work" || exit 2
[ -z "$simgrid" ] || make_smpirun
learn_and_measure "$@"
code=$?
awk -f "$top/bench/hidden-law.awk" results
exit $code
