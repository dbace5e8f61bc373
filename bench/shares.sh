#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shares.sh: do ranks on unequal machines finish together after commslice shares? Heat in blocks of rows (demo/heat_rows.c), two types of
# machines whose computation follows a hidden law each (cost-law.c), so that no clock spoils the truth.
# usage: shares.sh [-B BUILD] [-w FOLDER] [-n N] [-s STEPS] [-p PROCESSES] [-o LAW] [-f LAW]
#   -n N          rows of the plate (2048); the models learn from N/4 and less
#   -s STEPS      (200)
#   -p PROCESSES  of each type (4)
#   -o, -f LAW    of the old and of the fast machines (1 and 2x1.4)
# Each type's machines run a counted original of N/4, N/8 and N/16 on 1 to 8 ranks, of which commslice fit makes its model. The slice counts N on
# 2 to 64 ranks, commslice shares plans, and only then the original runs N with equal blocks, with shares at the speeds of equal blocks, and with
# shares whose speed is a function of the size.
# A row each: seconds of computation of the rank that is done first and last, by how much they differ, and the last one over the ideal, which is
# the work over the summed speed that ranks have at their shares. Exit status 1: more than 5 %, or 1.1 times the ideal, with the last one.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"
build=$top/build work='' n=2048 steps=200 each=4 old=1 fast=2x1.4
while getopts B:w:n:s:p:o:f: o; do
    case $o in B) build=$OPTARG ;; w) work=$OPTARG ;; n) n=$OPTARG ;; s) steps=$OPTARG ;; p) each=$OPTARG ;; o) old=$OPTARG ;; f) fast=$OPTARG ;; *) usage ;; esac
done
begin_work
make_cost_law
cd "$work" || exit 2
build_demo heat_rows || die 'heat_rows is not built'

counted() { # TRACE N RANKS [SHARES]
    to=$1 size=$2 ranks=$3
    shift 3
    [ -s "$to" ] || commslice run -q -o "$to" -n "$ranks" --stdout drop ./heat_rows.o "$size" "$steps" "$@" || die "no run of $size on $ranks ranks"
}

# ---- models ----
for type in old fast; do
    traces=''
    eval "law=\$$type"
    for size in $((n / 4)) $((n / 8)) $((n / 16)); do
        for r in 1 2 4 8; do
            counted "$size.$r.counted.trace" "$size" "$r"
            ./cost-law "$law" "$type" "$size.$r.counted.trace" "$type.$size.$r.trace" || exit 2
            traces="$traces $type.$size.$r.trace"
        done
    done
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force -o "$type.model" $traces >"$type.fit" || die "no model of the $type machines"
done

# ---- plan ----
targets=''
for r in 2 4 8 16 32 64; do
    commslice run -q -o "slice.$r.trace" -n "$r" --stdout drop ./heat_rows.s "$n" "$steps" || die "no slice on $r ranks"
    targets="$targets slice.$r.trace"
done
printf 'old %d old.model\nfast %d fast.model\n' "$each" "$each" >machines
# shellcheck disable=SC2086  # words on purpose
commslice shares --network "$network" -n "$n" --static --force --shares static.shares machines $targets >static.plan || exit 2
# shellcheck disable=SC2086  # words on purpose
commslice shares --network "$network" -n "$n" --force --shares dynamic.shares machines $targets >dynamic.plan || exit 2
cat dynamic.plan

# ---- truth ----
all=$((2 * each))
echo
echo "heat $n x $n, $steps steps, $each processes of each type; seconds of computation; predicted with communication"
echo 'blocks       first      last  differ  over ideal  predicted'
for way in equal static dynamic; do
    [ $way = equal ] || args=$way.shares
    # shellcheck disable=SC2086  # no word, or one
    counted "$way.counted.trace" "$n" "$all" ${args:-}
    ./cost-law "$old@$each,$fast@$each" "$way" "$way.counted.trace" "$way.trace" "$way.seconds" || exit 2
    plan=$way
    [ $way != equal ] || plan=static
    sed -n "s/^predicted: \([0-9.e-]*\) s; with equal blocks \([0-9.e-]*\) s.*/\1 \2/p" $plan.plan >$way.predicted
    grep -v '^#' ${args:-/dev/null} | awk -v way=$way -v n="$n" -v all=$all -v predicted="$(cut -d ' ' -f $([ $way = equal ] && echo 2 || echo 1) $way.predicted)" '
        NR == FNR { s[++m] = $2; next }
        { share[++k] = $1 }
        END {
            for (i = 1; i <= m; i++) { items = k ? share[i] : n / all; rate += items / s[i]; if (i == 1 || s[i] < first) first = s[i]; if (s[i] > last) last = s[i] }
            printf "%-8s %9.4f %9.4f %6.1f %% %10.3f %10s\n", way, first, last, 100 * (1 - first / last), last / (n / rate), predicted
            exit !(way != "dynamic" || (last <= 1.05 * first && last <= 1.1 * n / rate))
        }' "$way.seconds" - || code=1
done
exit ${code:-0}
