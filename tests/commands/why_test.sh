#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commslice why: what it says of a chain in short, of steps that need not be so, and what it leaves out.
set -u
. "$(dirname "$0")/../frame.sh"

link() {  # NAME FLAGS...: of NAME.c
    name=$1
    shift
    commslice-mpicc -g "$@" -o "$name" "$name.c" 2>log || { cat log; die "$name.c does not link"; }
}
line_in() { grep -nF -- "$2" "$1" | head -n "${3:-1}" | tail -n 1 | cut -d: -f1; }
chain() { commslice why "${1%.c}" "$1:$(line_in "$1" "$2")" | tr -s ' \n' ' '; }

# A field that is filled again in a loop over its parts, inside a function that is given none of them: what was there
# before is not what is read.
cat >parts.c <<'END'
#include <mpi.h>
#include <stdlib.h>

struct part {
    double *u, *w;
} parts[4];
int nparts, size, fast;
double scale, level, some[100];

__attribute__((noinline)) static void make(double *u, double *w, int n)
{
    for (int i = 0; i < n; i++) {
        u[i] = i * scale;
        w[i] = i + level;
    }
}

__attribute__((noinline)) static void fill(double *u, const double *w, int n)
{
    for (int i = 0; i < n; i++)
        u[i] = w[i] * 0.5;
}

__attribute__((noinline)) static double weigh(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i];
    return sum;
}

__attribute__((noinline)) static void make_all(void)
{
    for (int i = 0; i < nparts; i++)
        make(parts[i].u, parts[i].w, size);
}

__attribute__((noinline)) static void fill_all(void)
{
    if (fast)
        for (int i = 0; i < nparts; i++)
            fill(parts[i].u, parts[i].w, size);
}

__attribute__((noinline)) static double weigh_all(void)
{
    double sum = 0;
    if (fast)
        for (int i = 0; i < nparts; i++)
            sum += weigh(parts[i].u, size);
    return sum;
}

int main(int argc, char **argv)
{
    double all = 0;
    MPI_Init(&argc, &argv);
    nparts = argc < 4 ? argc : 4;
    size = argc + 9;
    fast = argc > 1;
    for (int i = 0; i < 100; i++)
        some[i] = argc * 0.25;
    for (int i = 0; i < size; i++)
        if (i % 3 == argc)
            some[i] = 1;
    scale = argc * 3.0;
    level = argc * 2.0;
    for (int i = 0; i < nparts; i++) {
        parts[i].u = malloc(size * sizeof(double));
        parts[i].w = malloc(size * sizeof(double));
    }
    make_all();
    do {
        fill_all();
        level = level + 1;
        all += weigh_all() + some[nparts];
        MPI_Barrier(MPI_COMM_WORLD);
    } while (all < 1000);
    MPI_Finalize();
    return 0;
}
END
link parts -O1
all() { commslice why --all "${1%.c}" "$1:$(line_in "$1" "$2")" | tr -s ' \n' ' '; }
idle() { all parts.c 'u[i] = i * scale' | grep -F 'as u, which seems never to be what is read by'; }
alive() { chain parts.c 'w[i] = i + level' | grep -F 'in fill_all: fill(parts[i].u, parts[i].w, size);' && ! chain parts.c 'w[i] = i + level' | grep -F 'seems never'; }
case_ "filled again by calls in a loop of a function" idle
case_ "what is not" alive
short() { chain parts.c 'w[i] = i + level' | grep -F "in short: it may help to decide whether MPI_Barrier at parts.c:$(line_in parts.c 'MPI_Barrier') is called (by the condition at parts.c:$(line_in parts.c 'while (all'))"; }
doubt() { chain parts.c 'some[i] = argc' | grep -F 'it writes some, which may be read, or overwritten before, by' && chain parts.c 'some[i] = argc' | grep -F '"May be read":'; }
case_ "in short" short
case_ "what may have been overwritten" doubt

# One chain, unless more are asked for; what is written again and again from itself is said once.
cat >steps.c <<'END'
#include <mpi.h>
#include <stdio.h>

double step, most, near;

__attribute__((noinline)) static int turn(double now)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return now > 3;
}

__attribute__((noinline)) static void choose(double width)
{
    step = width;
    if (step > most)
        step = most;
    if (step < near)
        step = near;
}

int main(int argc, char **argv)
{
    double time = 0, width;
    MPI_Init(&argc, &argv);
    most = argc * 2.0;
    near = argc * 0.25;
    do {
        width = argc * 0.5 + time;
        choose(width);
        step = step * 0.5 + 1;
        MPI_Allreduce(MPI_IN_PLACE, &step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        time += step;
        printf("%g\n", time);
    } while (!turn(time));
    MPI_Finalize();
    return 0;
}
END
link steps -O1
surely() { chain steps.c 'width = argc' | grep -F 'in short: it helps to decide step, and so whether' && ! chain steps.c 'width = argc' | grep -F 'May be read'; }
one() { [ "$(commslice why steps "steps.c:$(line_in steps.c 'choose(width);')" | grep -c 'in short:')" -le 1 ]; }
case_ "what is sure" surely
case_ "one chain" one

# Not back to a store through the same pointer when a call has filled that array since.
cat >table.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *starts = malloc(size * sizeof(int)), *table = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++)
        table[i] = 0;
    table[rank] = argc * 5;
    MPI_Allreduce(table, starts, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        starts[i] = starts[i] > 9;
    MPI_Allreduce(starts, table, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < table[rank]; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
link table -O1
by_message() { chain table.c "table[rank] = argc" | grep -F "which may be read, or overwritten before, by"; }
case_ "what a call may have filled since" by_message

# A function whose control flow is not known is kept whole.
cat >labels.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    static void *const to[] = {&&more, &&done};
    double sum = 0;
    int i = 0;
    MPI_Init(&argc, &argv);
more:
    sum += i * 0.5;
    goto *to[++i > 9];
done:
    argv[0][0] = (char)sum;
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
link labels -O1
expect "a function that is kept whole" 0 'its function is kept whole: it has assembly, or goes to labels' \
    commslice why labels "labels.c:$(line_in labels.c 'sum += i')"
expect "what it communicates" 0 'it communicates, so every slice has it' commslice why labels "labels.c:$(line_in labels.c Barrier)"

finish
