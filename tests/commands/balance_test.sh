#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice balance: simulated loops whose times are known, what it says of them, and what it refuses.
set -u
. "$(dirname "$0")/../frame.sh"
balance() { "$COMMSLICE" balance "$@"; }
seconds() { jq -r ".techniques[] | select(.technique == \"$1\") | .seconds" out; }

# 16 items of 1 s, speeds 1, 1, 2, 4: equal blocks take 4 s, blocks by speed 2 s.
known() {
    balance --json -n 16 -c constant:1 -w 2x1,1x2,1x4 >out && [ "$(jq -r '.techniques | length' out)" = 12 ] &&
        [ "$(seconds static) $(seconds vrp) $(seconds vrp-dynamic)" = '4 2 2' ] && [ "$(jq -r '"\(.items) \(.workers) \(.ideal) \(.take)"' out)" = '16 4 2 vrp' ]
}
# Of ss each item takes 2 s + 2 * 1 s + 0.5 s on one worker that is served by a leader.
messages() { balance --json -t ss --way leader --latency 1s --service 500ms -n 4 -c constant:2 -w 1 >out && [ "$(seconds ss) $(jq -r '.techniques[0].messages' out)" = '18 10' ]; }
from_files() {
    printf '# seconds\n1\n2ms\n\n3 # long\n500us\n' >costs && printf '2\n1\n' >speeds && balance --json -t static -c costs -w speeds >out &&
        [ "$(seconds static)" = 3.0005 ] && [ "$(jq -r .items out)" = 4 ]
}
# The middle item is heavy: what hands out small chunks is fastest, and static is told.
table() {
    balance -n 1000 -c linear:1ms,9ms -w 8 >out && grep -q '^take ' out && grep -q '^static takes .* more: equal blocks do not cost the same$' out && ! grep -q 'speeds are not known' out &&
        [ "$(sed -n '/^technique/,/^$/p' out | wc -l)" = 14 ]
}
unequal() { balance -n 1000 -c gaussian:1ms,0.5ms -w 4,4x3 >out && grep -q '^where speeds are not known: [a-z0-9]*, ' out && grep -q '^static takes .* equal blocks on unequal workers$' out; }
# The choice is among what is within 1 % of the fastest, and has fewest messages of these.
choice() {
    balance --json -n 2000 -c gaussian:1ms,0.5ms -w 4,4x3 --drift 20% >out &&
        [ "$(jq -r .take out)" = "$(jq -r '[.techniques[] | select(.technique != "vrp-dynamic")] | (map(.seconds) | min) as $least | map(select(.seconds <= 1.01 * $least)) | min_by(.messages) | .technique' out)" ]
}
# Speeds that are not as said: blocks by them take longer, what asks again and again does not care.
drift() {
    balance --json -n 10000 -c constant:1ms -w 5x1,5x2 >out && vrp=$(seconds vrp) ss=$(seconds ss) &&
        balance --json -n 10000 -c constant:1ms -w 5x1,5x2 --drift 20% >out && awk "BEGIN { exit !($(seconds vrp) > 1.1 * $vrp && $(seconds ss) < 1.1 * $ss) }" </dev/null
}
same_again() {
    balance --json -n 500 -c gaussian:1ms,1ms -w 7 --drift 0.1 >one && balance --json -n 500 -c gaussian:1ms,1ms -w 7 --drift 0.1 >two && cmp one two &&
        balance --json -n 500 -c gaussian:1ms,1ms -w 7 --drift 0.1 --seed 2 >two && ! cmp -s one two
}
# 65,536 workers; the whole thing takes seconds.
large() { balance --json -n 1000000 -c gaussian:1ms,0.3ms -w 32768x1,32768x2 >out && [ "$(jq '[.techniques[].chunks] | max' out)" = 1000000 ]; }
picture() { # FILE BEGIN
    balance -n 100 -c constant:1ms -w 3 --plot "$1" >/dev/null && head -c 100 "$1" | grep -q "$2" && balance -n 100 -c constant:1ms -w 4 --plot "$1" >/dev/null && rm "$1"
}
keeps() { echo mine >mine.png; balance -n 100 -c constant:1ms -w 3 --plot mine.png >out 2>err; [ $? = 2 ] && [ "$(cat mine.png)" = mine ] && [ ! -s out ]; }

printf '1\nx\n' >bad.costs
printf '1\n0\n' >bad.speeds
printf '\n# nothing\n' >empty
refuses() {
    while IFS='|' read -r args say; do
        # shellcheck disable=SC2086  # words on purpose
        balance $args >out 2>err
        [ $? = 2 ] && [ ! -s out ] && grep -q -- "$say" err && [ "$(wc -l <err)" = 1 ] || { echo "$args"; cat out err; return 1; }
    done <<'END'
-w 4|say what items cost
-c constant:1|say who works
-c constant:1 -w 4|no items: say how many
-n 0 -c constant:1 -w 4|--items 0 is no number from 1
-n 10 -c constant:1 -w 2x0|--workers 2x0: give COUNT or COUNTxSPEED, .* above 0
-n 10 -c constant:1 -w 2x-1|--workers 2x-1: give
-n 10 -c constant:1 -w 0|--workers 0: give
-n 10 -c constant:1 -w 3,|--workers 3,: give
-n 10 -c constant:1 -w 9999999|--workers 9999999: give
-n 10 -c constant:1 -w bad.speeds|bad.speeds:2: give a number above 0
-n 10 -c constant:1 -w empty|there are no workers
-n 10 -c constant:1 -w none|none: No such file
-n 10 -c constant -w 4|--costs constant: give a time
-n 10 -c linear:1 -w 4|--costs linear:1: give two times
-n 10 -c linear:1,-2 -w 4|give two times
-c bad.costs -w 4|bad.costs:2: give a number not below 0
-c empty -w 4|empty: there are no items
-n 3 -c bad.speeds -w 4|bad.speeds: it has 2 items, not 3
-c nosuch -w 4|nosuch: No such file
-n 10 -c constant:1 -w 4 -t fac3|--technique fac3: there is none
-n 10 -c constant:1 -w 4 --way far|no way far; there are master-worker, leader
-n 10 -c constant:1 -w 4 --latency 3m|--latency 3m: give a time
-n 10 -c constant:1 -w 4 --drift 300%|--drift 300%: give a share
-n 10 -c constant:1 -w 4 --chunk 0|--chunk 0 is no number
-n 10 -c constant:1 -w 4 more|more: what is this
-n 10 -c constant:1 -w 4 --plot x.pdf|ends in .png or .svg
END
}

case_ 'times that are known' known
case_ 'messages' messages
case_ 'costs and speeds in files' from_files
case_ 'a table, and what to take' table
case_ 'unequal workers' unequal
case_ 'what is taken' choice
case_ 'speeds that are not as said' drift
case_ 'the same numbers give the same' same_again
case_ '65,536 workers' large
if command -v gnuplot >/dev/null; then
    case_ 'a picture, PNG' picture p.png PNG
    case_ 'a picture, SVG' picture p.svg svg
    case_ 'a file that is no picture stays' keeps
else
    echo 'note: gnuplot is not installed, balance --plot was not tested'
fi
case_ 'wrong words' refuses
finish
