#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# new-input.sh: inputs that were never run, predicted from the slice alone by all three methods, for the demos: heat, n-body, matrix product.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"

usage() {
    cat <<'END'
usage: bench/new-input.sh [-B BUILD] [-w FOLDER] [-l LAW | -c] [-s SIZES] [-n SIZES] [-r REPEATS] [PROGRAM...]
Small runs of each program's counted original, of four sizes, make a model. Then the slice alone runs with new inputs, within the sizes that
were measured and beyond, and each method's prediction is written down; only after that the original runs with them.
Without -c there is no clock: computation gets its times by a hidden law (cost-law.c), and all is played on one network, so two runs of this
script print the same. Small runs are on 1 to 8 ranks, new ones on 4 and 64. PROGRAM: heat, nbody, matmul (all).

  -B BUILD    the build tree of commslice (build)
  -w FOLDER   work there, and leave everything (default: a folder that is removed)
  -l LAW      a number: each is another law (1); 1p: what the program does around its loops grows with a power of the ranks; 1c: what an iteration of an
              outermost loop goes through takes four times as long from 8 MB on
  -s SIZES    small runs of these sizes, in place of four
  -n SIZES    new inputs of these sizes
  -c          by the clock, for a quiet machine of two processors: MPI runs on 1 and 2 ranks, and the network is measured (commslice calibrate)
  -r REPEATS  with -c: so many recorded runs of each size, and of each truth (3)

A row a new input: by how much each method is off the median truth, whether the 90 % interval of segments holds it, the truths' spread. none: the
method comes to no time.
END
}

build=$top/build work='' repeats=3 law=1 clock='' only_small='' only_new=''
while getopts B:w:r:l:s:n:ch o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        r) repeats=$OPTARG ;;
        l) law=$OPTARG ;;
        c) clock=yes ;;
        s) only_small=$OPTARG ;;
        n) only_new=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
begin_work
cd "$work" || exit 2
[ $# -gt 0 ] || set -- heat nbody matmul
few='1 2 4 8' targets='4 64'
if [ -n "$clock" ]; then
    few='1 2' targets=2 network=network
else
    repeats=1
    make_cost_law
fi

# sizes PROGRAM: small ones, and new ones within and beyond.
sizes() {
    case $1 in
        heat | nbody) small='400 600 800 1200' new='1000 2400' ;;
        matmul) small='200 300 400 600' new='500 1200' ;;
        *) die "no program $1; there are heat, nbody and matmul" ;;
    esac
    small=${only_small:-$small} new=${only_new:-$new}
}
# words PROGRAM SIZE RANKS: its arguments.
words() {
    case $1 in
        heat)
            plate "$2" "$3" 1 >"heat.$2.$3.txt"
            echo "heat.$2.$3.txt" ;;
        nbody) echo "$2 10" ;;
        matmul) echo "$2" ;;
    esac
}
# record PROGRAM SIZE RANKS OUT: the original, with times.
record() {
    # shellcheck disable=SC2046  # words on purpose
    set -- "$1" "$2" "$3" "$4" $(words "$1" "$2" "$3")
    program=$1 size=$2 n=$3 out=$4
    shift 4
    if [ -n "$clock" ]; then
        commslice record -q -o "$out" -- "${COMMSLICE_MPIEXEC:-mpiexec}" -n "$n" "./$program.o" "$@" >/dev/null 2>"$out.log"
    else
        commslice run -q --stdout drop -o counted.trace -n "$n" "./$program.o" "$@" 2>"$out.log" &&
            ./cost-law "$law" "$(echo "$program $size $n" | cksum | cut -d ' ' -f 1)" counted.trace "$out"
    fi || die "$program: no run of $size on $n: $(tail -n 1 "$out.log")"
}
# whole TRACE: seconds of the run, by the clock or as it is played.
whole() {
    if [ -n "$clock" ]; then
        commslice fit --force -o whole.model "$1" >/dev/null && sed -n 's/^whole\t0\t\([^\t]*\).*/\1/p' whole.model
    else
        commslice predict --json --network "$network" "$1" | sed 's/.*"predicted_s":\([0-9.e+-]*\).*/\1/'
    fi
}
learn() {
    traces='' list=''
    : >"$1.wholes"
    for size in $small; do
        for ranks in $few; do
            i=0
            while [ $i -lt "$repeats" ]; do
                record "$1" "$size" "$ranks" "$1.$size.$ranks.$i.trace"
                whole "$1.$size.$ranks.$i.trace" >>"$1.wholes"
                traces="$traces $1.$size.$ranks.$i.trace" list="$list,$size" i=$((i + 1))
            done
        done
    done
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force --sizes "${list#,}" -o "$1.times" $traces >"$1.fit" || die "$1: no model"
    # What a run takes is what it takes on the network, which a hidden law knows nothing of.
    awk -F '\t' -v OFS='\t' 'FILENAME == ARGV[1] { whole[FNR - 1] = $1; next } $1 == "whole" { $3 = whole[$2] } { print }' "$1.wholes" "$1.times" >"$1.model"
}
predict() { # PROGRAM SIZE RANKS: what each method says
    # shellcheck disable=SC2046  # words on purpose
    commslice predict --json --model "$1.model" --network "$network" --method all --size "$2" -n "$3" "./$1.s" $(words "$1" "$2" "$3") >"$1.$2.$3.predicted" || die "$1: no prediction of $2"
}
truth() { # PROGRAM SIZE RANKS: seconds of each run, ascending
    i=0
    while [ $i -lt "$repeats" ]; do
        record "$1" "$2" "$3" truth.trace
        whole truth.trace
        i=$((i + 1))
    done | sort -g >"$1.$2.$3.truth"
}
each_new() { for size in $new; do for ranks in $targets; do "$1" "$2" "$size" "$ranks"; done; done; }
# A value before any object in it, and the time that a method of whole runs says.
first() { sed 's/^{\([^{]*\){.*/\1/' "$2" | sed "s/.*\"$1\":\([0-9.e+-]*\).*/\1/"; }
answer() { sed "s/.*\"$1\":{\"predicted_s\":\([^,]*\).*/\1/" "$2"; }
row() { echo "$1 $2 $3 ${small##* } $(first predicted_s "$1.$2.$3.predicted") $(answer counters "$1.$2.$3.predicted") $(answer analytic "$1.$2.$3.predicted") \
    $(first least_s "$1.$2.$3.predicted") $(first most_s "$1.$2.$3.predicted") $(tr '\n' ' ' <"$1.$2.$3.truth")"; }

if [ -n "$clock" ]; then commslice calibrate --force -o network || die 'no network'; fi
for p in "$@"; do
    sizes "$p"
    build_demo "$p" || die "$p: not built; see the logs with -w"
    learn "$p"
    each_new predict "$p"
    each_new truth "$p"
done
printf '%-8s %6s %6s  %-8s %10s %10s %10s  %-4s %10s  %s\n' program size ranks '' segments counters analytic '90%' 'truth s' spread
for p in "$@"; do
    sizes "$p"
    each_new row "$p"
done | awk '
    function off(v, t) { return v == "null" ? "none" : sprintf("%+.1f %%", 100 * (v / t - 1)) }
    {
        k = NF - 9; t = $(9 + int((k + 1) / 2)); inside = t >= $8 && t <= $9 ? "yes" : "no"; where = $2 + 0 > $4 + 0 ? "beyond" : "within"
        printf "%-8s %6d %6d  %-8s %10s %10s %10s  %-4s %10.4g  %.0f %%\n", $1, $2, $3, where, off($5, t), off($6, t), off($7, t), inside, t, 100 * ($NF - $10) / t
    }'
