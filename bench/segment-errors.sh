#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# segment-errors.sh: how far computation is off piece by piece, over what bench/hidden-law.sh -w FOLDER left behind.
set -u
. "$(dirname "$0")/common.sh"

usage() {
    cat <<'END'
usage: bench/segment-errors.sh [-B BUILD] FOLDER [PROGRAM.SIZE...]
FOLDER is that of bench/hidden-law.sh -w; PROGRAM.SIZE as bt.102.256 (all targets there). A row each: of the pieces from one MPI call to the
next, summed over all ranks, predicted over true: median of all; how many have 1 % of the computation, their median and worst; and the median
by time, above and below which lies half of the computation.
END
}

tree=
while getopts B:h o; do
    case $o in B) tree=$OPTARG ;; h) usage; exit 0 ;; *) usage >&2; exit 2 ;; esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 2; }
find_tools "$tree"
make_work
cd "$1" || exit 2
shift
# shellcheck disable=SC2046  # names without blanks
[ $# -gt 0 ] || set -- $(ls | sed -n 's/\.predicted$//p')
tab=$(printf '\t')
for target in "$@"; do
    "$COMMSLICE" info --counters --json "$target.trace" >"$work/json" || exit 2
    jq -r '.segments[] | [(.from // "start") + " -> " + (.to // "end"), .ns] | @tsv' "$work/json" |
        awk -F'\t' '{ s[$1] += $2 } END { for (k in s) if (s[k] > 0) printf "%s\t%.9g\n", k, s[k] * 1e-9 }' | LC_ALL=C sort >"$work/true"
    jq -r --argjson n "${target##*.}" '.segments[] | [.segment, .mean_s * $n] | @tsv' "$target.predicted" | LC_ALL=C sort >"$work/predicted"
    LC_ALL=C join -t "$tab" "$work/true" "$work/predicted" | awk -F'\t' '{ e = $3 / $2 - 1; print (e < 0 ? -e : e) "\t" $2 }' | sort -g |
        awk -v name="$target" '{ off[NR] = 100 * $1; time[NR] = $2; all += $2 }
            END {
                for (i = 1; i <= NR; i++) {
                    sum += time[i]
                    if (!half && sum >= all / 2) half = i
                    if (time[i] >= all / 100) large[++n] = off[i]
                }
                printf "%-16s %3d pieces, median %5.1f %%; %2d of 1 %% and more: median %5.1f, worst %5.1f %%; by time: median %5.1f %%\n", name, NR,
                    off[int((NR + 1) / 2)], n, large[int((n + 1) / 2)], large[n], off[half]
            }'
done
