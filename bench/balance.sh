#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Matrix multiplication on 14 workers of three types, rows handed out by each technique: simulated times over the size, and by how much
# VRP-SS is over the best. Machines are off the speed that is said by 10 %, as other programs run there, too; means of several draws.
# usage: balance.sh [-B BUILD] [-w WORKERS] [-d DRIFT] [-s SEEDS] [SIZE...]
#   -w WORKERS  as of commslice balance (4x1,5x1.6,5x2.5)
#   -d DRIFT    10% if not given
#   -s SEEDS    draws of machines for each size (20)
# A row of size n costs 2 n^2 operations, of which a worker of speed 1 does 2e8 a second; a message takes 0.1 ms, a request 0.05 ms, and a
# leader that does no rows answers it. Best is that of all but vrp-dynamic, which has seen the loop before.
# Exit status 1: VRP-SS is more than 5 % over the best somewhere.
set -u
. "$(dirname "$0")/common.sh"
tree='' workers=4x1,5x1.6,5x2.5 drift=10% seeds=20
while getopts B:w:d:s: o; do
    case $o in B) tree=$OPTARG ;; w) workers=$OPTARG ;; d) drift=$OPTARG ;; s) seeds=$OPTARG ;; *) usage ;; esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 500 1000 1500 2000 2500
find_tools "$tree"
make_work

one() { # SIZE SEED: technique, seconds
    "$COMMSLICE" balance --json --items "$1" --costs "constant:$(calc %.9g "2*$1*$1/2e8")" --workers "$workers" --way leader --latency 100us --service 50us \
        --drift "$drift" --seed "$2" | jq -r '.techniques[] | "\(.technique) \(.seconds)"'
}
for n in "$@"; do
    seed=1
    while [ $seed -le "$seeds" ]; do
        one "$n" $seed | sed "s/^/$n $seed /" >>"$work/all" || die "commslice balance failed"
        seed=$((seed + 1))
    done
done

echo "workers $workers, off their speed by $drift, $seeds draws: mean seconds"
awk -v sizes="$*" '
    { sum[$3, $1] += $4; if (!($3 in seen)) { seen[$3] = 1; order[++n] = $3 } count[$3, $1]++
      if ($3 != "vrp-dynamic" && (!(($1, $2) in best) || $4 < best[$1, $2])) best[$1, $2] = $4
      if ($3 == "vrp-ss") own[$1, $2] = $4 }
    END {
        m = split(sizes, size, " ")
        printf "%-12s", "N"; for (i = 1; i <= m; i++) printf " %9d", size[i]; print ""
        for (t = 1; t <= n; t++) {
            printf "%-12s", order[t]
            for (i = 1; i <= m; i++) printf " %9.4f", sum[order[t], size[i]] / count[order[t], size[i]]
            print ""
        }
        printf "%-12s", "over best"
        for (k in own) { split(k, a, SUBSEP); over[a[1]] += own[k] / best[k] - 1; draws[a[1]]++ }
        for (i = 1; i <= m; i++) {
            o = over[size[i]] / draws[size[i]]
            if (o > 0.05) bad = 1
            printf " %7.1f %%", 100 * o
        }
        print "\nVRP-SS within 5 % of the best at every N: " (bad ? "NO" : "yes")
        exit bad
    }' "$work/all"
