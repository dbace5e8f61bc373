#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a recorded run tells and nobody can assume of the next one: when messages came, the numbers of handles, what several runs give no rule
# for, lists for what has no order. commslice advise suggests nothing about them, and the slice that it advises has the original's trace.
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
    case $1 in *.c) link=commslice-mpicc ;; *.cpp) link=commslice-mpicxx ;; *) link=commslice-mpifort ;; esac
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
cat >instances.cpp <<'END'
#include <mpi.h>
static double x[100];
static int sum(int n)
{
    int all = 0;
    MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}
template <class Test> static int until(Test more)
{
    int k = 0;
    while (more(k))
        k++;
    return k;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int a = 0, b = 0;
    for (int i = 1; i < 100; i++)
        x[i] = x[i - 1] * 0.5 + i % 7;
    a = until([](int k) { return sum((int)(x[k + 50] * 10) % 90) > 8 && k < 40; });
    b = until([](int k) { return sum((int)(x[k + 20] * 10) % 5) > 7; });
    MPI_Bcast(x, a + b + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
END
cat >recursion.c <<'END'
#include <mpi.h>
static double x[1000];
static int leaves, four;
static void walk(int depth)
{
    int k = 0;
    if (depth == 0) {
        leaves++;
        return;
    }
    while (k < four) {
        k++;
        walk(depth - 1);
    }
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 1; i < 1000; i++)
        x[i] = x[i - 1] * 0.5 + i % 7;
    four = x[999] > 0 ? 4 : 3;
    MPI_Allreduce(MPI_IN_PLACE, &four, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    walk(3);
    MPI_Bcast(x, leaves, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
cat >sizes.c <<'END'
#include <mpi.h>
static double x[1000];
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; step++) {
        for (int i = 1; i < 1000; i++)
            x[i] = (x[i - 1] * 31 + i * 7 + rank * 17 + step * size) - 97 * (int)((x[i - 1] * 31 + i * 7 + rank * 17 + step * size) / 97);
        MPI_Bcast(x, (int)x[900] % 90 + 1, MPI_DOUBLE, 0, MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
END
case_ "how often a loop polled" only_about polls.c 'MPI_Send|from < size|search|best|rank > 0'
case_ "which number a handle has" only_about handles.f90 'made = count|MPI_Bcast|do step'

# Where something is suggested, it holds; that nothing is, is right, too.
holds() {  # FILE
    advised "$1" >advised.log && return 0
    grep -q 'makes it much smaller' "${1%.*}.log" || { cat advised.log; return 1; }
}
case_ "a loop of two instances of a template" holds instances.cpp
case_ "a loop of a function that calls itself" holds recursion.c

no_rule() {  # what two runs give no rule for is not in the file
    commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o sizes.original sizes.c && commslice-mpicc -O2 -g -o sizes sizes.c &&
        commslice record --engine emulate -n 3 -o sizes.3.trace -- ./sizes.original &&
        commslice record --engine emulate -n 5 -o sizes.5.trace -- ./sizes.original || return 1
    commslice advise --trace sizes.3.trace --trace sizes.5.trace --output sizes.assume sizes
    [ ! -e sizes.assume ] || ! grep '=N$' sizes.assume
}
case_ "counts of which two runs give no rule" no_rule

finish
