/* SPDX-License-Identifier: BSD-3-Clause
 * Whole turns of loops: the last events happen some more times. Where the open loop is at the end of such a turn, its
 * cursor moves on; else the turn is cut out of the window's end, and comes back as a loop.
 *
 *     window: | a | 7 x b | b | c |    the last 4 events, 2 more times    ->    | a | 5 x b | 3 x (2 x b, b, c) | */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/grow.h"
#include "trace/format/online_fold_internal.h"

/* Items that a turn may have: more would fill the arena. */
#define MOST_ITEMS (CS_LOOPS_WINDOW / 2)

/* ---- where the open loop stands ---- */

/* The deepest level that has begun. The outermost one always has. */
static int level(const struct cs_loops *f)
{
    int k = f->depth - 1;
    while (k > 0 && f->frame[k].done == 0 && f->frame[k].pos == 0)
        k--;
    return k;
}

/* If the open loop has just ended iterations that are the turn, and has as many left: they are done. */
static bool move_on(struct cs_loops *f, uint64_t events, uint64_t times)
{
    int k = level(f);
    struct cs_loop_frame *t = &f->frame[k];
    uint64_t one = f->body[t->body].events, iterations = events / one;
    if (t->pos != 0 || iterations * one != events || iterations > t->done || iterations > (t->count - t->done) / times)
        return false;
    t->done += iterations * times;
    f->depth = k + 1;
    if (t->done == t->count) {
        assert(k > 0);
        f->depth = k;
        t[-1].pos++;
    }
    cs_fold_settle(f);
    return true;
}

/* ---- cutting the turn out of the window ---- */

/* Items, in order: */
struct items {
    uint32_t *v, n, cap;
};

/* The end of the window in two: what stays in front of the turn, and the turn. */
struct cut {
    struct cs_loops *f;
    struct items front, turn;
};

static void add(struct cut *c, struct items *to, uint32_t item)
{
    if (!CS_MAKE_ROOM(to->v, to->n, to->cap))
        c->f->err = ENOMEM;
    else
        to->v[to->n++] = item;
}

/* Items of a body; by number, as bodies move when one is added. */
static void add_from_body(struct cut *c, struct items *to, uint32_t body, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        add(c, to, c->f->arena[c->f->body[body].at + i]);
}

static void add_iterations(struct cut *c, struct items *to, uint32_t body, uint64_t n)
{
    if (n == 1)
        add_from_body(c, to, body, 0, c->f->body[body].len);
    else if (n > 1)
        add(c, to, cs_fold_loop(c->f, body, n));
}

/* Of these items, how many are at most `events` events together, from the end; *rest: what is missing then. */
static uint32_t whole_items(const struct cs_loops *f, const uint32_t *s, uint32_t n, uint64_t events, uint64_t *rest)
{
    uint32_t k = 0;
    for (; k < n && cs_fold_events(f, s[n - 1 - k]) <= events; k++)
        events -= cs_fold_events(f, s[n - 1 - k]);
    *rest = events;
    return k;
}

/* Splits a loop: its last `events` events, fewer than all, belong to the turn. */
static void split(struct cut *c, uint32_t loop, uint64_t events)
{
    struct cs_loops *f = c->f;
    struct cs_loop l = f->loop[cs_item_number(loop)];
    struct cs_loop_body b = f->body[l.body];
    uint64_t whole = events / b.events, rest = events % b.events;
    assert(cs_item_is_loop(loop) && events > 0 && events < cs_fold_events(f, loop));
    add_iterations(c, &c->front, l.body, l.count - whole - (rest > 0));
    if (rest > 0) {
        uint32_t at = b.len - whole_items(f, f->arena + b.at, b.len, rest, &rest);
        if (rest > 0) {
            assert(at > 0);
            uint32_t divided = f->arena[b.at + at - 1];
            add_from_body(c, &c->front, l.body, 0, at - 1);
            split(c, divided, rest);
        } else {
            add_from_body(c, &c->front, l.body, 0, at);
        }
        add_from_body(c, &c->turn, l.body, at, b.len);
    }
    add_iterations(c, &c->turn, l.body, whole);
}

/* Fills *c from the end of the window, which stays as it is. Returns how many items that takes, 0: they are too few. */
static uint32_t cut_turn(struct cut *c, uint64_t events)
{
    struct cs_loops *f = c->f;
    uint64_t rest;
    uint32_t n = whole_items(f, f->window, f->n, events, &rest), at = f->n - n;
    if (rest > 0 && at == 0)
        return 0;
    if (rest > 0)
        split(c, f->window[--at], rest);
    for (uint32_t i = f->n - n; i < f->n; i++)
        add(c, &c->turn, f->window[i]);
    return f->n - at;
}

/* ---- the turn as a loop ---- */

/* Its body and how often that is the turn. False if it would nest too deeply. */
static bool body_of(struct cut *c, uint32_t *body, uint64_t *count)
{
    const struct items *t = &c->turn;
    struct cs_loops *f = c->f;
    if (t->n == 1 && cs_item_is_loop(t->v[0])) {
        *body = f->loop[cs_item_number(t->v[0])].body;
        *count = f->loop[cs_item_number(t->v[0])].count;
        return true;
    }
    if (t->n > MOST_ITEMS || cs_fold_depth_below(f, t->v, t->n) >= CS_LOOPS_DEPTH)
        return false;
    *body = cs_fold_body(f, t->v, t->n);
    *count = 1;
    return true;
}

/* A loop of the same body in front becomes one with it. */
static void put_back(struct cut *c, uint32_t body, uint64_t count)
{
    struct cs_loops *f = c->f;
    for (uint32_t i = 0; i < c->front.n && !f->err; i++)
        cs_fold_feed(f, c->front.v[i]);
    uint32_t s = f->n && f->depth == 0 ? f->window[f->n - 1] : 0;
    if (cs_item_is_loop(s) && f->loop[cs_item_number(s)].body == body) {
        count += f->loop[cs_item_number(s)].count;
        cs_fold_pop(f, 1);
    }
    uint32_t item = cs_fold_loop(f, body, count);
    if (!f->err)
        cs_fold_feed(f, item);
}

/* So many loops and bodies that the next symbol writes all out; what this here adds beyond that must end, too. */
static bool is_overfull(const struct cs_loops *f)
{
    return f->nloops >= 2 * CS_LOOPS_MOST || f->nbodies >= 2 * CS_LOOPS_MOST || f->arena_len >= 2 * CS_LOOPS_ARENA;
}

static bool repeat_in_window(struct cs_loops *f, uint64_t events, uint64_t times)
{
    struct cut c = {.f = f};
    uint32_t body, n = is_overfull(f) ? 0 : cut_turn(&c, events);
    uint64_t count;
    bool fits = n && !f->err && body_of(&c, &body, &count) && !f->err;
    if (fits) {
        cs_fold_pop(f, n);
        put_back(&c, body, count * (times + 1));
    }
    free(c.front.v);
    free(c.turn.v);
    return fits;
}

int cs_loops_again(struct cs_loops *f, uint64_t events, uint64_t times)
{
    bool done = false;
    assert(events > 0 && times > 0);
    while (f->depth && !f->err && !(done = move_on(f, events, times)))
        cs_fold_close(f);
    if (!done && !f->err)
        done = repeat_in_window(f, events, times);
    errno = f->err;
    return f->err ? -1 : done;
}
