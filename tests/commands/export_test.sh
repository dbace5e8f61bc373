#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Exported traces, each checked by the reader that it is made for: SimGrid's replay, otf2-print, jq for JSON, sums over CSV columns against
# `commslice matrix`.
set -u
. "$(dirname "$0")/../frame.sh"

# Messages and bytes in the CSV export, summed over point-to-point sends. Fields hold no commas here.
sent_by_csv() {
    "$COMMSLICE" export -f csv T | awk -F, '$10 ~ /^[0-9]+$/ && $5 !~ /_init$/ { n++; b += $8 } END { print n " " b }'
}
# The same from the matrix; messages of started persistent sends (three of 32 bytes by each of four ranks) are not in the column.
sent_by_matrix() {
    "$COMMSLICE" matrix --csv T | awk -F, 'NR > 1 { n += $3; b += $4 } END { print n - 12 " " b - 12 * 32 }'
}

csv_lines() { [ "$("$COMMSLICE" export -f csv T | wc -l)" = "$(($(events) + 1))" ]; }
events() { "$COMMSLICE" print --json T | wc -l; }
csv_bytes() { [ "$(sent_by_csv)" = "$(sent_by_matrix)" ] || { sent_by_csv; sent_by_matrix; false; }; }
chrome_bars() { [ "$("$COMMSLICE" export -f chrome T | jq '[.traceEvents[] | select(.ph == "X" and .dur >= 0)] | length')" = "$(events)" ]; }
chrome_limit() { [ "$("$COMMSLICE" export -f chrome --limit 3 T | jq '[.traceEvents[] | select(.ph == "X")] | length')" = 12 ]; }
chrome_window() { [ "$("$COMMSLICE" export -f chrome --from 9000 T | jq '[.traceEvents[] | select(.ph == "X")] | length')" = 0 ]; }
refuses() { what=$1; shift; "$COMMSLICE" export "$@" >out 2>&1; [ $? = 2 ] && grep -q "$what" out || { cat out; false; }; }
keeps_trace() { cp T keep; refuses 'is the trace itself' -f csv -o T T && cmp T keep; }

platform() {
    cat >platform.xml <<'END'
<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="125MBps" lat="50us"/></zone></platform>
END
    printf 'n0\nn1\nn2\nn3\n' >hosts
}
# Replay must come to its end, and its time must grow with the computing that the trace holds.
replay() {
    "$COMMSLICE" export -f ti --speed "$1" -o "ti$1" T &&
        timeout 100 smpirun -np 4 -platform platform.xml -hostfile hosts -replay "ti$1" 2>&1 | tee replay.log | grep -q 'Simulation time' ||
        { cat replay.log; return 1; }
    sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p' replay.log >"time$1"
}
replay_grows() { awk 'NR == 1 { a = $1 } NR == 2 { exit !($1 > a && a > 0) }' time1e6 time1e9; }

otf2_regions() {
    "$COMMSLICE" export -f otf2 -o arch T && otf2-print arch/traces.otf2 >events.txt 2>otf2.err && [ ! -s otf2.err ] && [ "$(grep -c '^ENTER' events.txt)" = "$(events)" ] &&
        [ "$(grep -c '^LEAVE' events.txt)" = "$(events)" ]
}
# Three receives of the ring with a wildcard are not named: one a rank.
otf2_messages() {
    [ "$(grep -cE '^MPI_I?SEND ' events.txt)" = "$(($(grep -cE '^MPI_I?RECV ' events.txt) + 4))" ]
}
# Ranks begin when their clocks say so, as in the Paraver trace.
otf2_clocks() {
    awk '$1 == "ENTER" && !($2 in seen) { seen[$2]; print $2, $3 }' events.txt | sort >begins.otf2
    awk -F: '$1 == 2 && !($4 in seen) { seen[$4]; print $4 - 1, $6 }' times.prv | sort >begins.prv
    [ "$(awk '$2 > 0' begins.prv | wc -l)" = 3 ] && cmp begins.otf2 begins.prv
}
otf2_comms() { otf2-print -G arch/traces.otf2 | grep -c '^COMM .*world/0' | grep -qx 2; }

# Paraver's format, as its kernel reads it: records of all ranks in the order of time; states of a rank that follow each other; messages
# between ranks that there are; a label for each type of event and value.
prv_is_sound() {  # NAME RANKS
    awk -F: -v n="$2" '
        FILENAME ~ /pcf$/ {
            if ($0 ~ /^(EVENT_TYPE|VALUES|STATES|STATES_COLOR)$/) { part = $0; if (part == "EVENT_TYPE") types = ""; next }
            split($0, w, " ")
            if (part == "EVENT_TYPE" && w[2] ~ /^[0-9]+$/) types = types " " w[2]
            if (part == "VALUES" && w[1] ~ /^[0-9]+$/) { split(types, t, " "); for (i in t) label[t[i], w[1]] }
            if (part == "EVENT_TYPE" && w[2] ~ /^[0-9]+$/) known[w[2]]
            if (part == "STATES" && w[1] ~ /^[0-9]+$/) state[w[1]]
            next
        }
        function bad(what) { print FILENAME ":" FNR ": " what ": " $0; failed = 1 }
        FNR == 1 { if ($0 !~ "^#Paraver \\(01/01/1970 at 00:00\\):[0-9]+_ns:1\\(" n "\\):1:" n "\\((1:1,)*1:1\\),[0-9]+$") bad("header"); end = $3 + 0; next }
        /^c:/ { for (i = 5; i <= NF; i++) if ($i < 1 || $i > n) bad("member"); if ($4 != NF - 4) bad("members"); comm[$3]; next }
        $6 < last { bad("order") }
        { last = $6 }
        $2 != $4 || $4 < 1 || $4 > n || $3 != 1 || $5 != 1 { bad("rank") }
        $1 == 1 { if (($4 in until && $6 != until[$4]) || $7 <= $6 || $7 > end) bad("state of time"); if (!($8 in state)) bad("state"); until[$4] = $7 }
        $1 == 2 { if (NF % 2) bad("fields"); for (i = 7; i < NF; i += 2) {
            if (!($i in known)) bad("type"); if (($i < 50100001 || $i > 50100004) && !(($i, $(i + 1)) in label)) bad("value")
            if ($i == 50100004 && !($(i + 1) in comm)) bad("communicator") } }
        $1 == 3 { if (NF != 15 || $8 < 1 || $8 > n || $8 != $10 || $13 < $12 || $13 < 0) bad("message"); messages++; bytes += $14 }
        $1 !~ /^[123]$/ { bad("record") }
        END { print messages + 0, bytes + 0 >"sums"; exit failed }' "$1.pcf" "$1.prv"
}
prv_times() { "$COMMSLICE" export -f prv -o times.prv T && prv_is_sound times 4; }
prv_messages() { cat sums; [ "$(cat sums)" = "$("$COMMSLICE" matrix --csv T | awk -F, 'NR > 1 { n += $3; b += $4 } END { print n, b }')" ]; }
prv_rows() { [ "$(sed -n '/^LEVEL THREAD/,/^$/p' times.row | grep -cx 'rank [0-3]')" = 4 ]; }
# No call of the ring is received before it is sent, as clocks of one machine agree.
prv_late() { awk -F: '$1 == 3 && $13 < $6 { print; bad = 1 } END { exit bad }' times.prv; }
# Without times, a recorded trace and what is merged and folded from it give the same files.
prv_forms() {
    "$COMMSLICE" record --engine emulate --no-times -n 4 -o plain -- ./exchange && "$COMMSLICE" merge plain -o plain.merged >out 2>&1 &&
        "$COMMSLICE" fold plain -o plain.fold >out 2>&1 || { cat out; return 1; }
    for form in plain plain.merged plain.fold; do "$COMMSLICE" export -f prv -o "of.$form" "$form" || return 1; done
    prv_is_sound of.plain 4 && prv_messages && cmp of.plain.prv of.plain.merged.prv && cmp of.plain.prv of.plain.fold.prv
}
prv_limit() { "$COMMSLICE" export -f prv --limit 3 -o few T && prv_is_sound few 4 && [ "$(grep -c '^2:.*:5[0-9]*:0:8' few.prv)" = 12 ]; }
prv_stays() { echo mine >own.pcf; refuses 'own.pcf: .*is no' -f prv -o own T && [ "$(cat own.pcf)" = mine ] && [ ! -e own.prv ]; }

"$MPICC" -g -w -o exchange "$top/tests/commands/exchange.c" || exit 2
"$COMMSLICE" record --engine emulate -n 4 -o T -- ./exchange || exit 2
case_ "csv: one line an event" csv_lines
case_ "csv: messages and bytes as in the matrix" csv_bytes
case_ "chrome: one bar an event" chrome_bars
case_ "chrome: --limit" chrome_limit
case_ "chrome: an empty window" chrome_window
case_ "wrong format" refuses 'no format nonsense; there are' -f nonsense T
case_ "no format" refuses 'give the format' T
case_ "no output name" refuses 'give a name with -o' -f ti T
case_ "part of a ti trace" refuses 'only of use as a whole' -f ti -o x --limit 1 T
case_ "never over the trace" keeps_trace
case_ "a speed with a tail" refuses 'speed 1x is no number' -f csv --speed 1x T
case_ "a window from its end" refuses 'from is after --to' -f csv --from 2 --to 1 T
case_ "no folder" refuses 'No such file' -f csv -o no/such T
# A full disk: one line, and nothing is left. A user who may mount has one.
full_disk() {
    rc=0
    head -c 8192 /dev/zero >full/fill 2>/dev/null
    for form in csv chrome ti otf2 goal prv; do
        "$COMMSLICE" export -f $form -o full/x T 2>err
        [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'full/x.*: No space left' err && [ "$(ls full)" = fill ] || { cat err; ls full; rc=1; }
    done
    umount full
    return $rc
}
# Of three files, of which one or two have room, none is left.
room_for_some() {
    for size in 4k 8k; do
        mount -t tmpfs -o size=$size tmpfs full || return 1
        "$COMMSLICE" export -f prv --limit 1 -o full/x T 2>err
        rc=$? left=$(ls full)
        umount full
        [ $rc = 2 ] && [ -z "$left" ] && [ "$(wc -l <err)" = 1 ] && grep -q 'full/x.*: No space left' err || { cat err; echo "$size: $rc, left: $left"; return 1; }
    done
}
if mkdir full && mount -t tmpfs -o size=8k tmpfs full 2>/dev/null; then
    case_ "a full disk" full_disk
    case_ "prv: a disk with room for some of its files" room_for_some
else
    echo "note: no right to mount a small disk, a full one was not tried"
fi
case_ "prv: states, events, messages of a run with times" prv_times
case_ "prv: messages as in the matrix" prv_messages
case_ "prv: a row for each rank" prv_rows
case_ "prv: no message is received before it is sent" prv_late
case_ "prv: recorded, merged and folded without times" prv_forms
says_json() { [ "$("$COMMSLICE" export --json -f prv -o said T 2>err | jq -c '[.trace, .format, .output, .inexact]')" = '["T","prv","said",4]' ] && refuses 'give a name with -o' --json -f csv T; }
case_ "--json" says_json
case_ "prv: --limit" prv_limit
case_ "prv: labels of somebody else stay" prv_stays
if command -v smpirun >/dev/null; then
    platform
    of_its_own() {
        "$COMMSLICE" export -f ti -o own_ti T 2>note && sed -n 's/.*\(smpirun .*\)/\1/p' note >command && grep -q platform.xml command &&
            timeout 100 sh command 2>&1 | tee replay.log | grep -q 'Simulation time' || { cat note replay.log; return 1; }
    }
    case_ "ti: the command that it prints replays it" of_its_own
    case_ "ti: SimGrid replays it" replay 1e6
    case_ "ti: and with more work" replay 1e9
    case_ "ti: more work takes longer" replay_grows
else
    fail "ti: no smpirun (Debian: libsimgrid-dev)"
fi
if command -v otf2-print >/dev/null; then
    case_ "otf2: a region for each event" otf2_regions
    case_ "otf2: sends and receives in pairs" otf2_messages
    case_ "otf2: times of ranks by their clocks" otf2_clocks
    case_ "otf2: communicators of both halves" otf2_comms
    two_at_once() {
        for i in 1 2 3 4; do { "$COMMSLICE" export -f otf2 -o both T 2>/dev/null; echo $? >"rc$i"; } & done
        wait
        [ "$(sort rc1 rc2 rc3 rc4 | tr -d '\n')" = 0222 ] && [ "$(otf2-print both/traces.otf2 2>/dev/null | grep -c '^ENTER')" = "$(events)" ]
    }
    case_ "otf2: two at once are not mixed" two_at_once
    case_ "otf2: a link that leads nowhere stays" eval 'ln -s nowhere link && refuses "link: exists" -f otf2 -o link T && [ -L link ]'
    case_ "otf2: an old archive stays" refuses 'exists; OTF2 archives' -f otf2 -o arch T
else
    fail "otf2: no otf2-print (Debian: otf2-tools)"
fi
finish
