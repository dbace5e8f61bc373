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
case_ "no answers are written where all turns run" sh -c 'COMMSLICE_NO_REPEAT=1 COMMSLICE_TURNS_LOG=$PWD/log commslice run -q -n 2 -o log.trace ./slice && ! ls log.[01]'
answers commslice run -q -n 2 -o log.trace ./slice >told && answers commslice run -q -n 2 -o log.trace ./slice >again
case_ "the answers are written, each time the same" sh -c '[ "$(wc -l <told)" -gt 20 ] && cmp told again'

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

# The script that does so for many programs: of trap_empty one thing is told. A folder where a log would be, so that there is none.
overlooked() { "$top/tests/overlooked.sh" -B "$build" -w w "$@"; }
expect "overlooked.sh: a fault is noticed" 0 'of the others, 1 of 1 are noticed, 100.0 %' overlooked -k trap_empty
rm w/trap_empty/log.1 && mkdir w/trap_empty/log.1
expect "overlooked.sh fails without answers" 1 'rank 1 writes no log of turns: Is a directory: ' overlooked -k trap_empty
expect "overlooked.sh fails without loops" 1 'no loop is compared' overlooked -k no_such_program
cat >few.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int v = argc, field[8];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1 + argc; i++) {
        MPI_Bcast(field, v, MPI_INT, 0, MPI_COMM_WORLD);
        v = (v + 1) % 5;
    }
    MPI_Finalize();
    return 0;
}
END
# In place of the compiler of random programs; it gets -O1 -o OUTPUT. Two turns have no period.
printf '#!/bin/sh\nprintf "#!/bin/sh\\ncat %s\\n" >"$3" && chmod +x "$3"\n' "$dir/few.c" >cc && chmod +x cc
expect "overlooked.sh fails where all faults are the same" 1 '2 decide nothing; of the others, 0 of 0' env CC="$dir/cc" "$top/tests/overlooked.sh" -B "$build" -w w -k '' -n 1 -l 0
finish
