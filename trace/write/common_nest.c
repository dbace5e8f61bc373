/* SPDX-License-Identifier: BSD-3-Clause
 * See common_nest.h. The streams are unrolled together, symbol by symbol. Where each of them is somewhere inside of a
 * loop with turns of the same length, all have the same to do again: one turn is unrolled, and the others are that
 * turn again, as many as the stream has left that leaves its loop first.
 *
 *     stream 0:  a b b b c | a b b b c | a b b b c           a 3x(b) c, 3 times
 *     stream 1:  a b b d c | a b b d c | a b b d c           a 2x(b) d c, 3 times
 *     common:    A 2x(B) D C, 3 times                        A: a a, B: b b, D: b d, C: c c  */
#include "trace/write/common_nest.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/table.h"
#include "trace/format/format.h"
#include "trace/format/item.h"
#include "trace/format/online_fold.h"

#define MOST_PERIODS 8 /* lengths of turns that are tried at a place */

/* A level of the loops that a stream is in. Level 0 is the stream itself, of one turn. */
struct level {
    const uint32_t *item;
    uint32_t n, at;         /* items of the body; the one that is next */
    uint64_t done, count;   /* whole turns, of how many */
    uint64_t events, start; /* events of a turn; where in the stream the loop begins */
};

/* A stream while it is unrolled: what comes next is a symbol of the innermost level. */
struct place {
    const struct cs_loaded_stream *s;
    struct level level[CS_LOOPS_DEPTH + 2];
    int depth; /* levels, 0 at the end */
};

/* All streams, `at` events after their beginning. */
struct unrolling {
    struct cs_common_nest *out;
    struct place *place;
    uint32_t n;
    uint64_t at, steps, most_steps;
    struct cs_loops fold;
    struct cs_table symbols; /* of the nest, by what they stand for */
    bool failed;             /* no common nest is to be had; no memory: fold.err */
};

void cs_common_nest_free(struct cs_common_nest *c)
{
    free(c->symbol);
    cs_bytes_free(&c->items);
    *c = (struct cs_common_nest){0};
}

/* ---- one stream ---- */

/* Goes on to the next symbol: leaves loops that are at their end, enters those that come next. */
static void settle(struct place *p, uint64_t now)
{
    while (p->depth) {
        struct level *l = &p->level[p->depth - 1];
        if (l->at == l->n && ++l->done < l->count)
            l->at = 0;
        if (l->at == l->n) {
            if (--p->depth)
                l[-1].at++;
            continue;
        }
        uint32_t item = l->item[l->at];
        if (!cs_item_is_loop(item))
            return;
        const struct cs_loaded_loop *in = &p->s->loop[cs_item_number(item)];
        assert(p->depth < CS_LOOPS_DEPTH + 2);
        p->level[p->depth++] = (struct level){p->s->arena + in->first, in->n, 0, 0, in->count, in->events, now};
    }
}

/* How often a stream does the next `period` events again and again: in a loop whose turns these are, or several. */
static uint64_t turns_of(const struct place *p, uint64_t period, uint64_t now)
{
    for (int k = 1; k < p->depth; k++) {
        const struct level *l = &p->level[k];
        uint64_t left = l->start + l->count * l->events - now;
        if (period % l->events == 0 && left / period >= 2)
            return left / period;
    }
    return 0;
}

/* Does what turns_of() says, that many times. */
static void jump(struct place *p, uint64_t period, uint64_t turns, uint64_t now)
{
    int k = 1;
    while (period % p->level[k].events != 0 ||
           p->level[k].start + p->level[k].count * p->level[k].events - now < period * turns)
        k++;
    assert(k < p->depth);
    struct level *l = &p->level[k];
    l->done += period / l->events * turns;
    for (int i = k + 1; i < p->depth; i++)
        p->level[i].start += period * turns;
    if (l->done < l->count)
        return;
    assert(l->done == l->count); /* so it was at the start of a turn */
    p->depth = k;
    l[-1].at++;
    settle(p, now + period * turns);
}

/* ---- all of them ---- */

/* Lengths of turns that loops have in which some stream is, longest first. */
static int periods_here(const struct unrolling *u, uint64_t most, uint64_t period[MOST_PERIODS])
{
    int n = 0;
    for (uint32_t i = 0; i < u->n; i++)
        for (int k = 1; k < u->place[i].depth; k++) {
            uint64_t p = u->place[i].level[k].events;
            int at = n;
            while (at > 0 && period[at - 1] < p)
                at--;
            if (p > most || (at > 0 && period[at - 1] == p) || at == MOST_PERIODS)
                continue;
            n += n < MOST_PERIODS;
            memmove(period + at + 1, period + at, (size_t)(n - 1 - at) * sizeof *period);
            period[at] = p;
        }
    return n;
}

/* The longest turns that all streams repeat from here on, within the next `most` events; how many, 0: none. */
static uint64_t common_turns(const struct unrolling *u, uint64_t most, uint64_t *length)
{
    uint64_t period[MOST_PERIODS];
    int n = periods_here(u, most / 2, period);
    for (int k = 0; k < n; k++) {
        uint64_t turns = most / period[k];
        for (uint32_t i = 0; i < u->n && turns >= 2; i++) {
            uint64_t its = turns_of(&u->place[i], period[k], u->at);
            turns = its < turns ? its : turns;
        }
        *length = period[k];
        if (turns >= 2)
            return turns;
    }
    return 0;
}

static uint32_t hash_of(const void *common, uint32_t symbol)
{
    const struct cs_common_nest *c = common;
    return (uint32_t)cs_trace_hash(c->symbol + (size_t)symbol * c->nstreams, c->nstreams * sizeof *c->symbol);
}

/* Are the last numbers in out->symbol symbols that differ in values alone? */
static bool are_alike(const struct unrolling *u, const uint32_t *number)
{
    const struct cs_symbol *a = &u->place[0].s->symbols.symbol[number[0]];
    bool alike = true;
    for (uint32_t i = 1; i < u->n && alike; i++) {
        const struct cs_symbol *b = &u->place[i].s->symbols.symbol[number[i]];
        alike = a->call == b->call && a->site == b->site && a->mark == b->mark && a->nfields == b->nfields;
    }
    return alike;
}

/* The symbol for what comes next in all streams; CS_NO_SYMBOL: there is none, or no memory. */
static uint32_t common_symbol(struct unrolling *u)
{
    struct cs_common_nest *c = u->out;
    if (!CS_MAKE_ROOM_FOR(c->symbol, ((size_t)c->nsymbols + 1) * u->n, c->symbol_cap) ||
        !cs_table_reserve(&u->symbols, hash_of, c)) {
        u->fold.err = ENOMEM;
        return CS_NO_SYMBOL;
    }
    uint32_t *number = c->symbol + (size_t)c->nsymbols * u->n, hash;
    for (uint32_t i = 0; i < u->n; i++) {
        const struct level *l = &u->place[i].level[u->place[i].depth - 1];
        number[i] = cs_item_number(l->item[l->at]);
    }
    hash = hash_of(c, c->nsymbols);
    int64_t known;
    for (uint32_t at = cs_table_first(&u->symbols, hash); (known = cs_table_at(&u->symbols, at)) >= 0;
         at = cs_table_next(&u->symbols, at))
        if (memcmp(c->symbol + (size_t)known * u->n, number, u->n * sizeof *number) == 0)
            return (uint32_t)known;
    if (!are_alike(u, number) || c->nsymbols >= CS_EPOCH_SYMBOLS)
        return CS_NO_SYMBOL;
    cs_table_put(&u->symbols, hash, c->nsymbols);
    return c->nsymbols++;
}

static void one_symbol(struct unrolling *u)
{
    u->steps += u->n;
    uint32_t symbol = u->steps > u->most_steps ? CS_NO_SYMBOL : common_symbol(u);
    u->failed = symbol == CS_NO_SYMBOL || cs_loops_symbol(&u->fold, symbol);
    u->at++;
    for (uint32_t i = 0; i < u->n; i++) {
        struct place *p = &u->place[i];
        p->level[p->depth - 1].at++;
        settle(p, u->at);
    }
}

static void unroll(struct unrolling *u, uint64_t end, int depth);

/* The first turn is unrolled, and the others are said to be the same. */
static void one_loop(struct unrolling *u, uint64_t length, uint64_t turns, int depth)
{
    unroll(u, u->at + length, depth + 1);
    u->failed = u->failed || cs_loops_again(&u->fold, length, turns - 1) != 1;
    for (uint32_t i = 0; i < u->n && !u->failed; i++)
        jump(&u->place[i], length, turns - 1, u->at);
    u->at += length * (turns - 1);
}

static void unroll(struct unrolling *u, uint64_t end, int depth)
{
    while (u->at < end && !u->failed) {
        uint64_t length, turns = depth < CS_LOOPS_DEPTH ? common_turns(u, end - u->at, &length) : 0;
        if (turns)
            one_loop(u, length, turns, depth);
        else
            one_symbol(u);
    }
}

int cs_common_nest(const struct cs_loaded_stream *const *s, uint32_t n, uint64_t most, struct cs_common_nest *out)
{
    struct unrolling u = {.out = out, .n = n, .most_steps = most, .place = calloc(n, sizeof *u.place)};
    assert(n > 0);
    out->nstreams = n;
    u.fold.next = u.fold.out_last = CS_NO_SYMBOL;
    u.fold.out = &out->items;
    u.fold.err = u.place ? 0 : ENOMEM;
    for (uint32_t i = 0; i < n && u.place; i++) {
        u.failed |= s[i]->nevents != s[0]->nevents;
        u.place[i] = (struct place){.s = s[i], .depth = 1};
        u.place[i].level[0] = (struct level){s[i]->item, s[i]->n, 0, 0, 1, s[i]->nevents, 0};
        settle(&u.place[i], 0);
    }
    if (!u.fold.err && !u.failed)
        unroll(&u, s[0]->nevents, 0);
    if (!u.fold.err && !u.failed)
        u.failed = cs_loops_flush(&u.fold);
    int rc = u.fold.err ? -1 : !u.failed;
    cs_loops_free(&u.fold);
    cs_table_free(&u.symbols);
    free(u.place);
    return rc;
}
