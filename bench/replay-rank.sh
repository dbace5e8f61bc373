#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# replay-rank.sh: how well small runs predict the computation of one rank among many, which is measured alone: its messages come from a tape.
set -u
. "$(dirname "$0")/common.sh"
. "$top/bench/counted.sh"

usage() {
    cat <<'END'
usage: bench/replay-rank.sh [-B BUILD] [-w FOLDER] [-r ROUNDS] [-n RANKS] [-C CPU] [-c HOW] [-x SWEEP3D-FOLDER] [NPB-FOLDER [PROGRAM...]]
Each program is built as a counted original and as a counted slice. The original is recorded under engine emulate with tapes: small runs, on 1 to 16
ranks, of two ranks each, and each target of one rank in its middle. In each round, every one of these ranks is replayed alone once, on one
processor, in real-time class FIFO where we are root; so whatever makes the machine slower for a while meets small runs and targets alike. Those that take
more than a second are replayed in every fifth round only. commslice fit learns from the replays of the small runs alone, and commslice predict says
what each piece of computation takes on one rank of the slice at the target; only after that the target's replays are read. Truth is, of each piece of
each replay, the least that a replay took, as commslice fit joins replays. Without NPB-FOLDER, only the demo. bt, lu and sp take five steps of
class B, bt and sp on 484 ranks in place of 512.

  -B BUILD    the build tree of commslice (build)
  -w FOLDER   work there, and leave everything (default: a folder that is removed)
  -r ROUNDS   so many (40)
  -n RANKS    only targets of so many ranks
  -C CPU      replay on this processor (1)
  -c HOW      slices by counters=HOW, setup or all
  -x FOLDER   your copy of Sweep3D: program sweep3d, with 100 points

A row a program and target, the worst first: the computation of the rank, predicted over true; of its pieces from one MPI call to the next, how
far they are off: median of all; of those with 1 % and more of the computation median and worst; the median by time, above and below which lies
half of the computation; how far the truth of half of the rounds is off that of the other half: median of all pieces, of those with 1 % and
more median and worst; true computation.
END
}

build=$top/build work='' rounds=40 only='' cpu=1 sweep=''
while getopts B:w:r:n:C:c:x:h o; do
    case $o in
        B) build=$OPTARG ;;
        w) work=$OPTARG ;;
        r) rounds=$OPTARG ;;
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
begin_work
take_processor

# A rank in the middle, and the first one.
middle() { echo $(($1 > 2 ? $1 / 2 + 1 : $1 - 1)); }

# tape PROGRAM CLASS.RANKS RANKS: the original, recorded with tapes of these ranks, as PROGRAM.CLASS.RANKS.tape.RANK.
tape() {
    place_of o "$1" "$2"
    to=$PWD/$1.$2.tape
    [ -s "$to.trace" ] || (cd "$at" && commslice record -q -e emulate -n "${2#*.}" --no-times --tape "$to" --tape-ranks "$3" -o "$to.trace" \
        --stdout drop -- "../$name" $input >"$to.log" 2>&1) || { rm -f "$to.trace"; return 1; }
}

# replay PROGRAM CLASS.RANKS RANK ROUND: as PROGRAM.CLASS.RANKS.RANK.ROUND.replay. One that takes long is left out of most rounds.
replay() {
    place_of o "$1" "$2"
    to=$PWD/$1.$2.$3
    [ ! -e "$to.long" ] || [ $(($4 % 5)) = 1 ] || return 0
    [ ! -s "$to.$4.replay" ] || return 0
    from=$(now)
    # shellcheck disable=SC2086  # words on purpose
    (cd "$at" && $alone taskset -c "$cpu" commslice replay -q --force -o "$to.$4.replay" --stdout drop "../$1.$2.tape.$3" "../$name" $input >"$to.log" 2>&1) ||
        { rm -f "$to.$4.replay"; return 1; }
    [ "$(calc %d "$(since "$from")")" = 0 ] || : >"$to.long"
}

# Ranks of a small run that are replayed.
ranks_of() { # RANKS
    [ "$1" = 1 ] || echo 0
    middle "$1"
}

wanted() { [ -z "$only" ] || [ "${1#*.}" = "$only" ]; }

# All that is replayed, CLASS.RANKS:RANK.
replayed_small() { for r in $small; do for m in $(ranks_of "${r#*.}"); do echo "$r:$m"; done; done; }
replayed_targets() { for r in $targets; do ! wanted "$r" || echo "$r:$(middle "${r#*.}")"; done; }

# Rounds of all, then a model of the small runs.
learn() { # PROGRAM
    for r in $small; do
        tape "$1" "$r" "$(ranks_of "${r#*.}" | paste -sd , -)" || { echo "$1: no run of $r: $(tail -n 1 "$1.$r.tape.log")" >&2; return 1; }
    done
    for r in $targets; do
        ! wanted "$r" || tape "$1" "$r" "$(middle "${r#*.}")" || { echo "$1: no run of $r: $(tail -n 1 "$1.$r.tape.log")" >&2; return 1; }
    done
    for i in $(seq "$rounds"); do
        for m in $(replayed_small) $(replayed_targets); do
            replay "$1" "${m%:*}" "${m#*:}" "$i" || { echo "$1: no replay of rank ${m#*:} of ${m%:*}: $(tail -n 1 "$1.${m%:*}.${m#*:}.log")" >&2; return 1; }
        done
    done
    # shellcheck disable=SC2046  # words on purpose
    commslice fit --force -o "$1.model" $(for m in $(replayed_small); do ls "$1.${m%:*}.${m#*:}".*.replay; done) >"$1.fit"
}

# joined OUT REPLAY...: what these say together of each piece, NAME SECONDS, in order of names.
joined() {
    joined_to=$1
    shift
    commslice fit --force -o "$joined_to.model" "$@" >/dev/null && awk -f "$top/bench/replay-rank.awk" -v what=rows "$joined_to.model" | LC_ALL=C sort >"$joined_to"
}

measure() { # PROGRAM CLASS.RANKS
    rank=$(middle "${2#*.}") t=$1.$2 tab=$(printf '\t')
    place_of s "$1" "$2"
    [ -s "$t.slice.trace" ] || (cd "$at" && commslice run -q -o "../$t.slice.trace" -n "${2#*.}" --stdout drop "../$name" $input >"../$t.slice.log" 2>&1) ||
        { echo "$1: no slice of $2: $(tail -n 1 "$t.slice.log")" >&2; return 1; }
    commslice predict --json --network "$network" --model "$1.model" --of-rank "$rank" "$t.slice.trace" >"$t.predicted" || return 1
    jq -r '.segments[] | [.segment, .mean_s] | @tsv' "$t.predicted" | LC_ALL=C sort >"$t.pieces"
    # Only now the truth, and that of every other replay.
    ls "$t.$rank".*.replay >"$t.replays"
    # shellcheck disable=SC2046  # words on purpose
    joined "$t.true" $(cat "$t.replays") && joined "$t.half" $(sed -n 'p;n' "$t.replays") && joined "$t.other" $(sed -n 'n;p' "$t.replays") || return 1
    for f in half other pieces; do
        LC_ALL=C join -t "$tab" "$t.true" "$t.$f" >"$t.joined" && mv "$t.joined" "$t.true"
    done
    awk -f "$top/bench/replay-rank.awk" -v what=errors -v name="$1 $2" "$t.true"
}

cd "$work" || exit 2
learn_and_measure "$@"
code=$?
printf '%-16s %9s  %6s  %9s %8s  %8s  %18s  %s\n' '' computes all '1 % more' worst 'by time' 'the truth itself' truth
sort -t "$(printf '\t')" -k 1,1gr results | cut -f 2-
exit $code
