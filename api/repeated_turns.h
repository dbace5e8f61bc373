/* SPDX-License-Identifier: BSD-3-Clause
 * Loops whose turns are all alike, but for a counter: a slice makes the first turn of such a loop, and asks the run
 * time how many more there are. That many are then recorded at once, and need not run.
 *
 *     mark = (*turns)(0, 0, 0, 0, CS_TURNS_BEGIN);     in front of the loop
 *     ... one turn, and i += step ...
 *     m = (*turns)(mark, i, step, bound, how);         at the end of the first turn; later ones pass a mark of 0
 *     i += m * step;                                   so that the loop's own test ends it
 *
 * `turns` is a variable of the program in the section .cs_turns. Before the recorder stores its own function there, it
 * has the address of labs(), which returns its first argument, 0. A mark of 0 means that nothing is to be repeated. */
#ifndef CS_REPEATED_TURNS_H
#define CS_REPEATED_TURNS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* With CS_TURNS_BEGIN: a new mark, or 0. Else: how many turns there are left, which are done with this call, or 0 to
 * make them. `first` is the counter's value in the next test of the loop; it and `bound` are sign-extended, or
 * zero-extended if they are unsigned. */
typedef long cs_turns_function(long mark, long first, long step, long bound, long how);

/* How a loop goes on, in a word: it does while the counter CMP the bound.
 *
 *     | 0 | kind : 3 bits | requests : 1 bit | unsigned : 1 bit | bits of the type : 7 bits | CMP : 3 bits |  */
#define CS_TURNS_BEGIN 0 /* no loop goes on so */
enum cs_turns_while { CS_TURNS_LT = 1, CS_TURNS_LE, CS_TURNS_GT, CS_TURNS_GE, CS_TURNS_NE };
#define CS_TURNS_UNSIGNED (1L << 10) /* what is compared has an unsigned type */
#define CS_TURNS_REQUESTS \
    (1L << 11) /* a turn keeps request handles in memory: it is like others only if there is no \
                  request when it begins and when it ends, and never was a persistent one */

/* Loops whose turns may be alike, which shows when they run. A turn depends on what it begins with, all of which is
 * told at the end of the turn before, and on what it sees of counters: how they compare with a value, and their rest.
 *
 *     mark = p(0, 0, 0, 0, WATCH)                           in front of the loop
 *         p(mark, counter, 0, x, COMPARED | how)            before the counter, by its number, is compared with x; or
 *         p(mark, counter, r, k, REST_IS)                   its rest by k with r, or
 *         p(mark, counter, 0, k, REST)                      anything is done with the rest
 *     p(mark, counter, i, step, COUNTER | how)              at the end of a turn: each counter in the next turn,
 *     p(mark, value, 0, 0, VALUE)                           each value that the next turn reads,
 *     m = p(mark, 0, 0, 0, HEAD), and all i += m * step     and then: so many further turns are recorded
 *
 * `how` has the bits of the type and whether it is unsigned: of x, and of the counter. */
enum cs_turns_kind {
    CS_TURNS_ONE = 0, /* all the above, of loops whose turns are alike for sure */
    CS_TURNS_WATCH = 1 << 12,
    CS_TURNS_COMPARED = 2 << 12,
    CS_TURNS_REST = 3 << 12,
    CS_TURNS_REST_IS = 4 << 12,
    CS_TURNS_COUNTER = 5 << 12,
    CS_TURNS_VALUE = 6 << 12,
    CS_TURNS_HEAD = 7 << 12,
    CS_TURNS_KINDS = 7 << 12
};
/* Of one loop: counters, and values. */
enum { CS_TURNS_COUNTERS_MOST = 8, CS_TURNS_VALUES_MOST = 96 };

/* The word; `bits`, of the type of the counter and of what it is compared with, are 8 to 64. */
static inline long cs_turns_how(enum cs_turns_while cmp, int bits, bool is_unsigned, bool requests)
{
    return (long)cmp | (long)bits << 3 | (is_unsigned ? CS_TURNS_UNSIGNED : 0) | (requests ? CS_TURNS_REQUESTS : 0);
}

static inline enum cs_turns_while cs_turns_cmp(long how)
{
    return (enum cs_turns_while)(how & 7);
}

static inline int cs_turns_bits(long how)
{
    return (int)(how >> 3 & 127);
}

/* A number of the word's type. */
__extension__ typedef __int128 cs_turns_number;
cs_turns_number cs_turns_in_type(long x, long how);
/* The smallest and the largest number of that type. */
cs_turns_number cs_turns_lowest(long how);
cs_turns_number cs_turns_highest(long how);

/* How many turns are left: the smallest m for which first + m * step CMP bound does not hold. 0 also where the loop
 * never ends so, or only after the counter has left the range of its type. */
long cs_turns_left(long first, long step, long bound, long how);

#ifdef __cplusplus
}
#endif

#endif
