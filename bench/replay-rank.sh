#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# replay-rank.sh: how well small runs predict the computation of one rank among many, which is measured alone: its messages come from a tape.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"
. "$top/bench/other-machine.sh"

usage() {
    cat <<'END'
usage: bench/replay-rank.sh [-B BUILD] [-w FOLDER] [-r TIMES] [-t TIMES] [-n RANKS] [-C CPU] [-c HOW] [-x SWEEP3D-FOLDER] [NPB-FOLDER [PROGRAM...]]
Each program is built as a counted original and as a counted slice. Small runs of the original, on 1 to 16 ranks, are recorded under engine
emulate with tapes of two ranks, and each of these ranks is replayed alone, TIMES times; commslice fit learns from that, and commslice predict
says what each piece of computation takes on one rank of the slice at the target. That is written down before that rank of the original, recorded
there with its tape, is replayed alone: truth is the median of its replays. Beside each of these a rank of the smallest run is replayed, of which the model learnt:
truth is divided by how much longer that one takes now, as the host of a virtual machine gets slower and faster. Without NPB-FOLDER, only the demo. bt, lu and sp take five steps of
class B, bt and sp on 484 ranks in place of 512.

  -B BUILD    the build tree of commslice (build)
  -w FOLDER   work there, and leave everything (default: a folder that is removed)
  -r TIMES    replays at the target (5)
  -t TIMES    replays of each rank of the small runs (3)
  -n RANKS    only targets of so many ranks
  -C CPU      replay on this processor (1)
  -c HOW      slices by counters=HOW, setup or all
  -x FOLDER   your copy of Sweep3D: program sweep3d, with 100 points

A row a program and target, the worst first: the computation of the rank, predicted over true; of its pieces from one MPI call to the next, how
far they are off: median of all; of those with 1 % and more of the computation median and worst; the median by time, above and below which lies
half of the computation; how far the replays of these are off each other (median of the middle half's width); how many times as slow the machine was as
when the model learnt; true computation.
END
}

build=$top/build work='' replays=5 small_replays=3 only='' cpu=1 sweep=''
while getopts B:w:r:t:n:C:c:x:h o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        r) replays=$OPTARG ;;
        t) small_replays=$OPTARG ;;
        n) only=$OPTARG ;;
        C) cpu=$OPTARG ;;
        c) counters=counters=$OPTARG ;;
        x) sweep=$(cd "$OPTARG" && pwd) || exit 2 ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
take_npb "$@"
[ $# -eq 0 ] || shift
keep=$work
begin_work
# Other programs leave the processor to what is measured, where this may be said.
[ "$(id -u)" != 0 ] || make_group 1
trap 'undo_machine; [ -n "$keep" ] || rm -rf "$work"' EXIT

# A rank in the middle, and the first one.
middle() { echo $(($1 > 2 ? $1 / 2 + 1 : $1 - 1)); }

# tape PROGRAM CLASS.RANKS RANKS: the original, recorded with tapes of these ranks, as PROGRAM.CLASS.RANKS.tape.RANK.
tape() {
    place_of o "$1" "$2"
    to=$PWD/$1.$2.tape
    [ -s "$to.trace" ] || (cd "$at" && commslice record -q -e emulate -n "${2#*.}" --no-times --tape "$to" --tape-ranks "$3" -o "$to.trace" \
        --stdout drop -- "../$name" $input >"$to.log" 2>&1) || { rm -f "$to.trace"; return 1; }
}

# replay PROGRAM CLASS.RANKS RANK TIME: as PROGRAM.CLASS.RANKS.RANK.TIME.replay, whose name is added to replayed.
replay() {
    place_of o "$1" "$2"
    to=$PWD/$1.$2.$3.$4.replay
    [ -s "$to" ] || (cd "$at" && in_group taskset -c "$cpu" commslice replay -q -o "$to" --stdout drop "../$1.$2.tape.$3" "../$name" $input \
        >"$to.log" 2>&1) || { rm -f "$to"; return 1; }
    replayed="$replayed $to"
}

# Ranks of a small run that are replayed.
ranks_of() { # RANKS
    [ "$1" = 1 ] || echo 0
    middle "$1"
}

# All small runs are replayed once before any is again, so that a minute in which the machine is slow meets no run alone.
learn() { # PROGRAM
    replayed=''
    for r in $small; do
        tape "$1" "$r" "$(ranks_of "${r#*.}" | paste -sd , -)" || { echo "$1: no run of $r: $(tail -n 1 "$1.$r.tape.log")" >&2; return 1; }
    done
    for i in $(seq "$small_replays"); do
        for r in $small; do
            for m in $(ranks_of "${r#*.}"); do
                replay "$1" "$r" "$m" "$i" || { echo "$1: no replay of rank $m of $r" >&2; return 1; }
            done
        done
    done
    # shellcheck disable=SC2086  # words on purpose
    commslice fit --force -o "$1.model" $replayed >"$1.fit"
}

# Times of the segments of a replay: NAME SECONDS.
segments() { # TRACE
    commslice info --counters --json "$1" | jq -r '.segments[] | [(.from // "start") + " -> " + (.to // "end"), .ns] | @tsv'
}

# ns of all segments of each of these replays.
totals() { # TRACE...
    for f; do segments "$f" | awk -F '\t' '{ s += $2 } END { print s }'; done
}

# How many times as long as when the model learnt a small run takes now, that was replayed beside the target, turn by turn.
slower() { # PROGRAM CLASS.RANKS RANK TARGET
    # shellcheck disable=SC2046  # words on purpose
    calc %.4f "$(totals $(seq -f "$1.$2.$3.beside-$4-%g.replay" "$replays") | median) / $(totals $(seq -f "$1.$2.$3.%g.replay" "$small_replays") | median)"
}

measure() { # PROGRAM CLASS.RANKS
    rank=$(middle "${2#*.}") t=$1.$2 beside=${small##* }
    place_of s "$1" "$2"
    [ -s "$t.slice.trace" ] || (cd "$at" && commslice run -q -o "../$t.slice.trace" -n "${2#*.}" --stdout drop "../$name" $input >"../$t.slice.log" 2>&1) ||
        { echo "$1: no slice of $2: $(tail -n 1 "$t.slice.log")" >&2; return 1; }
    commslice predict --json --network "$network" --model "$1.model" --of-rank "$rank" "$t.slice.trace" >"$t.predicted" || return 1
    # Only now the truth.
    tape "$1" "$2" "$rank" || { echo "$1: no run of $2: $(tail -n 1 "$t.tape.log")" >&2; return 1; }
    replayed=''
    for i in $(seq "$replays"); do
        replay "$1" "$beside" 9 "beside-${2#*.}-$i" || { echo "$1: no replay beside $2" >&2; return 1; }
        replay "$1" "$2" "$rank" "$i" || { echo "$1: no replay of rank $rank of $2" >&2; return 1; }
    done
    speed=$(slower "$1" "$beside" 9 "${2#*.}")
    for i in $(seq "$replays"); do segments "$1.$2.$rank.$i.replay"; done | awk -f "$top/bench/replay-rank.awk" -v what=truth -v slower="$speed" | LC_ALL=C sort >"$t.true"
    jq -r '.segments[] | [.segment, .mean_s] | @tsv' "$t.predicted" | LC_ALL=C sort >"$t.pieces"
    LC_ALL=C join -t "$(printf '\t')" "$t.true" "$t.pieces" | awk -f "$top/bench/replay-rank.awk" -v what=errors -v name="$1 $2" -v slower="$speed"
}

cd "$work" || exit 2
learn_and_measure "$@"
code=$?
printf '%-16s %9s  %6s  %9s %8s  %8s  %7s  %6s  %s\n' '' computes all '1 % more' worst 'by time' replays slower truth
sort -t "$(printf '\t')" -k 1,1gr results | cut -f 2-
exit $code
