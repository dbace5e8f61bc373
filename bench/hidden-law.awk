# SPDX-License-Identifier: BSD-3-Clause
# The table of bench/hidden-law.sh. Lines: PROGRAM SIZE COMPUTED WHOLE, of the truth the same two, LEAST MOST UNSEEN, and five baselines.
function abs(x) { return x < 0 ? -x : x }
function percent(of, truth) { return sprintf("%+.1f %%", 100 * (of / truth - 1)) }
function sorted(v, n,    i, k, x) {
    for (i = 2; i <= n; i++) { x = v[i]; for (k = i - 1; k >= 1 && v[k] > x; k--) v[k + 1] = v[k]; v[k + 1] = x }
}
{
    error[NR] = abs($4 / $6 - 1)
    held += inside = $6 >= $7 && $6 <= $8
    row[NR] = sprintf("%-5s %-9s %9s %9s  %-3s", $1, $2, percent($3, $5), percent($4, $6), inside ? "yes" : "no")
    all[0, NR] = error[NR]
    for (b = 1; b <= 5; b++) { row[NR] = row[NR] sprintf(" %11s", percent($(9 + b), $6)); all[b, NR] = abs($(9 + b) / $6 - 1) }
    row[NR] = row[NR] sprintf(" %7.1f %%  %.4g s", $9, $6)
}
END {
    if (!NR) exit
    printf "%-5s %-9s %9s %9s  %-3s %11s %11s %11s %11s %11s %9s  %s\n", "", "", "computes", "whole", "90%", "default", "p times T", "negative", "Barnes", "1/p", "unseen", "truth"
    for (i = 1; i <= NR; i++) order[i] = i
    for (i = 2; i <= NR; i++) { x = order[i]; for (k = i - 1; k >= 1 && error[order[k]] < error[x]; k--) order[k + 1] = order[k]; order[k + 1] = x }
    for (i = 1; i <= NR; i++) print row[order[i]]
    split("ours,default,p times T,negative,Barnes,1/p", name, ",")
    for (b = 0; b <= 5; b++) {
        for (i = 1; i <= NR; i++) v[i] = all[b, i]
        sorted(v, NR)
        printf "%-10s median %.1f %%, worst %.1f %%\n", name[b + 1], 50 * (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]), 100 * v[NR]
    }
    printf "90 %% intervals hold %d of %d truths\n", held, NR
}
