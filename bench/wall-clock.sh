#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# wall-clock.sh: how well recorded small runs under MPICH predict larger ones on this machine, and on others of which the model has no run.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"
. "$top/bench/other-machine.sh"

usage() {
    cat <<'END'
usage: bench/wall-clock.sh [-B BUILD] [-w FOLDER] [-r REPEATS] [-t REPEATS] [-q PERCENT] [-l RATE] [-o FILE] [PROGRAM...]
Small runs of each demo's counted original, of four sizes on 1 and 2 ranks, are recorded under MPICH on this machine, and make a model. The slice runs
with twice and four times the largest size, and what commslice predicts for 2 ranks is written down with date and time, beside what other methods say;
only after that the original runs there, without the recorder, and is timed from MPI_Init to MPI_Finalize. Measured runs are in a control group that other
programs leave the processors to (root). PROGRAM: heat, nbody, matmul (all).

  -B BUILD    the build tree of commslice (build)
  -w FOLDER   work there, and leave everything (default: a folder that is removed)
  -r REPEATS  recorded runs of each size (3)
  -t REPEATS  runs of each truth (5)
  -q PERCENT  truths on another machine: so much of the processors' time. The prediction is this machine's, times what the original takes there over what
              it takes here, at the largest small size
  -l RATE     truths on another machine: a link of this rate between the ranks (as tc has it: 1gbit), measured by commslice calibrate
  -o FILE     where predictions are written (predictions.txt)

A row a program and size, the worst first: predicted over true, whether the 90 % interval holds the truth, the same of what two baselines say of the whole
times of the small runs on 2 ranks (T = c + a n^i log^j n as Extra-P chooses it; log T over log n), the median truth and its spread.
END
}

build=$top/build work='' repeats=3 truths=5 percent='' rate='' out=predictions.txt
while getopts B:w:r:t:q:l:o:h o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        r) repeats=$OPTARG ;;
        t) truths=$OPTARG ;;
        q) percent=$OPTARG ;;
        l) rate=$OPTARG ;;
        o) out=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- heat nbody matmul
case $out in /*) ;; *) out=$PWD/$out ;; esac
keep=$work
begin_work
trap 'undo_machine; [ -n "$keep" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
make_clock

sizes() {
    case $1 in
        heat) small='512 1024 1536 2048' ;;
        nbody) small='400 800 1200 1600' ;;
        matmul) small='150 300 450 600' ;;
        *) die "no program $1; there are heat, nbody and matmul" ;;
    esac
    most=${small##* } new="$((2 * most)) $((4 * most))"
}
words() { # PROGRAM SIZE RANKS
    case $1 in
        heat)
            plate "$2" "$3" 1 >"$work/heat.$2.$3.txt"
            echo "$work/heat.$2.$3.txt" ;;
        nbody) echo "$2 10" ;;
        matmul) echo "$2" ;;
    esac
}
build_three() {
    build_demo "$1" && $MPICC -O2 -o "$1.plain" "$top/demo/$1.c" -lm || die "$1: not built"
}

# ---- small runs, on this machine ----

learn() { # PROGRAM
    traces='' list=''
    : >"$1.curve"
    for size in $small; do
        for ranks in 1 2; do
            for i in $(seq "$repeats"); do
                t=$1.$size.$ranks.$i.trace
                # shellcheck disable=SC2046  # words on purpose
                [ -s "$t" ] || in_group commslice record -q -o "$t" -- "$MPIEXEC" -bind-to core -n "$ranks" "./$1.o" $(words "$1" "$size" "$ranks") >"$t.log" 2>&1 ||
                    die "$1: no run of $size on $ranks: $(tail -n 1 "$t.log")"
                traces="$traces $t" list="$list,$size"
            done
        done
    done
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force --sizes "${list#,}" -o "$1.model" $traces >"$1.fit" || die "$1: no model"
    # The whole times on 2 ranks, for the baselines.
    awk -F '\t' '$1 == "run" { ranks[runs++] = $2 } $1 == "whole" && ranks[$2] == 2 { print $4, $3 }' "$1.model" >"$1.curve"
}

# ---- the original ----

# The slowest rank's seconds, of so many runs, ascending; those on the link may end badly, if all ranks have told.
seconds_of() { # MPIEXEC PROGRAM SIZE TIMES
    for _ in $(seq "$4"); do
        rm -f span
        # shellcheck disable=SC2046  # words on purpose
        in_group "$1" -n 2 env SPAN="$work/span" LD_PRELOAD="$work/span.so" "./$2.plain" $(words "$2" "$3" 2) >span.log 2>&1
        [ "$(wc -l <span)" = 2 ] || die "$2: no run of $3: $(tail -n 1 span.log)"
        sort -n span | tail -n 1
    done | sort -g
}
printf '#!/bin/sh\nexec %s -bind-to core "$@"\n' "$MPIEXEC" >here-mpiexec
chmod +x here-mpiexec
launcher=./here-mpiexec

# ---- predictions and truths ----

predict() { # PROGRAM SIZE FACTOR
    # shellcheck disable=SC2046  # words on purpose
    commslice predict --json --model "$1.model" --network network -n 2 "./$1.s" $(words "$1" "$2" 2) >"$1.$2.predicted" || die "$1: no prediction of $2"
    awk -v target="$2" -f "$top/bench/curve-baselines.awk" "$1.curve" >"$1.$2.baselines"
    awk -v f="$3" -v p="$(number predicted_s "$1.$2.predicted")" -v l="$(number least_s "$1.$2.predicted")" -v m="$(number most_s "$1.$2.predicted")" \
        '{ print f * p, f * l, f * m, f * $1, f * $4 }' "$1.$2.baselines" >"$1.$2.said"
    echo "$(date -u +%FT%TZ) $1 $2 on 2 ranks${percent:+, $percent % of the processors}${rate:+, link of $rate}: predicted, least, most, two baselines: $(cat "$1.$2.said")" >>"$out"
}

for p; do sizes "$p"; done # or there is no such program
for p; do build_three "$p"; done
make_group 2
for p; do sizes "$p"; learn "$p"; done
if [ -z "$rate" ]; then in_group commslice calibrate --force -o network -- ./here-mpiexec -n 2 >calibrated || die 'no network'; fi
for p; do
    sizes "$p"
    [ -z "$percent" ] || seconds_of "$launcher" "$p" "$most" "$repeats" | median >"$p.here"
done
undo_machine
make_group 2 "$percent"
if [ -n "$rate" ]; then
    make_link "$rate"
    make_link_mpiexec
    launcher=./link-mpiexec
    in_group commslice calibrate --force -o network -- ./link-mpiexec -n 2 >calibrated || [ -s network ] || die 'no network'
fi
for p; do
    sizes "$p"
    factor=1
    [ -z "$percent" ] || factor=$(calc %.6f "$(seconds_of "$launcher" "$p" "$most" "$repeats" | median) / $(cat "$p.here")")
    for size in $new; do predict "$p" "$size" "$factor"; done
done
: >results
for p; do
    sizes "$p"
    for size in $new; do
        seconds_of "$launcher" "$p" "$size" "$truths" >"$p.$size.truth" || exit 2
        echo "$p $size $((size / most)) $(cat "$p.$size.said") $(tr '\n' ' ' <"$p.$size.truth")" >>results
        echo "$(date -u +%FT%TZ) $p $size took $(tr '\n' ' ' <"$p.$size.truth")" >>"$out"
    done
done
awk '
    function abs(x) { return x < 0 ? -x : x }
    {
        k = NF - 8; t = $(8 + int((k + 1) / 2)); e = 100 * ($4 / t - 1); goal = $3 > 2 ? 10 : 5
        held = t >= $5 && t <= $6 ? "yes" : "no"
        printf "%.3f\t%-8s %6d %2dx  %+8.1f %%%s  %-4s %+9.1f %% %+9.1f %%  %9.4g s  %.0f %%\n", abs(e), $1, $2, $3, e, (abs(e) > goal ? "*" : " "), held,
            100 * ($7 / t - 1), 100 * ($8 / t - 1), t, 100 * ($NF - $9) / t
    }' results | sort -rg >rows
printf '%-8s %6s      %9s    %-4s %11s %11s  %11s  %s\n' program size segments '90%' 'c + a n^i' 'log-log' truth spread
cut -f 2- rows
