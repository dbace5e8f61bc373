#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The check of what loops carry from turn to turn can fail: slices that do not tell the recorder one kind of it, on purpose, record something
# else than the slice that runs all turns. 99 of 100 of these faults have to be seen.
set -u
. "$(dirname "$0")/../frame.sh"
source=$top/tests/programs/repeated/compare_loops.c
export COMMSLICE_REPEAT_FROM=1

must commslice-mpicc -O2 -g -c -o object.o "$source"
commslice-mpicc -O2 -g -w -fplugin-arg-commslice-verbose -o slice object.o 2>verbose || die "the slice is not made"
kinds=$(sed -n 's/commslice: \([0-9]*\) kinds of things are told of turns/\1/p' verbose)
case_ "turns are compared" [ "${kinds:-0}" -gt 20 ]
COMMSLICE_NO_REPEAT=1 commslice run -q -n 2 -o all.trace ./slice
case_ "all is told: the same trace" sh -c 'commslice run -q -n 2 -o one.trace ./slice && commslice diff all.trace one.trace'

answers() { COMMSLICE_TURNS_LOG=$PWD/log "$@" >log.out 2>&1 && cat log.0 log.1; }
COMMSLICE_NO_REPEAT=1 answers commslice run -q -n 2 -o log.trace ./slice >none
answers commslice run -q -n 2 -o log.trace ./slice >told && answers commslice run -q -n 2 -o log.trace ./slice >again
case_ "the answers are written: none where all turns run, and each time the same" sh -c '[ ! -s none ] && [ "$(wc -l <told)" -gt 20 ] && cmp told again'

# Is it seen that kind N is not told?
is_seen() {
    must commslice-mpicc -O2 -g -w -fplugin-arg-commslice-test-overlook="$1" -o faulty object.o
    ! timeout 60 commslice run -q -n 2 -o faulty.trace ./faulty >/dev/null 2>&1 || ! commslice diff all.trace faulty.trace >/dev/null 2>&1
}
seen=0 k=1
while [ "$k" -le "$kinds" ]; do
    if is_seen "$k"; then seen=$((seen + 1)); else echo "kind $k of $kinds is not missed"; fi
    k=$((k + 1))
done
case_ "99 of 100 faults are seen: $seen of $kinds" [ $((100 * seen)) -ge $((99 * kinds)) ]
finish
