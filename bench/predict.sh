#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How well skeletons predict run times, on this machine. docs/prediction.md has the protocol.
# usage: predict.sh [-B BUILD] [-k K] [-r ROUNDS] [-c RECORDINGS] [-t FOLDER] [-n RANKS] [-y] [-q PERCENT | -w RATE | -p PLATFORM [-s FOLDER]] [-C] [-o PREDICTIONS] [-l LOCK] PROGRAM...
#   PROGRAM    an MPI program, or a command line in quotes; "heat" is demo/heat.c, 1000 steps on a plate of 1500 x 1500
#   -k K       how much shorter the skeletons are (10)
#   -r ROUNDS  interleaved runs: skeleton, then original (10); twice as many of a program that takes less than a second
#   -c RECORDINGS  the original is recorded anew in each of so many rounds; later ones take these recordings again (each round has its own)
#   -t FOLDER  recordings are kept there, and taken from there: for several tables of the same programs
#   -n RANKS   2
#   -y         ranks yield while they wait (yield.c), recorded, predicting and predicted ones alike: for more ranks than processors
#   -q PERCENT another machine: skeleton and original run with so much of the processors (a control group, version 1; root); the recording does not.
#              Periods of 40 ms: many for a skeleton, and long against the kernel's tick, at which processors are stopped. Meanwhile the kernel
#              hands out quotas in slices of 1 ms: in those of 5 ms, its default, ranks are stopped in turn and not together
#   -w RATE    another machine: half of the ranks in each of two network namespaces, with a link of this rate (as tc has it: 1gbit) and TCP; root
#   -p PLATFORM  another machine: skeleton and original run under SimGrid on this platform; the recording is MPICH's, with -y all ranks on one
#              processor, as there, so that no rank shares the memory with another one that computes
#   -s FOLDER  with -p: the originals, compiled by smpicc and smpiff, by the same names; not needed for heat
#   -C         only computation: that of the original and of its skeleton with K = 1, both recorded, without what was lost to others: says something on a
#              loaded machine, too
#   -o FILE    where each prediction is written before the original runs (predictions.txt)
#   -l LOCK    hold this lock file during each program's runs
# Prints a table row for each program, the largest error first: the median over the rounds of how far the prediction is off the original beside it, and
# where that median is with 90 % probability. Exit status 1: an error above 3 %, on another machine 10 %.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/other-machine.sh"

tree='' scale=10 rounds=10 recordings=1000 ranks=2 predictions=predictions.txt lock='' yields=no percent='' rate='' platform='' simulated='' kept='' limit=3 computation=no
while getopts B:k:r:c:t:n:yq:w:p:s:Co:l: o; do
    case $o in
    B) tree=$OPTARG ;; k) scale=$OPTARG ;; r) rounds=$OPTARG ;; c) recordings=$OPTARG ;; t) kept=$OPTARG ;; s) simulated=$OPTARG ;; n) ranks=$OPTARG ;; o) predictions=$OPTARG ;; l) lock=$OPTARG ;;
    y) yields=yes ;; C) computation=yes scale=1 ;; q) percent=$OPTARG limit=10 ;; w) rate=$OPTARG limit=10 ;; p) platform=$OPTARG limit=10 ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
find_tools "$tree"
make_work
case $predictions in /*) ;; *) predictions=$PWD/$predictions ;; esac
kept=${kept:-$work/kept}
mkdir -p "$kept" || exit 2

make_clock

alone=
[ -z "$platform" ] || [ $yields = no ] || alone='taskset -c 0'
# Ranks stay on their processors, as they do on the machines that such programs are made for; with more ranks than processors they take turns.
[ -n "$alone" ] || MPIEXEC="$MPIEXEC -bind-to core"
yield=
if [ $yields = yes ]; then
    $CC -O2 -fPIC -shared -o "$work/yield.so" "$top/bench/yield.c" || die "cannot compile yield.c"
    yield=:$work/yield.so
fi

# ---- the other machine ----

undo() {
    undo_machine
    rm -rf "$work"
}
trap undo EXIT
[ -z "$percent" ] || make_group "$ranks" "$percent"
[ -z "$rate" ] || make_link "$rate"

# A program on all ranks, on the machine that is asked about.
launch() { # FILE-FOR-SECONDS PROGRAM...
    span=$1
    words="env ${span:+SPAN=$span} LD_PRELOAD=$work/span.so$yield"
    shift
    if [ -n "$rate" ]; then
        words="$words STAY=1 UCX_TLS=tcp,self UCX_NET_DEVICES=cs0 MPIR_CVAR_NOLOCAL=1"
        # shellcheck disable=SC2086  # words on purpose
        $MPIEXEC -n $(((ranks + 1) / 2)) ip netns exec "$net.0" $words "$@" : -n $((ranks / 2)) ip netns exec "$net.1" $words "$@"
    elif [ -n "$percent" ]; then
        # shellcheck disable=SC2086
        in_group $MPIEXEC -n "$ranks" $words "$@"
    else
        # shellcheck disable=SC2086
        $MPIEXEC -n "$ranks" $words "$@"
    fi
}

heat() {
    $MPICC -O2 -o "$work/heat" "$top/demo/heat.c" -lm || die "cannot compile demo/heat.c"
    if [ -n "$platform" ]; then smpicc -O2 -o "$work/heat.smpi" "$top/demo/heat.c" -lm >"$work/rec.log" 2>&1 || die "smpicc cannot compile demo/heat.c"; fi
    printf 'rows 1500\ncols 1500\ngrid_rows 1\ngrid_cols %d\nsteps 1000\nreport 10\n' "$ranks" >"$work/heat.txt"
    echo "$work/heat $work/heat.txt"
}

# Seconds between calls, without those lost, of the rank that has most; and from MPI_Init to MPI_Finalize of the rank that has most.
computed() { # TRACE PROGRAM
    # shellcheck disable=SC2086
    LD_PRELOAD=${yield#:} $alone "$COMMSLICE" record -o "$1" -- $MPIEXEC -n "$ranks" $2 >"$work/rec.log" 2>&1 || return 1
    "$COMMSLICE" print --json "$1" |
        sed -n 's/.*"rank":\([0-9]*\),.*"enter_ns":\([0-9]*\),"exit_ns":\([0-9]*\),"lost_ns":\([0-9]*\).*/\1 \2 \3 \4/p' |
        awk '{ if ($1 in last) s[$1] += $2 - last[$1] - $4; else first[$1] = $3; last[$1] = $3; span[$1] = $2 - first[$1] }
             END { for (r in s) { if (s[r] > m) m = s[r]; if (span[r] > t) t = span[r] } printf "%.6f %.6f\n", m / 1e9, t / 1e9 }'
}

# The recording of a round, $kept/KEY.N.trace, and .took with its two figures.
recording() { # KEY.N COMMAND
    [ ! -e "$kept/$1.trace" ] || return 0
    took=$(computed "$work/R" "$2") || return 1
    echo "$took" >"$kept/$1.took"
    mv "$work/R" "$kept/$1.trace"
}

# Its skeleton.
make_skeleton() { # TRACE
    "$COMMSLICE" skeleton "$1" --scale "$scale" --force -o "$work/skel.c" >"$work/make.log" 2>&1 || return 1
    [ -n "$platform" ] || $MPICC -O2 -o "$work/skel" "$work/skel.c"
}

# The speed of the platform's first host, as commslice predict has it.
host_speed() { sed -n 's/.*speed="\([0-9.a-zA-Z]*\)".*/\1/p' "$platform" | head -n 1; }

# The slowest rank's seconds of one run of the original.
original() {
    if [ $computation = yes ]; then
        took=$(computed "$work/C" "$1") && echo "${took%% *}"
        return
    fi
    if [ -n "$platform" ]; then
        words=${1##*/}
        case $1 in "$work"/heat*) words="$work/heat.smpi $work/heat.txt" ;; *) words="$simulated/$words" ;; esac
        # shellcheck disable=SC2086
        smpirun -np "$ranks" -platform "$platform" --cfg=smpi/host-speed:"$(host_speed)" --cfg=smpi/display-timing:yes --log=xbt_cfg.thres:warning $words \
            >"$work/orig.log" 2>&1 || return 1
        sed -n 's/.*Simulated time: \([0-9.e-]*\) seconds.*/\1/p' "$work/orig.log"
        return
    fi
    rm -f "$work/span"
    # shellcheck disable=SC2086  # words on purpose
    launch "$work/span" $1 >"$work/orig.log" 2>&1 || [ -n "$rate" ] || return 1
    [ "$(wc -l <"$work/span")" = "$ranks" ] && sort -n "$work/span" | tail -n 1
}

# One prediction, and how long the skeleton took for it.
skeleton_once() {
    if [ -n "$platform" ]; then
        "$COMMSLICE" predict --json --force --scale "$scale" --runs 1 --on "$platform" "$1" >"$work/skel.log" 2>&1 || return 1
        sed -n 's/.*"predicted_s":\([0-9.]*\).*"skeleton_s":\([0-9.]*\).*/\1 \2/p' "$work/skel.log"
        return
    fi
    launch '' "$work/skel" all >"$work/skel.log" 2>&1 || [ -n "$rate" ] || return 1
    [ "$(grep -c ' predicts ' "$work/skel.log")" = "$ranks" ] || return 1
    sed -n 's/.*: rank [0-9]*: \([0-9.]*\) s, predicts \([0-9.]*\) s$/\2 \1/p' "$work/skel.log" | sort -n | tail -n 1
}

# A round's prediction: of a skeleton that takes less than half a second, the middle one of three.
skeleton() { # TRACE
    if [ $computation = yes ]; then
        took=$(computed "$work/C" "$work/skel") && echo "${took%% *} 0"
        return
    fi
    once=$(skeleton_once "$1") && echo "$once" >"$work/once" || return 1
    if [ -z "$platform" ] && [ "$(calc %d "(${once#* } < 0.5)")" = 1 ]; then
        for _ in 1 2; do skeleton_once "$1" >>"$work/once" || return 1; done
    fi
    sort -n "$work/once" | sed -n "$((($(wc -l <"$work/once") + 1) / 2))p"
}
# Of each round, how far its prediction is off its original, in per cent: the host gets slower and faster within minutes, so only what ran side by side is
# compared. Prints the median, and between which two of them, from the least upwards, it is with 90 % probability at least (binomial; n < 5: all).
compared() { # PREDICTED ORIGINAL
    paste "$1" "$2" | awk '{ print 100 * ($1 - $2) / $2 }' | sort -n | awk '{ v[NR] = $1 }
        END { for (p = t = 0.5 ^ NR; 2 * t <= 0.1; t += p) { k++; p = p * (NR - k + 1) / k }
              if (k < 1) k = 1
              printf "%.1f %+.1f to %+.1f\n", NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2, v[k], v[NR + 1 - k] }'
}
spread() { sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.3f to %.3f", v[1], v[NR] }'; }

one() { # NAME COMMAND
    rm -f "$work/p" "$work/o" "$work/s" "$work/t"
    i=0 turns=$rounds failed=0
    while [ "$i" -lt "$turns" ]; do
        key=$1.$ranks.$yields${alone:+.alone}.$((i % recordings + 1))
        i=$((i + 1))
        recording "$key" "$2" || { echo "999 | $1 | recording failed: $(tail -n 1 "$work/rec.log")"; return; }
        make_skeleton "$kept/$key.trace" || { echo "999 | $1 | no skeleton: $(tail -n 1 "$work/make.log")"; return; }
        p=$(skeleton "$kept/$key.trace") && echo "$(date -u +%FT%TZ) $1 round $i predicted ${p% *} s" >>"$predictions" &&
            o=$(original "$2") && echo "$(date -u +%FT%TZ) $1 round $i took $o s" >>"$predictions" || { failed=$((failed + 1)); continue; }
        echo "${p% *}" >>"$work/p" && echo "${p#* }" >>"$work/s" && echo "$o" >>"$work/o" && cat "$kept/$key.took" >>"$work/t"
        [ "$i" != 1 ] || [ "$(calc %d "($o < 1)")" = 0 ] || turns=$((2 * rounds))
    done
    [ -s "$work/o" ] || { echo "999 | $1 | no runs: $(tail -n 1 "$work/skel.log") $(tail -n 1 "$work/orig.log")"; return; }
    cut -d' ' -f1 "$work/t" >"$work/t.computed" && cut -d' ' -f2 "$work/t" >"$work/t.all"
    error=$(compared "$work/p" "$work/o")
    printf '%s | %s%s | %+.1f %% | %s %% | %.3f (%s) | %.3f (%s) | %.3f (%.3f) | %.3f | %s |\n' "$(echo "${error%% *}" | tr -d -)" "$1" \
        "$([ $failed = 0 ] || echo ", $failed of $turns rounds failed")" "${error%% *}" "${error#* }" "$(median "$work/p")" "$(spread "$work/p")" \
        "$(median "$work/o")" "$(spread "$work/o")" "$(median "$work/t.all")" "$(median "$work/t.computed")" "$(median "$work/s")" \
        "$(sed -n 's/.*loops: //p' "$work/make.log")"
}

for program; do
    case $program in heat) command=$(heat) ;; *) command=$program ;; esac
    name=${program##*/}
    [ -z "$lock" ] || { exec 9>"$lock"; flock 9; }
    one "${name%% *}" "$command" 9>&- >>"$work/lines"
    [ -z "$lock" ] || exec 9>&-
    tail -n 1 "$work/lines" | cut -d' ' -f2- >&2
done
what="this machine"
[ $computation = no ] || what="$what, only computation"
[ -z "$percent" ] || what="with $percent % of the processors"
[ -z "$rate" ] || what="over a link of $rate"
[ -z "$platform" ] || what="simulated by SimGrid on $(basename "$platform"), predicted and original"
echo "K = $scale, $ranks ranks, $what, yielding: $yields; $rounds rounds, load average $(cut -d' ' -f1-3 /proc/loadavg)"
echo '| program | error | 90 % interval | predicted s, median (least to most) | original s, median (least to most) | recorded s (computation) | skeleton s | loops |'
echo '|---|---|---|---|---|---|---|---|'
sort -rn "$work/lines" | cut -d' ' -f2-
awk -v limit=$limit '$1 > limit { bad = 1 } END { exit bad }' "$work/lines"
