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
expect "with times nothing is repeated" 0 '^1620$' commslice record -q --engine emulate -n 2 -o T -- ./repeated handles
finish
