/* SPDX-License-Identifier: BSD-3-Clause
 * Turns are compared with one that is further and further back (R. P. Brent, "An improved Monte Carlo factorization
 * algorithm", BIT 20, 1980): after 1, 2, 4, 8, ... turns another one takes its place. So a period is found that begins
 * late, or is long, with one turn in memory. All of a counter that is looked at is between what it was in that turn
 * and what it will be behind the last turn that is recorded at once; nothing that is seen may change in there. */
#include "commlib/turns/compared_turns.h"

#include <assert.h>
#include <string.h>

typedef cs_turns_number wide;

/* As good as no bound. */
#define FOR_EVER ((wide)1 << 62)
/* Where a rest would change, but not at the end of the loop: so many turns are worth stopping there, or this part of
 * all that are left. Else a longer period is waited for, at whose end it does not change. */
#define MANY 65536
#define PART 16

/* ---- what is told ---- */

static bool same_seen(const struct cs_turn_seen *a, const struct cs_turn_seen *b)
{
    return a->counter == b->counter && a->is == b->is && a->with == b->with && a->how == b->how;
}

static void see(struct cs_compared_turns *t, struct cs_turn_seen s)
{
    for (int i = 0; i < t->nseen; i++)
        if (same_seen(&t->seen[i], &s))
            return;
    if (t->nseen == CS_TURN_SEEN_MOST)
        t->lost = true;
    else
        t->seen[t->nseen++] = s;
}

static void count(struct cs_compared_turns *t, long number, long next, long step, long how)
{
    if (number != t->ncounters || number >= CS_TURNS_COUNTERS_MOST) {
        t->lost = true;
        return;
    }
    struct cs_turn_counter *c = &t->counter[t->ncounters++];
    c->now = cs_turns_in_type(next, how);
    c->step = cs_turns_in_type(step, how & ~CS_TURNS_UNSIGNED);
    c->how = how;
}

void cs_compared_tell(struct cs_compared_turns *t, long a, long b, long c, long how)
{
    switch (how & CS_TURNS_KINDS) {
    case CS_TURNS_COUNTER: count(t, a, b, c, how); break;
    case CS_TURNS_VALUE:
        if (t->nnow == CS_TURNS_VALUES_MOST)
            t->lost = true;
        else
            t->now[t->nnow++] = a;
        break;
    default: see(t, (struct cs_turn_seen){.counter = (int)a, .is = b, .with = c, .how = how});
    }
}

/* ---- for how long ---- */

static wide at_most(wide a, wide b)
{
    return a < b ? a : b;
}

/* How many turns the counter needs to come to `last`, which is not behind it, or further: it may not. */
static wide turns_to(const struct cs_turn_counter *c, wide last)
{
    wide way = c->step > 0 ? last - c->now : c->now - last, step = c->step > 0 ? c->step : -c->step;
    return way < 0 ? 0 : way / step;
}

/* A bound: what is less is on one side, all else on the other one. */
static wide turns_on_side(const struct cs_turn_counter *c, wide bound)
{
    if (c->step > 0)
        return c->was >= bound ? FOR_EVER : turns_to(c, bound - 1);
    return c->was < bound ? FOR_EVER : turns_to(c, bound);
}

/* The counter does not come to be x, and was not. */
static wide turns_without(const struct cs_turn_counter *c, wide x)
{
    if (c->step > 0)
        return x < c->was ? FOR_EVER : turns_to(c, x - 1);
    return x > c->was ? FOR_EVER : turns_to(c, x + 1);
}

static wide turns_compared(const struct cs_turn_counter *c, const struct cs_turn_seen *s)
{
    wide x = cs_turns_in_type(s->with, s->how);
    switch (cs_turns_cmp(s->how)) {
    case CS_TURNS_LT:
    case CS_TURNS_GE: return turns_on_side(c, x);
    case CS_TURNS_LE:
    case CS_TURNS_GT: return turns_on_side(c, x + 1);
    default: return turns_without(c, x);
    }
}

/* The first number from the counter's earlier value on, in its direction, that has the rest: below 0 there is none. */
static wide first_with_rest(const struct cs_turn_counter *c, wide by, wide rest)
{
    wide off = (c->was - rest) % by;
    if (off < 0)
        off += by;
    return c->step > 0 ? (off ? c->was + by - off : c->was) : c->was - off;
}

/* Rests below 0 are others. *soft: it ends where a rest would change. */
static wide turns_of_rest(const struct cs_turn_counter *c, const struct cs_turn_seen *s, bool *soft)
{
    wide by = cs_turns_in_type(s->with, s->how);
    bool below = c->was <= 0 && c->now <= 0;
    if (by <= 0 || (!below && (c->was < 0 || c->now < 0)))
        return 0;
    wide n = below == (c->step < 0) ? FOR_EVER : turns_to(c, 0);
    if ((c->now - c->was) % by == 0)
        return n;
    *soft = true;
    if ((s->how & CS_TURNS_KINDS) != CS_TURNS_REST_IS || below)
        return 0;
    if (s->is < 0 || s->is >= by)
        return n;
    wide first = first_with_rest(c, by, s->is);
    return first < 0 ? n : at_most(n, turns_without(c, first));
}

static wide turns_in_type(const struct cs_turn_counter *c)
{
    return turns_to(c, c->step > 0 ? cs_turns_highest(c->how) : cs_turns_lowest(c->how));
}

/* Has it gone all the way since then, and not wrapped around? What was seen of it is then between both. */
static bool goes_straight(const struct cs_turn_counter *c, int64_t turns)
{
    return c->step != 0 && c->now == c->was + turns * c->step;
}

/* For how many turns from now on all is seen as it was: at all, and up to where a rest would change. */
static void find_turns(const struct cs_compared_turns *t, wide *all, wide *soft)
{
    *all = *soft = FOR_EVER;
    for (int i = 0; i < t->ncounters; i++)
        *all = at_most(*all, goes_straight(&t->counter[i], t->turns) ? turns_in_type(&t->counter[i]) : 0);
    for (int i = 0; i < t->nseen; i++) {
        const struct cs_turn_seen *s = &t->seen[i];
        bool rest = (s->how & CS_TURNS_KINDS) != CS_TURNS_COMPARED, changes = false;
        if (s->counter < 0 || s->counter >= t->ncounters) {
            *all = 0;
            continue;
        }
        const struct cs_turn_counter *c = &t->counter[s->counter];
        wide n = rest ? turns_of_rest(c, s, &changes) : turns_compared(c, s);
        if (changes)
            *soft = at_most(*soft, n);
        else
            *all = at_most(*all, n);
    }
    *soft = at_most(*soft, *all);
}

static bool begins_alike(const struct cs_compared_turns *t)
{
    return t->has_was && !t->lost && t->nnow == t->nwas &&
           memcmp(t->now, t->was, (size_t)t->nnow * sizeof *t->now) == 0;
}

int64_t cs_compared_head(struct cs_compared_turns *t, int64_t *period)
{
    wide all, soft;
    t->turns++;
    if (!begins_alike(t) || t->ncounters == 0)
        return 0;
    *period = t->turns;
    find_turns(t, &all, &soft);
    if (soft < all && soft < MANY && soft * PART < all)
        return 0;
    return (int64_t)(soft / t->turns) * t->turns;
}

bool cs_compared_is_due(const struct cs_compared_turns *t)
{
    return !t->has_was || t->turns >= t->next;
}

void cs_compared_begin(struct cs_compared_turns *t, int64_t skipped)
{
    if (skipped)
        t->next = 1;
    else if (t->next < INT64_MAX / 2)
        t->next = t->has_was ? 2 * t->next : 1;
    for (int i = 0; i < t->ncounters; i++)
        t->counter[i].was = t->counter[i].now + skipped * t->counter[i].step;
    memcpy(t->was, t->now, (size_t)t->nnow * sizeof *t->now);
    t->nwas = t->nnow;
    t->has_was = true;
    t->lost = false;
    t->turns = t->nseen = 0;
}

void cs_compared_next(struct cs_compared_turns *t)
{
    t->ncounters = t->nnow = 0;
}
