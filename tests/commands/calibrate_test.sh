#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice calibrate: numbers from output whose network is known, wrong output, and a measurement on the MPI library that is here.
set -u
. "$(dirname "$0")/../frame.sh"
. "$top/tests/commands/model_traces.sh"

calibrate() { "$COMMSLICE" calibrate "$@"; }
# A message takes 2 x 200 ns, 1 us on the way, and 0.5 ns a byte.
{
    echo 'some other program prints this'
    for b in 8 1024 65536 131072 4194304; do awk -v b=$b 'BEGIN { printf "calibrate: message %d %.6f\n", b, 1400 + b / 2 }'; done
    printf 'calibrate: out 8 150\ncalibrate: in 8 250\ncalibrate: burst 200 120\ncalibrate: eager 8192 0\ncalibrate: meeting 4 2800\ncalibrate: sum 4 3000\n'
} >measured

numbers() {
    calibrate -o net --from measured >out && sed -n 2p net | grep -qx 'latency=1000ns,overhead=200ns,gap=120ns,bandwidth=2e+09B/s,eager=8192B' && grep -q '^on 4 ranks: barrier 2.8 us, by these numbers 2.8; reduction of 8 bytes 3 us, by these numbers 2.81$' out
}
# 200 + 1000 + 800 * 0.5 + 200
used() {
    short_message_trace short.T && "$COMMSLICE" predict --json --network net short.T | grep -q '"predicted_s":0.000001800,'
}
says_json() { calibrate --json --force -o net --from measured | jq -e '.latency_ns == 1000 and .overhead_ns == 200 and .gap_ns == 120 and .eager_bytes == 8192 and .ranks == 4 and .barrier_ns == 2800' >out; }
again() { calibrate -o net --from measured >out && echo mine >mine.net && ! calibrate -o mine.net --from measured 2>err && [ "$(cat mine.net)" = mine ] && calibrate --force -o mine.net --from measured >out && cmp net mine.net; }
# A call that takes longer than half of a message leaves nothing for the way.
all_overhead() { sed 's/in 8 250/in 8 9000/' measured >slow && calibrate -o slow.net --from slow >out && sed -n 2p slow.net | grep -q '^latency=0ns,overhead=702ns,'; }
wrong_output() {
    while IFS='|' read -r edit say; do
        sed "$edit" measured >bad
        calibrate -o bad.net --from bad >out 2>err
        [ $? = 2 ] && [ ! -e bad.net ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$say" err || { echo "$edit"; cat err; return 1; }
    done <<'END'
/message/d|no time of a short message
/message 8 /d;/message 1024/d|no time of a short message
/message 6/d;/message 1[0-9][0-9][0-9][0-9]/d|do not grow
s/message 4194304 .*/message 4194304 10/;s/message 131072 .*/message 131072 20/|do not grow
s/message 8 .*/message 8 x/|line 2 is not as
s/message 8 .*/message 8 nan/|line 2 is not as
s/message 8 .*/message 8 -5/|line 2 is not as
s/message 8 .*/message 8 0/|line 2 is not as
s/message 8 .*/message 8 1404 7/|line 2 is not as
s/eager 8192 0/wish 8192 0/|line 10 is not as
END
    i=0
    while [ $i -lt 70 ]; do echo "calibrate: message 8 1404"; i=$((i + 1)); done >many
    calibrate -o many.net --from many 2>err; [ $? = 2 ] && grep -q 'line 65' err
}
wrong_files() {
    echo latency=1us >plain.net; head -n 1 net >cut.net; { head -n 1 net; echo latency=5; } >unit.net
    for f in plain.net cut.net unit.net none.net short.T; do
        "$COMMSLICE" predict --network $f short.T >out 2>err
        [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "--network: $f: " err || { echo $f; cat err; return 1; }
    done
}
wrong_words() {
    while IFS='|' read -r args say; do
        # shellcheck disable=SC2086  # words on purpose
        calibrate $args >out 2>err
        [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$say" err || { echo "$args"; cat err; return 1; }
    done <<'END'
--from measured|give the file of the network
-o x.net --program x.c|give the file of the network
-o x.net mpiexec -n 2|stand behind --
-o x.net --from measured -- mpiexec|no words behind
--program x.c --from measured|exclude each other
-o x.net --from none|none: No such file
-o measured --force --from measured|is the trace itself
-o x.net -- /nonesuch|nonesuch
-o x.net -- false|measuring program: false ended with exit code 1
-o x.net -- true|no time of a short message
END
    [ ! -e x.net ] && [ ! -e x.c ]
}
program() { calibrate --program measure.c >out && grep -q '^mpiexec -n 2 ./measure' out && $MPICC -std=gnu11 -O2 -w -fsyntax-only measure.c && echo mine >mine.c && ! calibrate --program mine.c 2>err && [ "$(cat mine.c)" = mine ]; }
# Only far-off figures fail: the machine may be busy.
here() {
    mkdir -p tmp && TMPDIR=$PWD/tmp COMMSLICE_MPICC=$MPICC COMMSLICE_MPIEXEC=$MPIEXEC calibrate -o here.net >out 2>err && [ -z "$(ls tmp)" ] && [ "$(grep -c '^# [0-9]* [0-9.e+]*$' here.net)" = 20 ] && grep -q '^on 2 ranks' out && grep -q 'GB/s' out &&
        "$COMMSLICE" predict --network here.net short.T >/dev/null
}

case_ 'numbers' numbers
case_ "--json" says_json
case_ 'predict takes them' used
case_ 'replaces its own files only' again
case_ 'calls that take all the time' all_overhead
case_ 'wrong output' wrong_output
case_ 'wrong files of a network' wrong_files
case_ 'wrong words' wrong_words
case_ 'the program alone' program
case_ 'a measurement' here
finish
