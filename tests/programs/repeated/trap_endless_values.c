/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_endless_values
 * about: loops with a variable in memory that goes on by the same in each turn, so that no turn begins as another one
 * about: did; and ones where that only looks so: it comes round, is set back, goes on in some turns, or is put back
 * args: 60
 * flags: -fwrapv
 * ranks: 2
 */
#include <mpi.h>
#include <stdlib.h>

static double field[64];
static int steps, quarter, some, back, shown;
static unsigned char small = 250;
static struct {
    int before, now;
} pair;

static void say(int n)
{
    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void go_on(void)
{
    quarter += 1 << 30;
}

/* All turns of these two run. */
static void endless(int n)
{
    for (int i = 0; i < n; i++) {
        say(steps);
        steps += 3;
    }
    for (int i = 0; i < n; i++) {
        say(pair.now - pair.before);
        pair.before = pair.now / 2;
        pair.now++;
    }
}

static void round_and_round(int n)
{
    for (int i = 0; i < n; i++) {
        say(quarter < 0 ? 1 : quarter > 0 ? 2 : 3);
        go_on();
    }
    for (int i = 0; i < n; i++) {
        say(quarter < 0 ? 4 : 5);
        quarter += 1 << 30;
    }
    for (int i = 0; i < 20 * n; i++) {
        say(small > 252 ? 6 : small == 77 ? 7 : 8);
        small++;
    }
    for (int i = 0; i < n; i++) {
        say(back + 9);
        back++;
        if (back == 3)
            back = 0;
    }
    for (int i = 0; i < n; i++) {
        say(some + 13);
        if (some < 4)
            some++;
    }
    for (int i = 0; i < n; i++) {
        shown += 5;
        say(shown);
        shown = i % 3;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 60;
    endless(n);
    round_and_round(n);
    MPI_Finalize();
    return 0;
}
