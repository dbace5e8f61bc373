# SPDX-License-Identifier: BSD-3-Clause
# For bench/replay-rank.sh. what=truth: lines NAME NS of several replays, a line NAME SECONDS WIDTH each name: the median over `slower`, and how wide the
# middle half is, as a share. what=errors: lines NAME TRUE WIDTH PREDICTED, one row for all, behind what it is sorted by.
function abs(x) { return x < 0 ? -x : x }
function sorted(v, n,    i, k, x) {
    for (i = 2; i <= n; i++) { x = v[i]; for (k = i - 1; k >= 1 && v[k] > x; k--) v[k + 1] = v[k]; v[k + 1] = x }
}
function middle(v, n) { sorted(v, n); return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2 }
BEGIN { FS = "\t" }
what == "truth" { ns[$1, ++n[$1]] = $2 }
what == "errors" && $2 > 0 { off[++m] = abs($4 / $2 - 1); time[m] = $2; width[m] = $3; all += $2; predicted += $4 }
END {
    if (what == "truth")
        for (k in n) {
            for (i = 1; i <= n[k]; i++) v[i] = ns[k, i]
            t = middle(v, n[k])
            if (t > 0) printf "%s\t%.9g\t%.4f\n", k, t * 1e-9 / slower, (v[int((3 * n[k] + 3) / 4)] - v[int((n[k] + 3) / 4)]) / t
        }
    if (what != "errors" || !m) exit
    for (i = 1; i <= m; i++) {
        a[i] = off[i]
        if (time[i] >= all / 100) { large[++l] = off[i]; wide[l] = width[i] }
        order[i] = i
    }
    for (i = 2; i <= m; i++) { x = order[i]; for (k = i - 1; k >= 1 && off[order[k]] > off[x]; k--) order[k + 1] = order[k]; order[k + 1] = x }
    for (i = 1; i <= m && !half; i++) { sum += time[order[i]]; if (sum >= all / 2) half = off[order[i]] + 1e-12 }
    med = middle(large, l)
    printf "%g\t%-16s %+7.1f %%  %4.0f %%  %7.1f %% %6.0f %%  %6.1f %%  %5.1f %%  %5.2fx  %.4g s\n", med, name, 100 * (predicted / all - 1), 100 * middle(a, m),
        100 * med, 100 * large[l], 100 * half, 100 * middle(wide, l), slower, all
}
