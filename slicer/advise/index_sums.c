/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arithmetic of sums; index_sums.h. One with too many variables is lost, and so is what it is added to. */
#include "slicer/advise/index_sums.h"

struct cs_sum cs_sum_lost(void)
{
    return (struct cs_sum){.lost = true};
}

struct cs_sum cs_sum_number(int64_t x)
{
    return (struct cs_sum){.number = x};
}

void cs_sum_add_term(struct cs_sum *s, int sym, int64_t times)
{
    int i = 0;
    while (i < s->n && s->sym[i] != sym)
        i++;
    if (i == CS_SUM_TERMS) {
        s->lost = true;
        return;
    }
    s->times[i] = i < s->n ? s->times[i] + times : times;
    s->sym[i] = sym;
    s->n += i == s->n;
    if (s->times[i])
        return;
    s->n--;
    s->sym[i] = s->sym[s->n];
    s->times[i] = s->times[s->n];
}

struct cs_sum cs_sum_plus(struct cs_sum a, struct cs_sum b, int64_t times)
{
    a.lost |= b.lost;
    for (int i = 0; i < b.n && !a.lost; i++)
        cs_sum_add_term(&a, b.sym[i], times * b.times[i]);
    a.number += times * b.number;
    return a;
}

struct cs_sum_range cs_sum_plus_range(struct cs_sum_range a, struct cs_sum_range b, int64_t times)
{
    return (struct cs_sum_range){cs_sum_plus(a.lo, times > 0 ? b.lo : b.hi, times),
                                 cs_sum_plus(a.hi, times > 0 ? b.hi : b.lo, times)};
}

bool cs_sum_same(struct cs_sum a, struct cs_sum b)
{
    struct cs_sum by = cs_sum_plus(a, b, -1);
    return !by.lost && !by.n && !by.number;
}

bool cs_sum_is_more(const struct cs_sum *a, const struct cs_sum *b)
{
    struct cs_sum by = cs_sum_plus(*a, *b, -1);
    bool more = !by.lost && by.number > 0;
    for (int i = 0; i < by.n && more; i++)
        more = by.times[i] > 0;
    return more;
}
