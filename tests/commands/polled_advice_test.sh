#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What commslice advise makes of a run of a program that polls: what it comes to as often as messages permit is another one the next time. A
# panel goes round a ring of ranks, which look for it between pieces of what they compute.
set -u
. "$(dirname "$0")/../frame.sh"
cat >ring.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WAITING, DONE, STEPS = 12, PIECES = 40, N = 3000 };

struct panel {
    int tag, n, from, to, root;
    double data[N];
};
static double a[N], b[N];
static int rank, size, slow;
static struct panel panel;

/* What data decides: how long a panel is, and which tag comes next. */
static int next_length(int step)
{
    double sum = 0;
    for (int i = 1; i < N; i++)
        a[i] = (a[i] + a[i - 1]) / 2 + drand48() / 7;
    for (int i = 0; i < N; i++)
        sum += a[i];
    return 100 + (int)(sum * 10) % 900 + step;
}

static int next_tag(int tag, int n)
{
    return tag > 90 ? 10 + n % 3 : tag + 1 + n % 5;
}

/* One look; the panel goes on to the next rank as soon as it is there. */
static void __attribute__((noinline)) progress(struct panel *p, int *state)
{
    int here;
    MPI_Status status;
    if (rank != p->root) {
        MPI_Iprobe(p->from, p->tag, MPI_COMM_WORLD, &here, &status);
        if (!here)
            return;
        MPI_Recv(p->data, p->n, MPI_DOUBLE, p->from, p->tag, MPI_COMM_WORLD, &status);
    }
    if (p->to != p->root)
        MPI_Send(p->data, p->n, MPI_DOUBLE, p->to, p->tag, MPI_COMM_WORLD);
    *state = DONE;
}

static void __attribute__((noinline)) compute(double *x, int piece)
{
    for (int i = 1 + piece; i < N; i++)
        x[i] = x[i] * 0.5 + x[i - 1] * 0.25 + piece;
    usleep(slow);
}

static void update(struct panel *p)
{
    int state = WAITING, piece = 0;
    while (state == WAITING) {
        compute(b, piece % PIECES);
        piece++;
        progress(p, &state);
    }
    for (; piece < PIECES; piece++)
        compute(b, piece);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    slow = argc > 1 ? atoi(argv[1]) : 0;
    srand48(7);
    panel.from = (rank + size - 1) % size;
    panel.to = (rank + 1) % size;
    panel.tag = 10;
    for (int step = 0; step < STEPS; step++) {
        panel.root = step % size;
        int length = next_length(step);
        MPI_Bcast(&length, 1, MPI_INT, panel.root, MPI_COMM_WORLD);
        int tag = next_tag(panel.tag, length);
        panel.n = length;
        panel.tag = tag;
        if (rank == panel.root)
            usleep(20 * slow);
        update(&panel);
    }
    if (rank == 0)
        printf("%g\n", a[100] + b[100]);
    MPI_Finalize();
    return 0;
}
END
line_of() { grep -nF -- "$1" ring.c | head -n 1 | cut -d: -f1; }
poll=$(line_of 'MPI_Iprobe(')
must "$MPICC" -O2 -g -o ring ring.c
must commslice-mpicc -O2 -g -o ring.slice ring.c
must commslice-mpicc -O2 -g -fplugin-arg-commslice-mode=original -o ring.tells ring.c
must commslice record -q --no-times --engine emulate -n 4 -o told.trace -- ./ring.tells 1000
expect "what goes with arrivals has no order" 0 "ring.c:$poll:tag was [0-9]* to [0-9]*, [0-9]* in the mean, [0-9]* times, as messages came; by rank" \
    commslice info told.trace
expect "what arrivals decide" 0 "ring.c:$(line_of 'while (state')=N was .*, by messages that came; by rank" commslice info told.trace
expect "what comes in the order of the program has one" 0 "ring.c:$(line_of 'int tag ='):tag was .* by rank [0-9]*," commslice info told.trace
must commslice advise --trace told.trace --output ring.assume ring.slice
polled="$poll\|$(line_of 'MPI_Recv(')\|$(line_of 'MPI_Send(')\|$(line_of 'while (state')\|$(line_of 'for (; piece')"
no_lists() { ! grep "ring.c:\($polled\)[:=].*iteration" ring.assume; }
case_ "no list of what a rank polls" no_lists
expect "a slice with that is linked" 0 '' commslice-mpicc -O2 -g -fplugin-arg-commslice-assume=ring.assume -o ring.small ring.c
# Polls are as many as there are; all else is the same, also where messages come at other times.
calls() { commslice print "$1" | grep -v MPI_Iprobe | sed 's/:[0-9]* / /; s/ (envelope sent)//; s/ at .*//'; }
as_original() { # ARGUMENT
    commslice record -q --no-times --engine emulate -n 4 -o a.trace -- ./ring "$1" &&
        timeout 60 commslice run -q -n 4 -o b.trace ./ring.small "$1" && calls a.trace >a.calls && calls b.trace >b.calls && diff a.calls b.calls
}
case_ "it runs, and does the same" as_original 1000
case_ "also where messages come at other times" as_original 0

finish
