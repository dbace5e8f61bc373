#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One rank of a run alone, with what a tape has of the others: it does what it did there, and a model learns from its times.
set -u
. "$(dirname "$0")/../frame.sh"

must "$MPICC" -O1 -o replay "$top/tests/commands/replay_talk.c"
"$COMMSLICE" record -q -e emulate -n 6 --no-times --tape tape --tape-ranks 0,1,4,5 -o all.T --stdout tag -- ./replay >said || die "no recording"

# The events without their times, and what the rank prints.
same_rank() { # RANK
    "$COMMSLICE" replay -q -o "$1.T" "tape.$1" ./replay >"$1.said" || return 1
    "$COMMSLICE" print -r "$1" all.T >want
    "$COMMSLICE" print -r "$1" "$1.T" | sed 's/^\([0-9]*:[0-9]*\) [0-9.+]* /\1 /' >got
    [ -s want ] && cmp want got && grep -Fxq "[$1] $(cat "$1.said")" said
}
for r in 0 1 4 5; do case_ "rank $r does the same" same_rank "$r"; done
expect 'the trace says what it is' 0 "^engine  *replay of .*tape.4" "$COMMSLICE" info 4.T
expect 'other ranks are not missed' 0 'events of one of 6 ranks' "$COMMSLICE" replay -o again.T tape.4 -- ./replay

# ---- times of a counted original ----

must "$build/bin/commslice-mpicc" -O2 -g -fplugin-arg-commslice-mode=counted -o heat "$top/demo/heat.c" -lm
must "$build/bin/commslice-mpicc" -O2 -g -fplugin-arg-commslice-counters -o heat.slice "$top/demo/heat.c" -lm
settings() { printf 'rows %d\ncols 64\ngrid_rows %d\ngrid_cols 1\nsteps 10\nreport 5\n' "$1" "$2" >"$1.txt"; }
replays=''
for rows in 64 128; do
    settings $rows 4
    must "$COMMSLICE" record -q -e emulate -n 4 --tape "h$rows" --tape-ranks 1,2 -o "h$rows.T" --stdout drop -- ./heat $rows.txt
    for i in 1.1 1.2 2.1; do
        must "$COMMSLICE" replay -q -o "h$rows.$i.T" --stdout drop "h$rows.${i%.*}" ./heat $rows.txt
        replays="$replays h$rows.$i.T"
    done
done
counters_of() { "$COMMSLICE" info --counters --json "$1" | jq -c '.segments[] | select(.rank == 2) | del(.ns)'; }
same_counters() { counters_of h128.T >want; counters_of h128.2.1.T >got; [ -s want ] && cmp want got; }
case_ 'it counts the same' same_counters
# shellcheck disable=SC2086  # words on purpose
two_runs() {
    "$COMMSLICE" fit -o heat.model $replays >/dev/null && [ "$(grep -c '^run' heat.model)" = 2 ] &&
        ! awk -F '\t' '$1 == "segment" { split("", seen) } $1 == "row" && seen[$2, $3]++ { print; bad = 1 } END { exit !bad }' heat.model
}
case_ 'replays of one run are one run, and a rank has one row' two_runs
# Rank 1 of the first run was replayed twice: each piece counts with the least of its times, one of which others had no more than a tenth before one of
# which they had more.
pieces_of() { # TRACE
    "$COMMSLICE" print -r 1 --json "$1" | jq -rs '[{exit_ns: 0, file: "start", line: ""}] + . | . as $e | range(1; length) |
        [($e[. - 1] | "\(.file):\(.line)") + " -> " + ($e[.] | "\(.file):\(.line)"), $e[.].enter_ns - $e[. - 1].exit_ns, $e[.].lost_ns] | @tsv'
}
joined() {
    pieces_of h64.1.1.T >one && pieces_of h64.1.2.T >two && paste one two | awk -F '\t' '
        function bad(all, lost) { return lost > all / 10 }
        {
            d = bad($2, $3); e = bad($5, $6); a = $2 - $3; b = $5 - $6
            s[$1] += d == e ? (a < b ? a : b) : d ? b : a
        }
        END { for (k in s) printf "%s\t%.0f\n", k, s[k] }' | sed 's/^start:/start/' | sort >want
    awk -F '\t' '
        $1 == "site" { site[n++] = $3 ":" $2 }
        $1 == "segment" { name = ($2 < 0 ? "start" : site[$2]) " -> " ($3 < 0 ? "end" : site[$3]) }
        $1 == "row" && $2 == 0 && $3 == 1 { printf "%s\t%.0f\n", name, $4 * $5 }' heat.model | sort >got
    [ -s want ] && cmp want got
}
case_ 'replays of a rank are joined piece by piece' joined
settings 128 8
must "$COMMSLICE" run -q -n 8 -o slice.T --stdout drop ./heat.slice 128.txt
expect 'the table of one rank' 0 '"segment":"heat.c:46 -> heat.c:38"' "$COMMSLICE" predict --json --model heat.model --of-rank 3 slice.T
expect 'no such rank' 2 'slice.T: has no rank 8$' "$COMMSLICE" predict --model heat.model --of-rank 8 slice.T
expect 'a replay is no target' 2 'is of one rank: give the trace of a whole run' "$COMMSLICE" predict --model heat.model h64.1.1.T

# ---- bad input ----

expect 'no tape' 2 'all.T: is no tape of commslice record --tape$' "$COMMSLICE" replay -o x.T all.T ./replay
expect 'no such tape' 2 'none: No such file' "$COMMSLICE" replay -o x.T none ./replay
head -c 300 tape.0 >cut
expect 'a tape that is cut' 2 'cut: is cut: its rank did not come to MPI_Finalize$' "$COMMSLICE" replay -o x.T cut ./replay
expect 'another way' 2 'the program is not on its recorded way any more: ' "$COMMSLICE" replay -o x.T tape.4 ./replay more
expect 'another program' 2 'the program is not on its recorded way any more: ' "$COMMSLICE" replay -o x.T tape.1 ./heat 64.txt
expect 'no program' 2 'give the program whose rank is on the tape' "$COMMSLICE" replay -o x.T tape.1
expect 'ranks without a tape' 2 'go together' "$COMMSLICE" record -e emulate -n 2 --tape-ranks 1 -o x.T ./replay
expect 'a rank beyond' 2 'give ranks from 0 to 1, with commas between' "$COMMSLICE" record -e emulate -n 2 --tape t --tape-ranks 1,2 -o x.T ./replay
expect 'another engine' 2 'goes with --engine emulate' "$COMMSLICE" record --tape t --tape-ranks 0 -o x.T mpiexec -n 2 ./replay
finish
