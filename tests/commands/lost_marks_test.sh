#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A slice made by the plugin that has lost one mark never ends as if all were well: for each mark of two programs the run fails
# or the trace differs, and where a marked call meets an unmarked one of its channel, an error names both lines of the source.
set -u
. "$(dirname "$0")/../frame.sh"
export COMMSLICE_PATIENCE=2

link_slice() {  # OUTPUT FLAG...
    out=$1
    shift
    commslice-mpicc -g -O2 -w "$@" -o "$out" object.o >link.log 2>&1 || wrong "$name does not link with $*: $(tail -n 1 link.log)"
}

# The lines of calls of this program that an error names.
places() { grep -c "^commslice: error: .*marked .* at $name.c:[0-9]* (rank .*unmarked .* at $name.c:[0-9]* (rank" run.log; }

lose_each_mark() {  # NAME ENGINE: of a program whose marked and unmarked calls can meet
    name=$1 engine=$2 spoken=0
    commslice-mpicc -g -O2 -w -c -o object.o "$(program_file "$top/tests/programs" "$name")" || wrong "$name does not compile"
    link_slice good -fplugin-arg-commslice-verbose
    marks=$(sed -n 's/^commslice:.* \([0-9]*\) marks can be dropped/\1/p' link.log)
    timeout 20 commslice run --engine "$engine" -n 2 -o good.trace ./good >run.log 2>&1 || wrong "$name does not run: $(tail -n 1 run.log)"
    [ "${marks:-0}" -gt 1 ] || wrong "$name has ${marks:-no} marks"
    mark=0
    while [ "$mark" -lt "${marks:-0}" ]; do
        link_slice lost "-fplugin-arg-commslice-test-drop-mark=$mark"
        grep -q 'test build, not a slice' link.log || wrong "$name: the link does not say that mark $mark is lost"
        if timeout -k 2 20 commslice run --engine "$engine" -n 2 -o lost.trace ./lost >run.log 2>&1; then
            commslice diff good.trace lost.trace >/dev/null && wrong "$name: nobody noticed that mark $mark is lost"
        fi
        [ "$(places)" -eq 0 ] || spoken=$((spoken + 1))
        mark=$((mark + 1))
    done
    [ $spoken -gt 0 ] || wrong "$name: the channel check never spoke"
    echo "$name, $engine: ${marks:-0} marks lost, one at a time; the channel check spoke $spoken times"
}

for engine in mpich emulate; do
    check_ "each mark of channel_order, $engine" lose_each_mark channel_order $engine
    check_ "each mark of any_probe, $engine" lose_each_mark any_probe $engine
done

# Nothing is marked, so forked ranks do not wait for each other; what an object sends that commslice has not seen shows all the same.
cat >receives.c <<'END'
#include <mpi.h>
void other(int rank);
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) other(rank);
    if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
END
cat >sends.c <<'END'
#include <mpi.h>
void other(int rank) { MPI_Send(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); }
END
must "$MPICC" -c sends.c
must commslice-mpicc -w -c receives.c
must commslice-mpicc -w -o unseen receives.o sends.o
expect "what unseen code sends" 2 'such as at .*/unseen+0x' timeout 20 commslice run -n 2 --engine emulate -o unseen.trace ./unseen

# An unmarked receive takes what nobody has sent: the original waits for ever, and the slice says so, with or without marked calls
# beside it. A message that nobody receives is the program's error too, but its slice makes the same calls.
cat >alone.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, n = 0, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && LONELY == 1) MPI_Recv(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && LONELY == 2) MPI_Send(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    if (MARKED && rank == 0) MPI_Send(&argc, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    if (MARKED && rank == 1) {
        MPI_Recv(&n, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&n, n, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
END
must commslice-mpicc -w -g -DLONELY=1 -DMARKED=0 -o alone alone.c
expect "a receive of nothing" 2 'have no message that was sent' timeout 20 commslice run -n 2 --engine emulate -o alone.trace ./alone
must commslice-mpicc -w -g -DLONELY=1 -DMARKED=1 -o alone alone.c
expect "a receive of nothing, by its place" 2 'nobody sends what the unmarked receive at alone.c:7 (rank 1) takes' timeout 20 commslice run -n 2 --engine emulate -o alone.trace ./alone
must commslice-mpicc -w -g -DLONELY=2 -DMARKED=0 -o alone alone.c
expect "a message for nobody" 0 '1 messages were sent and never received' timeout 20 commslice run -n 2 --engine emulate -o alone.trace ./alone

# A number that no mark has, or no number, is an error and makes no slice.
refused() {  # OPTION
    rm -f lost
    commslice-mpicc -g -O2 -w "-fplugin-arg-commslice-$1" -o lost object.o >link.log 2>&1 && wrong "the link succeeds"
    grep -q 'commslice' link.log || wrong "no error of ours: $(head -n 1 link.log)"
}
for bad in test-drop-mark=999 test-drop-stmt=99999 test-drop-stmt=x test-drop-mark; do
    check_ "refused: $bad" refused $bad
done
finish
