#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The ring of ring.c, every message real, under engine emulate and under SimGrid's SMPI, in turn: wall time, CPU time, memory, and ratios.
# usage: ring-smpi.sh [-B BUILD] [-r RUNS] [-t SECONDS] RANKS...
#   -r RUNS    least times of so many runs each, in turn (3); memory from one more run each
#   -t SECONDS what takes longer is ended and shown as "-" (300)
# SMPI runs twice: as smpirun does by default, with globals of its own for each rank (privatization, which any program with globals needs, and
# forked ranks have anyway), and without, as this ring has none. In both the simulated machine has two hosts, and computation is not
# simulated: what is fastest for SMPI. Ratios are ours over theirs: below 1 is better. Memory is counted as whole-run.c says.
set -u
. "$(dirname "$0")/common.sh"

tree='' runs=3 limit=300
while getopts B:r:t: o; do
    case $o in
    B) tree=$OPTARG ;; r) runs=$OPTARG ;; t) limit=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
command -v smpirun >/dev/null || die "smpirun is missing (Debian: libsimgrid-dev)"
find_tools "$tree"
make_work
$CC -O2 -o "$work/whole-run" "$top/bench/whole-run.c" || die "cannot compile whole-run.c"
smpicc -O2 -o "$work/ring.smpi" "$top/bench/ring.c" || die "cannot compile ring.c for SMPI"
"$MPICC" -O2 -fplugin="$PLUGIN" -fplugin-arg-commslice-mode=original -o "$work/ring.kept" "$top/bench/ring.c" || die "cannot compile ring.c"
cat >"$work/platform.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" radical="0-1" suffix="" speed="1Gf" bw="1Gbps" lat="50us"/></platform>
END
printf 'n0\nn1\n' >"$work/hosts"

run() { # [-m] WHICH RANKS: a line of whole-run.c; nothing if the run failed or took too long
    flag=''
    [ "$1" != -m ] || { flag=-m; shift; }
    case $1 in
    ours) set -- "$COMMSLICE" run -n "$2" --engine emulate -o "$work/trace" "$work/ring.kept" ;;
    smpi) set -- smpirun -np "$2" -platform "$work/platform.xml" -hostfile "$work/hosts" --cfg=smpi/simulate-computation:no "$work/ring.smpi" ;;
    shared) set -- smpirun -np "$2" -platform "$work/platform.xml" -hostfile "$work/hosts" --cfg=smpi/simulate-computation:no \
        --cfg=smpi/privatization:no "$work/ring.smpi" ;;
    esac
    # shellcheck disable=SC2086
    "$work/whole-run" $flag timeout -k 5 "$limit" "$@" >"$work/out" 2>"$work/err" </dev/null && tail -n 1 "$work/out"
}

word() { awk -v w="$1" '{ for (i = 1; i < NF; i++) if ($i == w) { print $(i + 1); exit } }'; }
least() { [ -s "$1" ] && sort -n "$1" | head -n 1; }
ratio() { [ -n "$1" ] && [ -n "$2" ] && calc %.2f "$1/$2" || echo -; }

for ranks in "$@"; do
    for which in ours smpi shared; do : >"$work/$which.s"; : >"$work/$which.cpu"; done
    i=0
    while [ $i -lt "$runs" ]; do
        for which in ours smpi shared; do
            line=$(run "$which" "$ranks") || continue
            echo "$line" | word s >>"$work/$which.s"
            echo "$line" | word cpu >>"$work/$which.cpu"
        done
        i=$((i + 1))
    done
    for which in ours smpi shared; do
        : >"$work/$which.all"
        if line=$(run -m "$which" "$ranks"); then echo "$line" | word all >"$work/$which.all"; fi
        eval "s_$which=\$(least $work/$which.s) cpu_$which=\$(least $work/$which.cpu) all_$which=\$(least $work/$which.all)"
    done
    # shellcheck disable=SC2154
    for which in ours smpi shared; do
        eval "s=\$s_$which cpu=\$cpu_$which all=\$all_$which"
        printf '%6s ranks %-22s %8s s %8s CPU s %8s MB' "$ranks" "$(case $which in ours) echo emulate ;; smpi) echo SMPI ;; *) echo 'SMPI, shared globals' ;; esac)" \
            "${s:--}" "${cpu:--}" "${all:--}"
        [ $which = ours ] && echo || printf '   emulate is %s, %s, %s of it\n' "$(ratio "$s_ours" "$s")" "$(ratio "$cpu_ours" "$cpu")" "$(ratio "$all_ours" "$all")"
    done
done
