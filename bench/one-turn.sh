#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# one-turn.sh: what it saves that loops whose turns are alike run one turn for all: processor time and trace of slices with that and without.
set -u
. "$(dirname "$0")/common.sh"

usage() {
    cat <<'END'
usage: bench/one-turn.sh [-B BUILD] [-n RANKS] SLICE [ARGUMENT...]
  -B BUILD  the build tree of commslice (build)
  -n RANKS  ranks under engine emulate (512)

A row: loops with recorded calls, those that run one turn for all; events; processor time of all ranks with all turns, with one turn for
all; their ratio; bytes of the trace. Exit status 1 if the two traces are not the same.
Slices of NPB: npb-patches/try leaves one.
END
}

build=$top/build ranks=512
while getopts B:n:h o; do
    case $o in
        B) build=$OPTARG ;;
        n) ranks=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 2; }
find_tools "$build"
make_work

# NAME COMMAND...: user and system time of it and all that it starts, in seconds, into $work/NAME
timed() {
    name=$1
    shift
    ( "$@" >"$work/$name.out" 2>&1 || die "$name: $(tail -n 1 "$work/$name.out")"
      times >"$work/$name.times" ) || exit 2
    tail -n 1 "$work/$name.times" | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }' >"$work/$name"
}
all_turns() { COMMSLICE_NO_REPEAT=1 "$COMMSLICE" run -q -n "$ranks" -o "$work/all.trace" "$@"; }
one_turn() { "$COMMSLICE" run -q -n "$ranks" -o "$work/one.trace" "$@"; }

timed all all_turns "$@"
timed one one_turn "$@"
same=$("$COMMSLICE" diff "$work/all.trace" "$work/one.trace") || { echo "$1: the traces differ: $same"; exit 1; }
loops=$("$COMMSLICE" info --json "$1" | jq -r '"\(.loops | length) \([.loops[] | select(.one_turn)] | length)"')
# shellcheck disable=SC2046  # words of a row
echo "$loops" "$(echo "$same" | sed 's/[^0-9]*\([0-9]*\) events.*/\1/')" $(cat "$work/all" "$work/one") "$(stat -c %s "$work/one.trace")" |
    awk '{ printf "%3d loops, %3d by one turn  %12d events  %8.2f s  %8.2f s  %6.3f  %8d bytes  same\n", $1, $2, $3, $4, $5, $5 / $4, $6 }'
