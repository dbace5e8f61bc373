/* SPDX-License-Identifier: BSD-3-Clause
 * How many turns of a counted loop are left. All is computed in numbers that no 64-bit type leaves. */
#include "api/repeated_turns.h"

#include <limits.h>

__extension__ typedef __int128 wide;

/* The low bits of x as a number of a type. */
static wide in_type(long x, int bits, bool is_unsigned)
{
    wide range = (wide)1 << bits, v = (wide)(unsigned long)x & (range - 1);
    return !is_unsigned && v >= range / 2 ? v - range : v;
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
    bool is_unsigned = how & CS_TURNS_UNSIGNED;
    if (bits < 1 || bits > 64)
        return 0;
    wide s = in_type(step, bits, false), from = in_type(first, bits, is_unsigned);
    if (s == 0)
        return 0;
    wide m = turns(from, s, in_type(bound, bits, is_unsigned), cs_turns_cmp(how)), end = from + m * s;
    wide low = is_unsigned ? 0 : -((wide)1 << (bits - 1)), high = low + ((wide)1 << bits) - 1;
    return end < low || end > high || m > LONG_MAX ? 0 : (long)m;
}
