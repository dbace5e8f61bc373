# SPDX-License-Identifier: BSD-3-Clause
# What run time at TARGET ranks follows from run times alone, by ways that know no counters. Lines: RANKS SECONDS. Prints five numbers:
# T = c + a p^i log2(p)^j with the 42 pairs (i, j) that Extra-P takes if not told otherwise, chosen by leaving points out in turn (symmetric
# relative error); the same of p times T; the same with -i; log T = a + b log p (Barnes et al. 2008); T of the largest run times p / TARGET.
BEGIN {
    pairs = "0,1 0,2 1/4,0 1/3,0 1/4,1 1/3,1 1/4,2 1/3,2 1/2,0 1/2,1 1/2,2 2/3,0 3/4,0 2/3,1 3/4,1 4/5,0 2/3,2 3/4,2 1,0 1,1 1,2 5/4,0 5/4,1 4/3,0 4/3,1 3/2,0 3/2,1 3/2,2 5/3,0 7/4,0 2,0 2,1 2,2 9/4,0 7/3,0 5/2,0 5/2,1 5/2,2 8/3,0 11/4,0 3,0 3,1"
    count = split(pairs, pair, " ")
    for (k = 1; k <= count; k++) {
        split(pair[k], part, ",")
        split(part[1] "/1", of, "/")
        up[k] = of[1] / of[2]
        logs[k] = part[2]
    }
}
{ p[NR] = $1; t[NR] = $2 }

function abs(x) { return x < 0 ? -x : x }
function block(k, sign, x) { return k == 0 ? 0 : exp(sign * up[k] * log(x)) * (logs[k] ? (log(x) / log(2)) ^ logs[k] : 1) }

# Least squares of y = c + a block over all points but `out`; sets c and a.
function fit(k, sign, out,    i, n, x, sx, sy, sxx, sxy, d) {
    for (i = 1; i <= NR; i++) {
        if (i == out) continue
        x = block(k, sign, p[i]); n++; sx += x; sy += y[i]; sxx += x * x; sxy += x * y[i]
    }
    d = n * sxx - sx * sx
    a = k == 0 || d <= 1e-12 * n * sxx ? 0 : (n * sxy - sx * sy) / d
    c = (sy - a * sx) / n
}

function best(sign,    i, k, e, v, least, which) {
    least = -1
    for (k = 0; k <= count; k++) {
        e = 0
        for (i = 1; i <= NR; i++) {
            fit(k, sign, i)
            v = c + a * block(k, sign, p[i])
            e += abs(v - y[i]) / (abs(v) + abs(y[i]) + 1e-300)
        }
        if (least < 0 || e < least * (1 - 1e-9)) { least = e; which = k }
    }
    fit(which, sign, 0)
    return c + a * block(which, sign, target)
}

END {
    for (i = 1; i <= NR; i++) { y[i] = t[i]; if (p[i] > p[most]) most = i }
    plain = best(1)
    negative = best(-1)
    for (i = 1; i <= NR; i++) y[i] = p[i] * t[i]
    product = best(1) / target
    for (i = 1; i <= NR; i++) { x = log(p[i]); n++; sx += x; sy += log(t[i]); sxx += x * x; sxy += x * log(t[i]) }
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    printf "%.9g %.9g %.9g %.9g %.9g\n", plain, product, negative, exp((sy - slope * sx) / n + slope * log(target)), t[most] * p[most] / target
}
