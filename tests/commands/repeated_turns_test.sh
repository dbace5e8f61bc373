#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Loops of a slice whose turns are alike run once: the trace and what the channel check says are the same as if all turns had run. The slice
# is made by hand, so that loops are there, too, that must not be repeated.
set -u
. "$(dirname "$0")/../frame.sh"
must "$MPICC" -g -O1 -Wall -o repeated "$top/tests/recorder/repeated.c"

slice() { # TRACE ARGUMENTS...
    trace=$1
    shift
    commslice record -q --no-times --engine emulate -n 4 -o "$trace" -- ./repeated "$@"
}
all_turns() { COMMSLICE_NO_REPEAT=1 slice "$@"; }
# PART, TURNS that run of it, all TURNS of it
part() {
    equal "$1: all turns" "$3" "$(all_turns all.trace "$1")"
    equal "$1: turns" "$2" "$(slice some.trace "$1")"
    case_ "$1: the same trace" commslice diff all.trace some.trace
    case_ "$1: where some ranks repeat" slice odd.trace odd "$1"
    case_ "$1: the same trace of some" commslice diff all.trace odd.trace
}
part messages 153 213099
part handles 622 1620
part collectives 14 30401
part unlike 123 7161
part persistent 201 400
part all 1113 252681

# What is wrong is found with the same words, whoever of the three other ranks is compared with rank 1, and whoever of the two comes first.
words() { sed -n 's/(rank [023])/(rank R)/; s/differs: \(.*\) (rank R), \(.*\) (rank 1)/differs: \2 (rank 1), \1 (rank R)/; /error:/p' "$1"; }
for what in message collective; do
    all_turns all.trace $what >/dev/null 2>all.log
    equal "wrong $what" 2 $?
    slice some.trace $what >/dev/null 2>some.log
    equal "wrong $what, repeated" 2 $?
    equal "wrong $what: words" "$(words all.log)" "$(words some.log)"
    slice odd.trace odd $what >/dev/null 2>odd.log
    equal "wrong $what, repeated by some ranks" 2 $?
    equal "wrong $what, repeated by some ranks: words" "$(words all.log)" "$(words odd.log)"
done
# The log of answers: what is written of it, and what is left as it is.
logged() { COMMSLICE_TURNS_LOG=log commslice "$@" >out 2>err; }
two() { logged record -q --no-times --engine emulate -n 2 -o log.trace -- ./repeated "$@"; }
whole() { [ "$(head -n 1 "$1")" = "commslice turns" ] && [ "$(tail -n 1 "$1")" = end ]; }
says() { [ "$(grep -c '^commslice: error: rank [01] writes no log of turns: '"$1" err)" = "$2" ]; }
sum() { awk 'NF == 2 && $1 + 0 > last { n += $2; last = $1 } END { print n }' "$1"; }

two handles
case_ "log: its first line, and its last" whole log.0
case_ "log: of both ranks, without a word" sh -c '[ ! -s err ] && cmp log.0 log.1'
equal "log: 1620 turns, of which 622 run" 998 "$(sum log.0)"
two messages
case_ "log: in blocks" sh -c '[ "$(wc -c <log.0)" -gt 600 ]'
case_ "log: in blocks, all of them" whole log.1
before=$(cksum log.0 log.1)
COMMSLICE_NO_REPEAT=1 two handles
equal "log: not where all turns run" "$before" "$(cksum log.0 log.1)"
must "$MPICC" -o original "$top/tests/recorder/ends.c"
logged record -q --no-times --engine emulate -n 2 -o log.trace -- ./original none
case_ "log: an original runs" [ ! -s err ]
equal "log: not of originals" "$before" "$(cksum log.0 log.1)"
two closes handles
case_ "log: nothing is written into another file whose descriptor the log had" sh -c '[ ! -s err ] && [ -e mine.1 ] && [ ! -s mine.0 ] && [ ! -s mine.1 ]'
equal "log: all of it, of who closes all files" 998 "$(sum log.1)"
two limits messages # whose trace cannot be written either
case_ "log: what cannot be written is said" says 'File too large: .*/log\.[01]$' 2
case_ "log: and then it does not end" sh -c '! grep -q end log.0'
two renames handles
case_ "log: not into a file that took its name" says 'there is another file, which stays as it is: .*/log\.[01]$' 2
case_ "log: that file is as it was" sh -c '[ -e log.0 ] && [ ! -s log.0 ] && [ ! -s log.1 ]'
echo mine >log.0 && ln -sf /dev/full log.1
two handles
case_ "log: not over what is no log" says 'there is another file, which stays as it is: ' 2
equal "log: what was there is there" mine "$(cat log.0)"
COMMSLICE_TURNS_LOG=$dir/none/log commslice record -q --no-times --engine emulate -n 2 -o log.trace -- ./repeated handles >out 2>err
case_ "log: no folder" says 'No such file or directory: .*/none/log\.[01]$' 2
COMMSLICE_TURNS_LOG=$(printf '%05000d' 0) commslice record -q --no-times --engine emulate -n 2 -o log.trace -- ./repeated handles >out 2>err
case_ "log: a path that is too long" says 'File name too long: ' 2

expect "with times nothing is repeated" 0 '^1620$' commslice record -q --engine emulate -n 2 -o T -- ./repeated handles
finish
