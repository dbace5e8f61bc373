# SPDX-License-Identifier: BSD-3-Clause
# For bench/replay-rank.sh. what=rows: of a model file with one rank, a line NAME SECONDS each segment. what=errors: lines NAME TRUE HALF OTHER PREDICTED, the
# truth of all replays and of either half of them; one row for all, behind what it is sorted by.
function abs(x) { return x < 0 ? -x : x }
function sorted(v, n,    i, k, x) {
    for (i = 2; i <= n; i++) { x = v[i]; for (k = i - 1; k >= 1 && v[k] > x; k--) v[k + 1] = v[k]; v[k + 1] = x }
}
function middle(v, n) { sorted(v, n); return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2 }
function place(i, other) { return i < 0 ? other : site[i] }
BEGIN { FS = "\t" }
what == "rows" && $1 == "site" { site[nsites++] = $3 ":" $2 }
what == "rows" && $1 == "segment" { name = place($2, "start") " -> " place($3, "end") }
what == "rows" && $1 == "row" { s[name] += $4 * $5 }
what == "errors" && $2 > 0 {
    off[++m] = abs($5 / $2 - 1); time[m] = $2; self[m] = $3 + $4 > 0 ? 2 * abs($3 - $4) / ($3 + $4) : 0; all += $2; predicted += $5
}
END {
    if (what == "rows") for (k in s) if (s[k] > 0) printf "%s\t%.9g\n", k, s[k] * 1e-9
    if (what != "errors" || !m) exit
    for (i = 1; i <= m; i++) {
        a[i] = off[i]
        if (time[i] >= all / 100) { large[++l] = off[i]; large_self[l] = self[i] }
        order[i] = i
    }
    for (i = 2; i <= m; i++) { x = order[i]; for (k = i - 1; k >= 1 && off[order[k]] > off[x]; k--) order[k + 1] = order[k]; order[k + 1] = x }
    for (i = 1; i <= m && !half; i++) { sum += time[order[i]]; if (sum >= all / 2) half = off[order[i]] + 1e-12 }
    med = middle(a, m); big = middle(large, l); same = middle(large_self, l)
    printf "%g\t%-16s %+7.1f %%  %4.1f %%  %7.1f %% %6.0f %%  %6.1f %%  %4.1f %4.1f %4.1f %%  %.4g ms\n", med, name, 100 * (predicted / all - 1), 100 * med,
        100 * big, 100 * large[l], 100 * half, 100 * middle(self, m), 100 * same, 100 * large_self[l], 1000 * all
}
