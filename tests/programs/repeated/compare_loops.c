/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: compare_loops
 * about: loops whose turns the slice compares as they run: output in every k-th step, flags, buffers that change
 * about: places, numbers that settle, in variables and in memory, with ends in the middle and counters that change sign
 * args: 90
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static double field[64];
static int shared, every = 25, table[4] = {1, 2, 3, 4};
static struct {
    short phase;
    char of[3];
} state = {0, {4, 5, 6}};

static void say(int n)
{
    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void toggle(void)
{
    static bool odd;
    odd = !odd;
    shared = 3 - shared;
    say(odd ? 1 : 2 + shared);
}

/* What a turn sees of its counter: rests by constants and by variables, and one step that is not like others. */
static void by_counter(int n)
{
    for (int i = 0; i < n; i++)
        if (i % 10 == 3)
            say(1);
        else
            say(2);
    for (int i = 1; i <= n; i++) {
        say(3);
        if (i % every == 0 || i == n)
            say(4);
    }
    for (int i = n; i > -n; i--) /* the rest of what is below 0 is another one */
        switch (i % 4) {
        case 1: say(5); break;
        case -1: say(6); break;
        case 2: say(7); break;
        default: say(8);
        }
    for (unsigned i = (unsigned)n; i != 0; i--)
        say(i == 40 ? 9 : i < 12 ? 10 : (i & 6) == 4 ? 11 : 12);
    for (signed char i = 0; i < 100; i += 3)
        say(i >= 60 && i % 2 ? 13 : 14);
}

/* Values that go from turn to turn: they alternate, change places, settle, or never do. */
static void by_value(int n)
{
    bool odd = false;
    int a = 1, b = 2, c = 3, k = 4;
    double x = 1;
    for (int i = 0; i < n; i++) {
        say(odd ? 15 : 16);
        odd = !odd;
    }
    for (int i = 0; i < n; i++) {
        int t = a;
        say(a);
        a = b, b = c, c = t;
    }
    for (int i = 0; i < n; i++) {
        say(k);
        if (k < 9)
            k++;
    }
    for (int i = 0; i < n; i++) {
        say(x > 30 ? 17 : 18);
        x = x < 100 ? x * 1.5 : x;
    }
    for (int i = 0; i < n; i++) {
        say(k);
        k = (k * 7 + 3) % 31;
    }
    for (int i = 0; i < n; i++) {
        say(19);
        if (k++ > 5 * n / 4)
            break;
    }
    say(k);
}

/* The same in memory, of this function and of others. */
static void by_memory(int n)
{
    int own[2] = {1, 2}, *p = &own[0];
    for (int i = 0; i < n; i++)
        toggle();
    for (int i = 0; i < n; i++) {
        say(table[2]);
        int t = table[0];
        table[0] = table[1], table[1] = table[2], table[2] = t;
    }
    for (int i = 0; i < n; i++) {
        say(state.of[state.phase]);
        state.phase = state.phase == 2 ? 0 : state.phase + 1;
    }
    for (int i = 0; i < n; i++) {
        say(p == own ? own[1] + 8 : own[1]);
        p = p == own ? own + 1 : own;
        *p = *p < 7 ? *p + 1 : 7;
    }
}

/* Periods in periods, and ones that a loop around cuts. */
static void nests(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i % 3 + 2; j++)
            say(j == 1 ? 20 : 21);
        for (int j = 0; j < n / 4; j++)
            if (j % 5 == i % 2)
                say(22);
        if (i > n - 3)
            say(23);
    }
    int i = 0;
    do {
        say(24);
        if (shared == 99)
            return;
    } while (++i < n);
    say(i);
}

int main(int argc, char **argv)
{
    int n = 90;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        sscanf(argv[1], "%d", &n);
    by_counter(n);
    by_value(n);
    by_memory(n);
    nests(n);
    MPI_Finalize();
    return 0;
}
