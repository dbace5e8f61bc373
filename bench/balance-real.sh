#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Do runs of libcommslice-balance take as long as commslice balance says? Items sleep as long as they cost, on 2 to 16 ranks of unequal speed
# under engine emulate, which waits without a processor, so that two processors are enough.
# usage: balance-real.sh [-B BUILD] [-c SECONDS] [-r REPEATS] [-p PREFIX] [RANKS...]
#   -c SECONDS  of a mean item (0.004)
#   -p PREFIX   a command in front of the ranks: "chrt -f 1" where other programs run, so that ranks wake up in time
#   -r REPEATS  the median of so many runs counts (3)
# Speeds are 1, 1.6 and 2.5 in turn, rank 0's is 2.5. 100 items a rank; costs are constant, linear (1 to 9), gaussian (a fourth) and one heavy item.
# A row for each technique and law: measured over simulated on each number of ranks. Exit status 1: one is off by more than 10 %.
set -u
. "$(dirname "$0")/common.sh"
tree='' cost=0.004 repeats=3 prefix=''
while getopts B:c:r:p: o; do
    case $o in B) tree=$OPTARG ;; p) prefix=$OPTARG ;; c) cost=$OPTARG ;; r) repeats=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 2 4 8 16
find_tools "$tree"
make_work
build=$(cd "${tree:-$top/build}" && pwd)
mpicc -O2 -I"$top/balance/library" -o "$work/sleep-items" "$top/bench/sleep-items.c" "$build/balance/libcommslice-balance.a" -lm || die 'sleep-items is not built'
cd "$work" || exit 2

costs() { # LAW ITEMS: seconds, a line each, from a fixed seed
    awk -v law="$1" -v n="$2" -v c="$cost" 'BEGIN {
        srand(7)
        for (i = 0; i < n; i++) {
            v = c
            if (law == "linear") v = c * (0.2 + 1.6 * i / (n - 1))
            if (law == "gaussian") { u = 0; for (k = 0; k < 12; k++) u += rand(); v = c * (1 + 0.25 * (u - 6)); if (v < 0) v = 0 }
            if (law == "heavy" && i == int(n / 3)) v = 20 * c
            printf "%.9f\n", v
        }
    }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
speeds() { awk -v n="$1" 'BEGIN { split("2.5 1 1.6", s, " "); for (i = 0; i < n; i++) printf "%s%s", s[i % 3 + 1], i + 1 < n ? " " : "" }'; }

: >results
for ranks in "$@"; do
    all=$(speeds "$ranks")
    for law in constant linear gaussian heavy; do
        costs $law $((100 * ranks)) >costs
        "$COMMSLICE" balance --json --costs costs --workers "$(echo "$all" | sed 's/[0-9.]*/1x&/g; s/ /,/g')" >simulated || exit 2
        for t in $(jq -r '.techniques[].technique' simulated); do
            k=0
            while [ $k -lt "$repeats" ]; do
                # shellcheck disable=SC2086  # words on purpose
                $prefix "$COMMSLICE" record --no-times -q -o T --engine emulate -n "$ranks" -- ./sleep-items costs "$t" $all || exit 2
                k=$((k + 1))
            done | median >measured
            echo "$ranks $law $t $(cat measured) $(jq -r ".techniques[] | select(.technique == \"$t\") | .seconds" simulated)" >>results
        done
    done
done
awk -v ranks="$*" '
    { r[$1, $2, $3] = $4 / $5; key = sprintf("%-9s %-12s", $2, $3); if (!(key in seen)) { seen[key] = 1; law[++n] = $2; name[n] = $3 }
      off = $4 / $5 - 1; if (off < 0) off = -off; if (off > most) { most = off; at = $2 ", " $3 ", " $1 " ranks" }; sum += off; bad += off > 0.1 }
    END {
        m = split(ranks, p, " ")
        printf "measured over simulated\n%-9s %-12s", "costs", "technique"; for (i = 1; i <= m; i++) printf " %8s", p[i]; print " ranks"
        for (k = 1; k <= n; k++) { printf "%-9s %-12s", law[k], name[k]; for (i = 1; i <= m; i++) printf " %8.3f", r[p[i], law[k], name[k]]; print "" }
        printf "off by %.1f %% in the mean, at most %.1f %% (%s); %d of %d by more than 10 %%\n", 100 * sum / NR, 100 * most, at, bad, NR
        exit bad > 0
    }' results
