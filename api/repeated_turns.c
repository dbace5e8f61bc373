/* SPDX-License-Identifier: BSD-3-Clause
 * How many turns of a counted loop are left. All is computed in numbers that no 64-bit type leaves. */
#include "api/repeated_turns.h"

#include <limits.h>

typedef cs_turns_number wide;

wide cs_turns_lowest(long how)
{
    return how & CS_TURNS_UNSIGNED ? 0 : -((wide)1 << (cs_turns_bits(how) - 1));
}

wide cs_turns_highest(long how)
{
    return cs_turns_lowest(how) + ((wide)1 << cs_turns_bits(how)) - 1;
}

/* From the low bits of x. */
wide cs_turns_in_type(long x, long how)
{
    wide range = (wide)1 << cs_turns_bits(how), v = (wide)(unsigned long)x & (range - 1);
    return v > cs_turns_highest(how) ? v - range : v;
}

/* The smallest m >= 0 with m * step >= distance, for a positive step. */
static wide steps(wide distance, wide step)
{
    return distance <= 0 ? 0 : (distance + step - 1) / step;
}

/* The turns up to the end of the loop, if nothing wraps around before; 0 if it never ends so. */
static wide turns(wide first, wide step, wide bound, enum cs_turns_while cmp)
{
    switch (cmp) {
    case CS_TURNS_LT: return step > 0 ? steps(bound - first, step) : 0;
    case CS_TURNS_LE: return step > 0 ? steps(bound + 1 - first, step) : 0;
    case CS_TURNS_GT: return step < 0 ? steps(first - bound, -step) : 0;
    case CS_TURNS_GE: return step < 0 ? steps(first - bound + 1, -step) : 0;
    case CS_TURNS_NE: return (bound - first) % step == 0 && (bound - first) / step > 0 ? (bound - first) / step : 0;
    }
    return 0;
}

long cs_turns_left(long first, long step, long bound, long how)
{
    int bits = cs_turns_bits(how);
    if (bits < 1 || bits > 64)
        return 0;
    wide s = cs_turns_in_type(step, how & ~CS_TURNS_UNSIGNED), from = cs_turns_in_type(first, how);
    if (s == 0)
        return 0;
    wide m = turns(from, s, cs_turns_in_type(bound, how), cs_turns_cmp(how)), end = from + m * s;
    return end < cs_turns_lowest(how) || end > cs_turns_highest(how) || m > LONG_MAX ? 0 : (long)m;
}
