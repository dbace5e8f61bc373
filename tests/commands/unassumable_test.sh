#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a recorded run tells and nobody can assume of the next one: when messages came, and the numbers of handles. commslice advise suggests
# nothing about them, and the slice that it advises has the trace of the original.
set -u
. "$(dirname "$0")/../frame.sh"

cat >polls.c <<'END'
#include <mpi.h>

static double found[100];

/* The position of the largest of some numbers that only a computation tells. */
static int search(int seed)
{
    int best = 0;
    for (int i = 1; i < 20000; i++)
        best = (seed * 31 + i * 7) % 97 > (seed * 31 + best * 7) % 97 ? i % 90 : best;
    return best;
}

int main(int argc, char **argv)
{
    int rank, size, polls = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int from = 1; rank == 0 && from < size; from++) {
        int n, done = 0;
        MPI_Request request;
        MPI_Irecv(&n, 1, MPI_INT, from, 0, MPI_COMM_WORLD, &request);
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            polls += !done;
        }
        MPI_Send(found, n, MPI_DOUBLE, from, polls > 1000000, MPI_COMM_WORLD);
    }
    if (rank > 0) {
        int n = search(rank);
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(found, 100, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
END
cat >handles.f90 <<'END'
program handles
  use mpi
  implicit none
  integer :: error, rank, size, pair, made, n, step
  double precision :: x(400)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call MPI_Type_contiguous(2, MPI_DOUBLE_PRECISION, made, error)
  pair = made
  call MPI_Type_commit(pair, error)
  x = [(mod(step * 7, 13) * 1d0, step = 1, 400)]
  do step = 1, 4
    x = x * 1.5d0
    made = count(x(:100) > 9d0)
    call MPI_Bcast(x, made, pair, 0, MPI_COMM_WORLD, error)
  end do
  call MPI_Finalize(error)
end program
END

advised() {  # FILE: records it, links it as advised and compares; prints what is assumed
    case $1 in *.c) link=commslice-mpicc ;; *) link=commslice-mpifort ;; esac
    name=${1%.*}
    {
        $link -O2 -g -fplugin-arg-commslice-mode=original -o "$name.original" "$1" && $link -O2 -g -o "$name" "$1" &&
            commslice record --engine emulate -n 4 -o "$name.trace" -- "./$name.original" &&
            commslice advise --trace "$name.trace" --output "$name.assume" "$name" &&
            $link -O2 -g -fplugin-arg-commslice-assume="$name.assume" -o "$name.slice" "$1" &&
            commslice run -n 4 -o "$name.slice.trace" "./$name.slice" && commslice diff "$name.trace" "$name.slice.trace"
    } >"$name.log" 2>&1 || { tail -n 3 "$name.log"; return 1; }
    grep -v '^#' "$name.assume"
}

only_about() {  # FILE WORDS: each assumption is about a line with one of these words
    assumed=$(advised "$1") || { echo "$assumed"; return 1; }
    [ -n "$assumed" ] || { echo "nothing is suggested"; return 1; }
    echo "$assumed" | cut -d: -f2 | sed 's/[.=].*//' | while read -r line; do
        sed -n "${line}p" "$1" | grep -Eq "$2" || { echo "assumed of line $line of $1"; return 1; }
    done
}
case_ "how often a loop polled" only_about polls.c 'MPI_Send|from < size|search|best|rank > 0'
case_ "which number a handle has" only_about handles.f90 'made = count|MPI_Bcast|do step'

finish
