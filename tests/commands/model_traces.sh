# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Traces made by hand, for tests of predictions: sourced behind frame.sh.

# make_trace FILE: of the lines on standard input.
make_trace() { rm -f "$1"; "$build/tests/unit/trace_make" "$1"; }

# short_message_trace FILE: 800 bytes of rank 0 for rank 1, which waits for them.
short_message_trace() {
    make_trace "$1" <<'X'
ranks 2
0 MPI_Init
0 MPI_Send 100 d1 1 7 world
0 MPI_Finalize
1 MPI_Init
1 MPI_Recv 200 d1 0 7 world
1 MPI_Finalize
X
}

# counted FILE RANKS SIZE TIMES: a program that goes 10 times through a loop of SIZE / RANKS turns of 2 ns, and 100 ns more.
counted() {
    {
        echo "ranks $2"
        [ "$4" = no ] || echo times
        r=0
        while [ $r -lt "$2" ]; do
            turns=$(($3 / $2 * 10))
            printf '%d MPI_Init @ app.c:1\n%d MPI_Barrier world @ app.c:2\n%d MPI_Finalize @ app.c:3\n' $r $r $r
            echo "segment $r app.c:1 app.c:2 1 $((turns * 2 + 100)) app.c:9=$turns app.c:8=10"
            echo "segment $r app.c:2 app.c:3 1 50"
            r=$((r + 1))
        done
    } | make_trace "$1"
}
