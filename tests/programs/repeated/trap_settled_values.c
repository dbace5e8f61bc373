/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_settled_values
 * about: values that no turn of a loop changes again, once one has set them, in a loop that is entered again and again;
 * about: such ones that a loop around changes; and numbers that go on in a type that is larger, or smaller
 * args: 60
 * flags: -fwrapv
 * ranks: 2
 */
#include <mpi.h>
#include <stdlib.h>

static double field[64];

static void say(int n)
{
    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* Only the first turn of each inner loop is another one. */
static void by_turn(int n, int last)
{
    int set = 5;
    for (int i = 0; i < n; i++) {
        int first = i % 2 * 3, kept = i % 2;
        for (int k = 0; k < n / 2; k++) {
            say(first + 1);
            first = 7;
        }
        for (int k = 0; k < n / 2; k++) {
            say(kept + 9);
            kept = last;
        }
        for (int k = 0; k < n / 4; k++) { /* `set` settles here, in the loop around it does not */
            say(first = set);
            first = last;
        }
        set = set > 10 ? 1 : set + 1;
    }
}

/* What comes over the edge back is one of two constants, or of two values of before the loop. */
static void by_branch(int n, int one, int two)
{
    int which = 1, a = one, b = one, c = two;
    for (int i = 0; i < n; i++) {
        say(which + 14);
        which = which == 3 || i == n / 2 ? 2 : 3;
    }
    for (int i = 0; i < n; i++) {
        say(a + 17);
        a = a == one ? two : one;
    }
    for (int i = 0; i < n; i++) { /* b is c, which is another one's */
        say(b + 20);
        b = c;
        c = i == n / 2 ? one : two;
    }
}

static void by_type(int n)
{
    unsigned short large = 65530;
    signed char number = 100;
    int small = 250, both = 0;
    for (int i = 0; i < 4 * n; i++, large += 3)
        say(large >= 65532 || large == 70 ? 1 : large > 300 ? 2 : 3);
    for (int i = 0; i < 4 * n; i++, number += 5)
        say(number > 110 ? 4 : 5);
    for (int i = 0; i < 20 * n; i++, small = (unsigned char)(small + 1)) /* comes round and round */
        say(small == 250 ? 6 : small > 240 ? 7 : 8);
    for (int i = 0; i < 4 * n; i++, both = (short)(both + 4096)) /* below 0 in the end */
        say(both > 20000 ? 9 : both < 0 ? 10 : 11);
    for (unsigned char i = 9; i != 8; i++) /* its sign changes in between */
        say((signed char)i > 5 ? 12 : 13);
    say(large + number);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 60;
    by_turn(n, n / 30);
    by_branch(n, n / 60, n / 20);
    by_type(n);
    MPI_Finalize();
    return 0;
}
