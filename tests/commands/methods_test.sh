#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The methods of commslice fit and predict beside each other, on traces made by hand whose times follow a formula.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/commands/model_traces.sh"

# whole FILE RANKS SIZE NS: each rank goes 10 times through SIZE / RANKS turns; the run takes NS (no: it has no times).
whole() {
    {
        echo "ranks $2"
        [ "$4" = no ] || echo times
        r=0
        while [ $r -lt "$2" ]; do
            turns=$(($3 / $2 * 10)) ns=$4
            [ "$ns" = no ] && ns='' || ns=" +$ns"
            printf '%d MPI_Init @ app.c:1\n%d MPI_Barrier world @ app.c:2\n%d MPI_Finalize @ app.c:3%s\n' $r $r $r "$ns"
            echo "segment $r app.c:1 app.c:2 1 $((turns * 2 + 100)) app.c:9=$turns app.c:8=10"
            r=$((r + 1))
        done
    } | make_trace "$1"
}
# 5 ms and 3 us for each unit of size on a rank.
time_of() { echo $((5000000 + 3000 * $2 / $1)); }
traces='' sizes=''
for p in 1 2 4 8; do
    for n in 800 1600 2400; do
        must whole w$p.$n.T $p $n "$(time_of $p $n)"
        traces="$traces w$p.$n.T" sizes="$sizes,$n"
    done
done
sizes=${sizes#,}
must whole big.T 32 64000 no
must whole middle.T 16 64000 no
fit() { # shellcheck disable=SC2086  # words on purpose
    "$COMMSLICE" fit --force "$@" $traces; }
near() { awk -v g="$1" -v w="$2" 'BEGIN { exit !(g > 0.998 * w && g < 1.002 * w) }' || { echo "$1, not $2"; return 1; }; }
predicted() { sed 's/.*"ranks":[0-9]*,"predicted_s":\([0-9.]*\).*/\1/'; }
want=$(time_of 32 64000)e-9

counters() {
    fit --method counters -o counters.model >out && grep -q -E '^time = 0.00500?[0-9]* s \+ (3e|2.999e|3.00?[0-9]*e)-07 s \* mean of loop at app.c:9$' out && grep -q '^off by 0.0 %' out &&
        near "$("$COMMSLICE" predict --json --model counters.model big.T | predicted)" "$want"
}
# By the turns of all ranks, and by sizes.
analytic() {
    fit --json --method analytic -o turns.model | jq -e '.method == "analytic" and .runs > 1 and (.time | test("turns of all ranks"))' >out &&
        fit --json -o turns.model | jq -e '.method == "segments" and (.segments | length) > 0 and .segments[0].measured_share > 0' >out || return 1
    fit --method analytic -o turns.model >out && grep -q 'n: turns of all ranks' out && near "$("$COMMSLICE" predict --json --model turns.model big.T | predicted)" "$want" &&
        fit --method analytic --sizes "$sizes" -o sizes.model >out && ! grep -q turns out && near "$("$COMMSLICE" predict --json --model sizes.model --size 64000 big.T | predicted)" "$want"
}
beside() {
    fit -o app.model >/dev/null && "$COMMSLICE" predict --model app.model --method all big.T >out && grep -q '^counters: 0.011 s, off by 0.0 %' out && grep -q '^analytic: 0.011 s, off by 0.0 %' out && grep -q '^computation: ' out &&
        "$COMMSLICE" predict --model app.model --method all middle.T big.T >out && grep -Eq '^ *32 +[0-9.e-]+ s +0.011 s +0.011 s$' out && "$COMMSLICE" predict --model app.model --method all --csv big.T >out &&
        head -n 1 out | grep -q 'outside,counters_s,analytic_s$' && near "$(tail -n 1 out | cut -d, -f12)" "$want" && near "$(tail -n 1 out | cut -d, -f13)" "$want" &&
        "$COMMSLICE" predict --model app.model --method all --json big.T >out && near "$(jq .methods.counters.predicted_s out)" "$want" && near "$(jq .methods.analytic.predicted_s out)" "$want"
}
own() {
    [ "$("$COMMSLICE" predict --json --model counters.model big.T | jq -r .method)" = counters ] && [ "$("$COMMSLICE" predict --json --method segments --model counters.model big.T | jq -r .method)" = segments ] &&
        [ "$("$COMMSLICE" predict --model counters.model --slurm big.T)" = 0-00:00:01 ] && grep -qx 'method	counters' counters.model && sed '/^method/d' counters.model >old.model &&
        [ "$("$COMMSLICE" predict --json --model old.model big.T | jq -r .method)" = segments ]
}
# An outlier among five runs of one size does nothing.
repeats() {
    kept=$traces
    for i in 1 2 3 4; do whole again$i.T 4 1600 $(($(time_of 4 1600) + i)); done
    whole slow.T 4 1600 90000000
    traces="$traces again1.T again2.T again3.T again4.T slow.T"
    fit --method analytic -o again.model >/dev/null; traces=$kept
    near "$("$COMMSLICE" predict --json --model again.model big.T | predicted)" "$want"
}
refuses() {
    "$COMMSLICE" fit -o two.model --method analytic w2.800.T w2.1600.T 2>err; [ $? = 2 ] && grep -q 'analytic: runs with fewer than two numbers of ranks' err || return 1
    "$COMMSLICE" fit -o same.model --method counters w2.800.T 2>err; [ $? = 2 ] && grep -q 'counters: .*nothing varies' err || return 1
    sed '/^whole/d' app.model >nothing.model
    while IFS='|' read -r args say; do
        # shellcheck disable=SC2086  # words on purpose
        "$COMMSLICE" $args >out 2>err
        [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$say" err || { echo "$args"; cat out err; return 1; }
    done <<'END'
fit -o x.model --method best w2.800.T|there are segments
fit -o x.model --sizes 1 w2.800.T w4.800.T|one number above 0 for each of 2 traces
fit -o x.model --sizes 1,2,3 w2.800.T w4.800.T|one number above 0 for each of 2 traces
fit -o x.model --sizes 1,0 w2.800.T w4.800.T|one number above 0 for each of 2 traces
predict --model app.model --method best big.T|there are segments
predict --model app.model --size x big.T|is no number above 0
predict --network latency=1us --method counters big.T|go with --model
predict --model sizes.model big.T|method analytic: the small runs have sizes: give --size
predict --model nothing.model --method counters big.T|method counters: no run with a whole time
predict --model nothing.model --method analytic big.T|method analytic: runs with fewer
END
}

case_ 'counters' counters
case_ 'analytic' analytic
case_ 'beside each other' beside
case_ 'the method of the model' own
case_ 'repeated runs, and an outlier' repeats
case_ 'wrong input' refuses
finish
