#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Predictions of several sizes: the curve of traces made by hand, whose times can be worked out, and of the demo's slice, which is run for it.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/commands/model_traces.sh"

must counted r2.T 2 1000 yes && must counted r4.T 4 1000 yes && must counted r4b.T 4 6000 yes
must "$COMMSLICE" fit -o app.model r2.T r4.T r4b.T >/dev/null
for n in 8 16 32 64; do must counted s$n.T $n 48000 no; done
predict() { "$COMMSLICE" predict --model app.model --network latency=1us,overhead=100ns,gap=0ns,bandwidth=1GB/s,eager=1KB "$@"; }
# near GOT WANT: to a thousandth.
near() { awk -v g="$1" -v w="$2" 'BEGIN { exit !(g > 0.999 * w && g < 1.001 * w) }' || { echo "$1, not $2"; return 1; }; }
field() { awk -F, -v ranks="$1" -v f="$2" 'NR > 1 && $2 == ranks { print $f }' out; }

# 2 ns for each of 480,000 / ranks turns, 150 ns, and rounds of 1200 ns; the traces come in any order.
curve() {
    predict --csv s32.T s8.T s16.T >out && [ "$(cut -d, -f2 out | tr '\n' ' ')" = 'ranks 8 16 32 ' ] && near "$(field 8 3)" 123750e-9 && near "$(field 16 3)" 64950e-9 &&
        near "$(field 32 3)" 36150e-9 && near "$(field 32 9)" 3.4232 && near "$(field 32 10)" 0.8558 && near "$(field 8 11)" 4 && near "$(field 32 11)" 1
}
weak() { predict --weak --csv s8.T s32.T >out && near "$(field 32 10)" 3.4232; }
words() {
    predict s8.T s32.T s16.T >out && grep -q '^grows most: MPI at app.c:2, from 2.9 % of the time on 8 ranks to 16.6 % on 32' out &&
        grep -q '^on 8 ranks, app.c:1 -> app.c:2 is 4 times outside of what was measured, in the loop at app.c:9' out && grep -q '^  app.c:1 -> app.c:2  *97.1 %   92.5 %   83.3 %$' out
}
# Four sizes give each part a formula, three do not.
formulas() {
    predict s8.T s16.T s32.T s64.T >out && grep -q '^  app.c:1 -> app.c:2 .* %   9.91e-08 s + 0.00096 s / p$' out && grep -q '^  MPI at app.c:2 .* %   1.2e-06 s \* log2(p)$' out &&
        predict --json s8.T s16.T s32.T s64.T >out && [ "$(jq -r '.formulas[0].formula' out)" = '9.91e-08 s + 0.00096 s / p' ] &&
        predict --json s8.T s16.T s32.T >out && [ "$(jq '.formulas | length' out)" = 0 ] && predict --json s8.T s8.T s16.T s32.T >out && [ "$(jq '.formulas | length' out)" = 0 ]
}
# Four sizes give one in the size, four of both one in both, two numbers of ranks none in these. Sizes order the rows, and have a first row each.
sizes() {
    for n in 8 16 32 64; do for z in 1 2 4 8; do must counted z$n.$z.T $n $((z * z * 48000)) no; done; done
    all=$(for n in 8 16 32 64; do echo z$n.1.T z$n.2.T z$n.4.T z$n.8.T; done)
    # shellcheck disable=SC2086  # words on purpose
    predict --sizes 100,200,400,800,100,200,400,800,100,200,400,800,100,200,400,800 $all >out &&
        grep -q '^  app.c:1 -> app.c:2 .* %   [0-9.e-]* s + 9.6e-08 s \* n^2 / p$' out && grep -q '^  MPI at app.c:2 .* %   1.2e-06 s \* log2(p)$' out || return 1
    predict --csv --sizes 200,100,200,100 z8.2.T z8.1.T z32.2.T z32.1.T >out && [ "$(cut -d, -f2,12 out | tr '\n' ' ')" = 'ranks,size 8,100 32,100 8,200 32,200 ' ] || { cat out; return 1; }
    [ "$(awk -F, 'NR > 1 { printf "%.2f ", $9 }' out)" = '1.00 3.42 1.00 3.84 ' ] || { cat out; return 1; }
    predict --json --sizes 100,200,400,800 z8.1.T z8.2.T z8.4.T z8.8.T >out && [ "$(jq -r '.formulas[0].formula, (.predictions[3].size | floor)' out | tr '\n' ' ' | sed 's/^[0-9.e-]* s + //')" = '1.2e-08 s * n^2 800 ' ] || { cat out; return 1; }
    predict --sizes 100,200,400 z8.1.T z8.2.T z8.4.T >out && ! grep -q 'time on p' out
}
parts() { predict --csv --segments s8.T s16.T >out && [ "$(wc -l <out)" = 7 ] && grep -q '^s16.T,16,MPI at app.c:2,mpi,0.000004800,' out; }
json() {
    predict --json s8.T s16.T >out && [ "$(jq -r '.grows, (.predictions | length), .predictions[1].ranks, .predictions[0].parts[0].part' out | tr '\n' ' ')" = 'MPI at app.c:2 2 16 app.c:1 -> app.c:2 ' ]
}
# Traces with times of their own need no model.
recorded() { "$COMMSLICE" predict --network latency=1us --csv r2.T r4.T >out && [ "$(wc -l <out)" = 3 ]; }

# ---- a time limit ----

# longer FILE: 100 s a turn.
longer() { awk -F '\t' -v OFS='\t' '/^row/ { $5 *= 1e5 } { print }' app.model >"$1"; }
slurm() {
    [ "$(predict --slurm s8.T)" = 0-00:00:01 ] || return 1
    longer long.model && "$COMMSLICE" predict --model long.model --json s8.T >out && most=$(jq .most_s out) &&
        [ "$("$COMMSLICE" predict --model long.model --slurm s8.T)" = "$(awk -v s="$most" 'BEGIN { n = int(s) + (s > int(s)); printf "%d-%02d:%02d:%02d", n / 86400, n / 3600 % 24, n / 60 % 60, n % 60 }')" ]
}
no_limit() {
    for args in 's8.T s16.T' nothing.T r2.T.not; do
        # shellcheck disable=SC2086  # words on purpose
        predict --slurm $args >out 2>err
        [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || { cat out err; return 1; }
    done
    awk -F '\t' -v OFS='\t' '/^row/ { $5 *= 1e20 } { print }' app.model >ever.model
    "$COMMSLICE" predict --model ever.model --slurm s8.T >out 2>err
    [ $? = 2 ] && [ ! -s out ] && grep -q 'which is no limit for a job' err
}

# ---- pictures ----

picture() {  # FILE KIND
    predict --plot "$1" s8.T s16.T s32.T >/dev/null && head -c 100 "$1" | grep -q "$2" && predict --plot "$1" s8.T s16.T >/dev/null && rm "$1"
}
not_over() {
    echo mine >mine.png && cp s8.T s8.svg
    for f in mine.png s8.svg x.gif s8.T; do
        cp "$f" kept 2>/dev/null || : >kept
        predict --plot $f s8.T s16.T >out 2>err
        [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && { [ ! -e $f ] || cmp -s $f kept; } || { echo $f; cat err; return 1; }
    done
    predict --force --plot mine.png s8.T s16.T >/dev/null && grep -q PNG mine.png
}
no_gnuplot() { PATH=/nix predict --plot no.png s8.T >out 2>err; [ $? = 2 ] && grep -q 'gnuplot is not installed' err && [ ! -e no.png ]; }

# ---- wrong words ----

refuses() {
    while IFS='|' read -r args say; do
        # shellcheck disable=SC2086  # words on purpose
        "$COMMSLICE" predict $args >out 2>err
        [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$say" err || { echo "$args"; cat err; return 1; }
    done <<'END'
--slurm s8.T|go with --model
-n 4 ./x|go with --model
--network latency=1us -n 4 ./x|give --model
--model app.model -n 4|give a slice to run
--model app.model -n 4,x ./x|give numbers such as
--model app.model -n 0 ./x|give numbers such as
--model app.model -n , ./x|give numbers such as
--model app.model --csv --json s8.T|exclude each other
--model app.model --segments s8.T|goes with --csv
--model app.model s8.T --json|options go before
--model app.model s8.T none.T|none.T
--model none.model s8.T|none.model
--model app.model --sizes 1,2 s8.T|2 sizes for 1 traces
--model app.model --sizes 1,x s8.T s16.T|give numbers such as
--model app.model --size 1 --sizes 1 s8.T|exclude each other
--sizes 1 s8.T|go with --model
--model app.model --sizes 1,2 --plot x.svg s8.T s16.T|give one size
END
}

# ---- a slice that is run ----

settings() { printf 'rows 96\ncols 96\ngrid_rows 1\ngrid_cols %d\nsteps 8\nreport 4\n' "$1" >"in.$1.txt"; }
slice() {
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=counted -o heat.o "$top/demo/heat.c" -lm && commslice-mpicc -O2 -g -fplugin-arg-commslice-counters -o heat.s "$top/demo/heat.c" -lm || return 1
    for n in 1 2 4 6 12; do settings $n; done
    for n in 1 2 4; do "$COMMSLICE" record -q -o h$n.T --engine emulate -n $n -- ./heat.o in.$n.txt >/dev/null || return 1; done
    "$COMMSLICE" fit -o heat.model h1.T h2.T h4.T >/dev/null && mkdir -p tmp || return 1
    TMPDIR=$PWD/tmp "$COMMSLICE" predict --model heat.model --csv -n 12,6 ./heat.s in.{n}.txt >out && [ "$(cut -d, -f2 out | tr '\n' ' ')" = 'ranks 6 12 ' ] || return 1
    "$COMMSLICE" run -q --stdout drop -o h6.T -n 6 ./heat.s in.6.txt && "$COMMSLICE" predict --model heat.model --csv h6.T | cut -d, -f3-8 >one && sed -n 2p out | cut -d, -f3-8 >other &&
        tail -n 1 one | cmp - other && [ -z "$(ls tmp)" ]
}
slice_fails() {
    TMPDIR=$PWD/tmp "$COMMSLICE" predict --model heat.model --slurm -n 6 ./heat.s none.txt >out 2>err
    [ $? = 2 ] && [ ! -s out ] && grep -q './heat.s -n 6 failed' err && [ -z "$(ls tmp)" ] || return 1
    TMPDIR=$PWD/tmp "$COMMSLICE" predict --model app.model -n 6 ./heat.s in.6.txt >out 2>err
    [ $? = 2 ] && grep -q './heat.s -n 6: no piece of this program is in app.model' err && [ -z "$(ls tmp)" ]
}

# ---- the report's predicted time ----

same_seconds() {  # FILE: the JSON of a report says what predict says
    "$COMMSLICE" predict --model heat.model --json h6.T >out && jq -e --slurpfile p out '.prediction | .predicted_s == $p[0].predicted_s and .segments != []
        and (.by_rank | length == 6) and (([.by_rank[].computation_s] | max) == .computation_most_s) and (.by_rank[.computation_most_rank].computation_s == .computation_most_s)' "$1" >/dev/null
}
predicted_page() {
    "$COMMSLICE" report --model heat.model -o page.html --pictures pics --json h6.T >json && same_seconds json || return 1
    grep -q 'id="predicted"' page.html && grep -q 'href="#predicted"' page.html && ! grep -q 'href="#predicted"' plain.html || return 1
    # each box and triangle of the graph belongs to a segment, or to a place of the program
    grep -q '^  s[0-9]* .*label="I\\n' pics/program.dot && [ "$(grep -c 'shape=triangle' pics/program.dot)" = "$(jq '.sites | length' json)" ] && grep -q 'style=dotted' pics/program.dot || return 1
    [ "$(awk -F, 'NR > 1 { s += $2 } END { printf "%.9f", s / (NR - 1) }' pics/predicted-ranks.csv)" = "$(jq -r .prediction.computation_mean_s json | awk '{ printf "%.9f", $1 }')" ]
}
# Traces of other numbers of ranks give the parts of the page formulas, as they do for predict.
page_with_formulas() {
    "$COMMSLICE" report --model app.model -o formulas.html --json s64.T s8.T s16.T s32.T >json && predict_usual s8.T s16.T s32.T s64.T >out &&
        jq -e --slurpfile p out '[.prediction.formulas[] | {part, formula}] == [$p[0].formulas[] | {part, formula}]' json >/dev/null && grep -q '<td>9.91e-08 s + 0.00096 s / p</td>' formulas.html || return 1
    "$COMMSLICE" report --model app.model --sizes 100,200,400,800 -o sizes.html z8.1.T z8.2.T z8.4.T z8.8.T && grep -q '1.2e-08 s \* n^2' sizes.html || return 1
    "$COMMSLICE" report --model app.model --sizes 100 -o no.html z8.1.T z8.2.T 2>err
    [ $? = 2 ] && grep -q '1 sizes for 2 traces' err && [ ! -e no.html ]
}
# An iteration of s8.T goes through 48 KB, of the small runs through 12 KB.
page_beyond() {
    "$COMMSLICE" fit --caches 20KiB -o cache.model r2.T r4.T r4b.T >/dev/null && "$COMMSLICE" report --model cache.model -o beyond.html s8.T && grep -q 'Beyond a cache.*goes through 0.048 MB' beyond.html &&
        "$COMMSLICE" fit --force --caches none -o cache.model r2.T r4.T r4b.T >/dev/null && "$COMMSLICE" report --force --model cache.model -o beyond.html s8.T && ! grep -q 'Beyond a cache' beyond.html
}
predict_usual() { "$COMMSLICE" predict --model app.model --json "$@"; }
drawn_page() { "$build/tests/page_check" page.html && grep -q 'class="scroll program"><svg' page.html && grep -q '</svg>' pics/program.svg; }
undrawn_page() {
    mkdir -p without && ln -sf /bin/sh without/sh && PATH=$PWD/without "$COMMSLICE" report --model heat.model -o undrawn.html h6.T && grep -q 'graphviz was not installed' undrawn.html && ! grep -q 'scroll program' undrawn.html
}
prediction_refused() {
    "$COMMSLICE" report -o no.html --network latency=1us h6.T 2>err; [ $? = 2 ] && grep -q -e '--model' err && [ ! -e no.html ] || return 1
    "$COMMSLICE" report -o no.html --model none.model h6.T 2>err; [ $? = 2 ] && grep -q 'none.model: No such file' err && [ ! -e no.html ] || return 1
    "$COMMSLICE" fold -q -o h6.F h6.T; "$COMMSLICE" report -o no.html --model heat.model h6.F 2>err; [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && [ ! -e no.html ]
}

case_ 'the curve of several traces' curve
case_ 'weak scaling' weak
case_ 'what grows, and what lies outside' words
case_ 'formulas in the number of ranks' formulas
case_ 'formulas in the size' sizes
case_ 'parts as CSV' parts
case_ 'JSON' json
case_ 'recorded times, without a model' recorded
case_ 'a time limit' slurm
case_ 'no time limit' no_limit
if command -v gnuplot >/dev/null; then
    case_ 'a picture: PNG' picture a.png PNG
    case_ 'a picture: SVG' picture a.svg '<svg'
    case_ 'a picture replaces pictures only' not_over
else
    echo 'note: gnuplot is not installed, predict --plot was not tested'
fi
case_ 'a picture without gnuplot' no_gnuplot
case_ 'wrong words' refuses
case_ 'a slice is run' slice
case_ 'a slice that fails' slice_fails
case_ 'a report without a prediction' eval '"$COMMSLICE" report -o plain.html --json h6.T >json && jq -e ".prediction == null" json'
case_ 'a report with a prediction' predicted_page
case_ 'a report with formulas' page_with_formulas
case_ 'a page says what goes beyond a cache' page_beyond
if command -v dot >/dev/null; then
    case_ 'a report with the picture of the program' drawn_page
else
    echo 'note: graphviz is not installed, the picture of the program was not tested'
fi
case_ 'a report without graphviz' undrawn_page
case_ 'a report whose prediction fails' prediction_refused
finish
