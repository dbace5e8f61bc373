/* SPDX-License-Identifier: BSD-3-Clause
 * A log has, of each channel and each communicator that was used since a mark, what its counts were at that mark: at
 * most one entry for each mark. `since` is the newest mark for which there is one.
 *
 *     mark 1 | channel a: 5 | mark 2 | channel b: 0 | a: 7 |    mark 2 ends    ->    mark 1 | a: 5 | b: 0 | */
#include "commlib/check/channel_turns.h"

#include <assert.h>

#include "base/grow.h"
#include "base/modular.h"
#include "commlib/check/channel_internal.h"

/* A channel, or the collectives of a communicator, as it was when it was first used behind a mark. */
struct was {
    struct channel *channel;
    struct collectives *collectives;
    long since; /* of it, before */
    int64_t n;  /* of a channel: its unmarked messages */
    uint64_t hash;
};

static struct was *entry;
static size_t nentries, cap;
static long newest;  /* mark, 0: there is none */
static long unknown; /* of this mark and those before, entries are missing, as memory was out */

size_t cs_channel_turns_begin(long mark)
{
    assert(mark > newest);
    newest = mark;
    return nentries;
}

bool cs_channel_turns_known(long mark)
{
    return mark > unknown;
}

static void note(struct was was)
{
    if (CS_MAKE_ROOM(entry, nentries, cap))
        entry[nentries++] = was;
    else
        unknown = newest;
}

void cs_channel_turns_message(struct channel *c)
{
    if (c->since >= newest)
        return;
    note((struct was){.channel = c, .since = c->since, .n = c->n[0]});
    c->since = newest;
}

void cs_channel_turns_collective(struct collectives *c)
{
    if (c->since >= newest)
        return;
    note((struct was){.collectives = c, .since = c->since, .n = c->n, .hash = c->hash});
    c->since = newest;
}

static long *since_of(const struct was *w)
{
    return w->channel ? &w->channel->since : &w->collectives->since;
}

/* From last to first, as an older entry of the same channel has the last word. */
void cs_channel_turns_end(size_t began, long below)
{
    size_t n = began;
    assert(began <= nentries && below < newest);
    for (size_t i = nentries; i-- > began;)
        *since_of(&entry[i]) = entry[i].since < below ? below : entry[i].since;
    for (size_t i = began; i < nentries; i++)
        if (entry[i].since < below)
            entry[n++] = entry[i];
    nentries = n;
    newest = below;
}

/* ---- once more ---- */

/* The turn of a loop on one communicator: its calls were number `from` to to - 1. */
struct turn {
    int64_t from, to;
    uint64_t hash;              /* before it */
    struct cs_modular_map map;  /* what it makes of the hash */
    struct point tail[NPOINTS]; /* as it was behind the turn */
};

/* A call of a further turn: call number `at` is number `place` of its turn. */
struct place {
    int64_t at, place;
    uint64_t hash;  /* before its turn */
    uint64_t power; /* of the factor: as many as calls of the turn up to and with it */
};

static uint64_t power(int64_t n)
{
    return cs_modular_repeat((struct cs_modular_map){CS_COLLECTIVES_FACTOR, 0}, (uint64_t)n).factor;
}

static struct place find(const struct turn *t, int64_t at)
{
    int64_t length = t->to - t->from, turns = (at - t->from) / length, place = (at - t->from) % length;
    return (struct place){at, place, cs_modular_apply(cs_modular_repeat(t->map, (uint64_t)turns), t->hash),
                          power(place + 1)};
}

static void next(const struct turn *t, struct place *p)
{
    p->at++;
    p->power = cs_modular_times(p->power, CS_COLLECTIVES_FACTOR);
    if (++p->place < t->to - t->from)
        return;
    p->place = 0;
    p->power = CS_COLLECTIVES_FACTOR;
    p->hash = cs_modular_apply(t->map, p->hash);
}

/* The call, of which the turn had one like it. */
static struct point point_at(const struct turn *t, const struct place *p)
{
    int64_t like = t->from + p->place;
    if (like < t->to - NPOINTS)
        return (struct point){.site = -1, .mark = -1};
    struct point point = t->tail[like % NPOINTS];
    uint64_t further = cs_modular_times(p->power, cs_modular_minus(p->hash, t->hash));
    point.hash = cs_modular_plus(point.hash, further);
    return point;
}

static void fill_points(struct collectives *c, const struct turn *t, int64_t total)
{
    while ((total - 1) / c->stride >= NPOINTS)
        cs_collectives_thin(c);
    for (int64_t at = (c->n + c->stride - 1) / c->stride * c->stride; at < total; at += c->stride) {
        struct place p = find(t, at);
        c->point[at / c->stride] = point_at(t, &p);
    }
}

static void fill_tail(struct collectives *c, const struct turn *t, int64_t total)
{
    for (struct place p = find(t, c->n > total - NPOINTS ? c->n : total - NPOINTS); p.at < total; next(t, &p))
        c->tail[p.at % NPOINTS] = point_at(t, &p);
}

/* All as if the calls since `was` had been made so many more times. */
static void repeat_collectives(struct collectives *c, const struct was *was, int64_t times)
{
    struct turn t = {.from = was->n, .to = c->n, .hash = was->hash};
    int64_t total = c->n + (c->n - was->n) * times;
    if (total == c->n)
        return;
    t.map.factor = power(t.to - t.from);
    t.map.summand = cs_modular_minus(c->hash, cs_modular_times(t.map.factor, t.hash));
    memcpy(t.tail, c->tail, sizeof t.tail);
    fill_points(c, &t, total);
    fill_tail(c, &t, total);
    c->hash = cs_modular_apply(cs_modular_repeat(t.map, (uint64_t)times), c->hash);
    c->n = total;
}

void cs_channel_turns_again(size_t began, int64_t times)
{
    assert(cs_channel_turns_known(newest));
    for (size_t i = began; i < nentries; i++) {
        struct channel *c = entry[i].channel;
        if (c)
            c->n[0] += (c->n[0] - entry[i].n) * times;
        else
            repeat_collectives(entry[i].collectives, &entry[i], times);
    }
}
