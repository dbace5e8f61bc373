/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: wrapping_counters
 * about: loops with a counter beside the one that ends them, which leaves the range of its type and begins anew: what
 * about: was seen of it before that is not what is between the two values that it has in turns that are compared
 * args: 300
 * flags: -fwrapv
 * ranks: 2
 */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

static double field[64];

static void say(int n)
{
    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void upward(int n)
{
    unsigned char small = 253;
    unsigned short medium = USHRT_MAX - 5;
    unsigned large = UINT_MAX - 5;
    signed char number = 120;
    for (int i = 0; i < n; i++, small++)
        say(small >= 200 ? 1 : 2);
    for (int i = 0; i < n; i++, medium += 3)
        say(medium >= 60000 ? 3 : 4);
    for (int i = 0; i < n; i++, large++)
        say(large > 100 ? 5 : 6);
    for (int i = 0; i < n; i++, number++)
        say(number > 0 ? 7 : 8);
    say(small + medium);
}

static void downward(int n)
{
    unsigned char small = 3;
    unsigned long large = 4;
    for (int i = 0; i < n; i++, small -= 2)
        say(small % 7 == 1 ? 9 : small < 20 ? 10 : 11);
    for (int i = 0; i < n; i++, large--)
        say(large > 100 ? 12 : 13);
    say(small);
}

/* The counter that ends the loop: it comes to its bound only behind the wrap. */
static void to_the_end(int n)
{
    for (unsigned i = UINT_MAX - 20; i != (unsigned)n; i++)
        say(i > 50 ? 14 : 15);
    for (unsigned char i = 7; i != 6; i++)
        say((signed char)i > 5 ? 16 : 17);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 300;
    upward(n);
    downward(n);
    to_the_end(n);
    MPI_Finalize();
    return 0;
}
