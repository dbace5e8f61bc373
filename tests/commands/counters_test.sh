#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Counters of iterations: original and slice count the same, what a slice does not count is said, and info refuses what has none.
set -u
. "$(dirname "$0")/../frame.sh"
programs=$top/tests/programs/counters
with=-fplugin-arg-commslice-counters

# Builds PROGRAM.original and PROGRAM.slice, and runs both on RANKS ranks.
both() { # SOURCE RANKS [ARGUMENTS...]
    source=$1 ranks=$2 name=$(basename "${1%.*}")
    shift 2
    wrapper=$(tool "$source")
    [ -x "$name.slice" ] ||
        { "commslice-$wrapper" -O2 -g -fplugin-arg-commslice-mode=counted -o "$name.original" "$source" -lm &&
            "commslice-$wrapper" -O2 -g $with -o "$name.slice" "$source" -lm; } || return 1
    commslice record -q --force --engine emulate -n "$ranks" -o "$name.o" ./"$name.original" "$@" >/dev/null &&
        commslice run -q --force --stdout drop -n "$ranks" -o "$name.s" ./"$name.slice" "$@"
}
# The same sums, and the same events.
agree() { # SOURCE RANKS [ARGUMENTS...]
    both "$@" && commslice diff "$name.o" "$name.s" && "$top/tests/same-counters" "$name.o" "$name.s"
}
not_counted() { commslice info --all "$1" | sed -n '/^loops that are counted/,/^[a-z]/s/^  [^:]*:\([0-9]*\).*/\1/p' | sort -n | tr '\n' ' '; }

# The same totals as where 1 is added in each iteration.
each() { # SOURCE LEVEL RANKS [ARGUMENTS...]
    source=$1 level=$2 ranks=$3 name=$(basename "${1%.*}")
    shift 3
    wrapper=$(tool "$source")
    "commslice-$wrapper" "$level" -g -fplugin-arg-commslice-test-count-each -fplugin-arg-commslice-mode=counted -o each "$source" -lm &&
        "commslice-$wrapper" "$level" -g $with -o each.slice "$source" -lm &&
        commslice record -q --force --engine emulate -n "$ranks" -o each.o ./each "$@" >/dev/null &&
        commslice run -q --force --stdout drop -n "$ranks" -o each.s ./each.slice "$@" &&
        commslice diff each.o each.s && "$top/tests/same-counters" -t each.o each.s
}

for level in -O0 -O1 -O2 -O3; do
    case_ "nests in C, each iteration at $level" each "$programs/count_nests.c" $level 3 23 5
    case_ "rows, each iteration at $level" each "$programs/count_rows.c" $level 3
    with=$with=setup
    case_ "rows of the set-up, each iteration at $level" each "$programs/count_rows.c" $level 3
    case_ "patches of the set-up, each iteration at $level" each "$programs/count_patches.c" $level 4
    case_ "calls of the set-up, each iteration at $level" each "$programs/count_calls.c" $level 3
    with=${with%setup}all
    for p in rows patches calls callback; do case_ "all of $p, each iteration at $level" each "$programs/count_$p.c" $level 3; done
    with=${with%=all}
    case_ "nests in Fortran, each iteration at $level" each "$programs/f_count_nests.f90" $level 3
    case_ "patches, each iteration at $level" each "$programs/count_patches.c" $level 4
    case_ "cells, each iteration at $level" each "$programs/f_count_cells.f90" $level 4
    case_ "calls in C, each iteration at $level" each "$programs/count_calls.c" $level 3
    case_ "calls in Fortran, each iteration at $level" each "$programs/f_count_calls.f90" $level 3
    case_ "diagonals, each iteration at $level" each "$programs/f_count_diagonals.f90" $level 3
    case_ "callbacks, each iteration at $level" each "$programs/count_callback.c" $level 3
done
for n in 4 64; do
    case_ "nests in C, $n ranks" agree "$programs/count_nests.c" "$n" 150 4
    case_ "nests in Fortran, $n ranks" agree "$programs/f_count_nests.f90" "$n"
    case_ "patches, $n ranks" agree "$programs/count_patches.c" "$n"
    case_ "cells, $n ranks" agree "$programs/f_count_cells.f90" "$n"
    case_ "calls in C, $n ranks" agree "$programs/count_calls.c" "$n"
    case_ "calls in Fortran, $n ranks" agree "$programs/f_count_calls.f90" "$n"
    case_ "diagonals, $n ranks" agree "$programs/f_count_diagonals.f90" "$n"
    case_ "callbacks, $n ranks" agree "$programs/count_callback.c" "$n"
done
case_ "rows, 4 ranks" agree "$programs/count_rows.c" 4
equal "what count_rows.slice does not count" '63 79 ' "$(not_counted count_rows.slice)"
must rm count_rows.slice
with=$with=all
case_ "all rows, 4 ranks" agree "$programs/count_rows.c" 4
equal "what count_rows.slice does not count where all may come back" '63 79 ' "$(not_counted count_rows.slice)"
must rm count_rows.slice
with=${with%all}setup
case_ "rows of the set-up, 4 ranks" agree "$programs/count_rows.c" 4
with=${with%=setup}
equal "what count_rows.slice does not count where the set-up comes back" '63 79 92 ' "$(not_counted count_rows.slice)"
equal "what count_nests.slice does not count" '40 52 66 69 79 86 ' "$(not_counted count_nests.slice)"
equal "what f_count_nests.slice does not count" '' "$(not_counted f_count_nests.slice)"
equal "what count_patches.slice does not count" '' "$(not_counted count_patches.slice)"
equal "what f_count_cells.slice does not count" '' "$(not_counted f_count_cells.slice)"
equal "what count_calls.slice does not count" '' "$(not_counted count_calls.slice)"
equal "what f_count_calls.slice does not count" '' "$(not_counted f_count_calls.slice)"
equal "what f_count_diagonals.slice does not count" '' "$(not_counted f_count_diagonals.slice)"
equal "what count_callback.slice does not count" '12 20 ' "$(not_counted count_callback.slice)"
equal "the original counts all" '' "$(not_counted count_nests.original)"

# Loops come back if they are known to take few turns: of 200,000 rows, none does.
must commslice-mpicc -O2 -g -DROWS=200000 $with -o many.slice "$programs/count_rows.c"
must commslice run -q --force --stdout drop -n 2 -o many.s ./many.slice
equal "what is not counted of 200,000 rows" '31 33 51 63 79 92 ' "$(not_counted many.slice)"

# One rank by hand: sums of the triangles at lines 34 and 36, for 4 steps, with n = 10 on one rank.
both "$programs/count_nests.c" 1 10 4 || fail "cannot run count_nests on one rank"
iterations() { commslice info --counters --json "$1" | jq -c ".counters[] | select(.line == $2) | .iterations"; }
for t in count_nests.o count_nests.s; do
    equal "$t: j from i to 9, for i from 0 to 9" '[220]' "$(iterations $t 34)"
    equal "$t: j to i, for i from 0 to 9" '[220]' "$(iterations $t 36)"
    equal "$t: j to i - 4, for i from 0 to 9" '[84]' "$(iterations $t 38)"
    equal "$t: the loop in main" '[4]' "$(iterations $t 127)"
done
expect "info prints them" 0 '^ *220 *220 *220  count_nests.c:34 in triangles$' commslice info --counters count_nests.s
expect "info says what is not counted" 0 '^  count_nests.c:52 in changing$' commslice info --counters count_nests.s

# Where one turn runs for all, its counters count as often.
again() { # SOURCE RANKS ARGUMENT LOOPS
    name=$(basename "${1%.*}")
    both "$1" "$2" "$3" && COMMSLICE_NO_REPEAT=1 commslice run -q --force --stdout drop -n "$2" -o "$name.all" ./"$name.slice" "$3" &&
        COMMSLICE_REPEAT_FROM=1 commslice run -q --force --stdout drop -n "$2" -o "$name.s" ./"$name.slice" "$3" || return 1
    [ "$(commslice info --json "$name.slice" | jq '[.loops[] | select(.one_turn or .compared)] | length')" -ge "$4" ] || return 1
    for t in o all; do commslice diff "$name.$t" "$name.s" && "$top/tests/same-counters" "$name.$t" "$name.s" || return 1; done
}
repeated=$top/tests/programs/repeated
case_ "one turn for all" again "$repeated/repeat_loops.c" 3 23 5
case_ "one turn for all in Fortran" again "$repeated/f_repeat_loops.f90" 3 23 2
case_ "periods" again "$repeated/compare_loops.c" 3 40 3
case_ "loops in loops" again "$repeated/inner_counters.c" 3 40 2

# Without counters.
must commslice-mpicc -O2 -o plain "$programs/count_callback.c"
must commslice run -q --stdout drop -n 2 -o plain.trace ./plain
expect "a trace without counters" 2 'plain.trace: no counters: link with -fplugin-arg-commslice-counters' commslice info --counters plain.trace
expect "the option takes one value" 1 'option -fplugin-arg-commslice-counters=2 takes no value but setup and all' \
    commslice-mpicc -O2 $with=2 -o plain "$programs/count_callback.c"
finish
