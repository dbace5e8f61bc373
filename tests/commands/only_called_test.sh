#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The assumption called:FILE, for programs whose pointers take too long: an instrumented original tells what it calls, advise suggests it, the
# slice is without the other functions, and says where one is called all the same.
set -u
. "$(dirname "$0")/../frame.sh"
program=$top/tests/commands/styles.cpp
budget=-fplugin-arg-commslice-budget
compile() { commslice-mpicxx -O2 -g "$@" "$program"; }
record() { # TRACE PROGRAM ARGUMENTS...
    trace=$1
    shift
    commslice record -q --no-times --engine emulate -n 3 -o "$trace" -- "$@"
}
same() { # PROGRAM ARGUMENTS...: as the original on four ranks
    slice=$1
    shift
    commslice record -q --no-times --engine emulate -n 4 -o original.trace -- ./original "$@" &&
        commslice run -q -n 4 -o slice.trace "./$slice" "$@" && commslice diff original.trace slice.trace
}
kept() { commslice info "$1" | sed -n 's/ statements kept,.*//p' | sed 's/ of.*//'; }

must "$MPICXX" -O2 -g -o original "$program"
must compile -o whole $budget=none
must compile -o tells $budget=none -fplugin-arg-commslice-mode=original
must record fixed.trace ./tells
commslice info fixed.trace >fixed.info
calls() { grep -c '  called:_ZN5Fixed6amountEi 30 times$' fixed.info; }
equal "the run tells what was called" 1 "$(calls)"
equal "and not what was not" 0 "$(grep -c Adaptive fixed.info)"
expect "advise suggests it" 0 'called:FILE, which has what commslice info prints' commslice advise -o fixed.assume --trace fixed.trace whole
expect "as JSON" 0 '"assume": *"called:FILE"' commslice advise --json --trace fixed.trace whole
expect "the link says how many go" 0 '^commslice: assuming called:fixed.info ([1-9][0-9]* of [0-9]* functions are not called)$' \
    compile -o by_info -fplugin-arg-commslice-assume=called:fixed.info
must compile -o by_advice -fplugin-arg-commslice-assume=fixed.assume
must compile -o all_left $budget=none -fplugin-arg-commslice-assume=fixed.assume
case_ "the slice says it" sh -c "commslice info by_info | grep 'called:fixed.info'"
for slice in by_info by_advice all_left; do case_ "$slice: same" same $slice fixed; done
case_ "a slice of what was called is smaller" test "$(kept all_left)" -lt "$(kept whole)"
case_ "and one whose pointers are followed" test "$(kept by_info)" -lt "$(kept all_left)"
expect "another style is not there" 2 'the slice calls a function that no recorded run called' commslice run -n 3 -o other.trace ./by_info adaptive
expect "advise of the slice keeps to it" 0 "keeps $(kept all_left) of" sh -c 'commslice advise all_left; true'
must compile -o checked -fplugin-arg-commslice-mode=original -fplugin-arg-commslice-assume=fixed.assume
expect "it holds" 0 'called:fixed.assume violated 0 times' sh -c 'commslice record -q --engine emulate -n 3 -o t -- ./checked && commslice info t'
expect "it does not" 0 'called:fixed.assume violated [1-9]' sh -c 'commslice record -q --engine emulate -n 3 -o t -- ./checked adaptive; commslice info t'
expect "a file that tells nothing" 1 'does not say what was called' compile -o x -fplugin-arg-commslice-assume=called:"$program"
expect "no file" 1 'cannot read nowhere.info' compile -o x -fplugin-arg-commslice-assume=called:nowhere.info
expect "no name" 1 'give the name of a file' compile -o x -fplugin-arg-commslice-assume=called:
# Two runs on different numbers of ranks together.
must commslice record -q --no-times --engine emulate -n 2 -o two.trace -- ./tells adaptive
must commslice advise -o two.assume --trace fixed.trace --trace two.trace whole
must compile -o both_styles -fplugin-arg-commslice-assume=two.assume
for how in fixed adaptive; do case_ "two runs: $how" same both_styles $how; done
finish
