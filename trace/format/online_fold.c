/* SPDX-License-Identifier: BSD-3-Clause
 * The online folder of online_fold.h. It searches the end of the window for a square (a stretch that repeats the one in
 * front of it), by chains of equal items as LZ77 does. A square becomes the open loop, which takes symbols as long as
 * they are those that it expects. Irregular streams cost time in push(), regular ones next to none. */
#include "trace/format/online_fold.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/format/format.h"
#include "trace/format/online_fold_internal.h"

#define CHAIN 8 /* earlier places of an item that are looked at */
#define NOT_OUT UINT32_MAX

/* ---- memory ---- */

/* Makes sure that array f->A, of capacity f->CAP, has `need` places; if not, f->err says so. */
#define ROOM(f, A, CAP, need) (CS_MAKE_ROOM_FOR((f)->A, need, (f)->CAP) || no_memory(f))

static bool no_memory(struct cs_loops *f)
{
    f->err = ENOMEM;
    return false;
}

static uint32_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

static uint32_t hash_of_body(const void *f, uint32_t number)
{
    return ((const struct cs_loops *)f)->body[number].hash;
}

static uint32_t hash_of_loop(const void *f, uint32_t number)
{
    return ((const struct cs_loops *)f)->loop[number].hash;
}

/* ---- bodies and loops, each different one once ---- */

uint64_t cs_fold_events(const struct cs_loops *f, uint32_t s)
{
    if (!cs_item_is_loop(s))
        return 1;
    const struct cs_loop *l = &f->loop[cs_item_number(s)];
    return l->count * f->body[l->body].events;
}

static uint64_t events_of_all(const struct cs_loops *f, const uint32_t *s, uint32_t len)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < len; i++)
        n += cs_fold_events(f, s[i]);
    return n;
}

uint32_t cs_fold_depth_below(const struct cs_loops *f, const uint32_t *s, uint32_t len)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < len; i++) {
        uint32_t d = cs_item_is_loop(s[i]) ? f->body[f->loop[cs_item_number(s[i])].body].depth : 0;
        most = d > most ? d : most;
    }
    return most;
}

uint32_t cs_fold_body(struct cs_loops *f, const uint32_t *s, uint32_t len)
{
    uint32_t h = len;
    for (uint32_t i = 0; i < len; i++)
        h = mix(h, (uint64_t)s[i] << 32 | i);
    int64_t i;
    for (uint32_t at = cs_table_first(&f->bodies, h); (i = cs_table_at(&f->bodies, at)) >= 0;
         at = cs_table_next(&f->bodies, at)) {
        const struct cs_loop_body *b = &f->body[i];
        if (b->hash == h && b->len == len && memcmp(f->arena + b->at, s, len * sizeof *s) == 0)
            return (uint32_t)i;
    }
    if (!ROOM(f, body, body_cap, f->nbodies + 1) || !ROOM(f, arena, arena_cap, f->arena_len + len) ||
        !cs_table_reserve(&f->bodies, hash_of_body, f))
        return no_memory(f);
    memcpy(f->arena + f->arena_len, s, len * sizeof *s);
    f->body[f->nbodies] = (struct cs_loop_body){events_of_all(f, s, len),          h, f->arena_len, len, NOT_OUT,
                                                1 + cs_fold_depth_below(f, s, len)};
    f->arena_len += len;
    cs_table_put(&f->bodies, h, f->nbodies);
    return f->nbodies++;
}

uint32_t cs_fold_loop(struct cs_loops *f, uint32_t body, uint64_t count)
{
    uint32_t h = mix(body, count);
    int64_t i;
    for (uint32_t at = cs_table_first(&f->loops, h); (i = cs_table_at(&f->loops, at)) >= 0;
         at = cs_table_next(&f->loops, at))
        if (f->loop[i].body == body && f->loop[i].count == count)
            return cs_item_of_loop((uint32_t)i);
    if (!ROOM(f, loop, loop_cap, f->nloops + 1) || !cs_table_reserve(&f->loops, hash_of_loop, f))
        return no_memory(f);
    f->loop[f->nloops] = (struct cs_loop){.count = count, .hash = h, .body = body, .out = NOT_OUT};
    cs_table_put(&f->loops, h, f->nloops);
    return cs_item_of_loop(f->nloops++);
}

/* ---- writing items ---- */

static void put(struct cs_loops *f, struct cs_bytes *to, uint64_t v)
{
    if (cs_bytes_varint(to, v))
        f->err = ENOMEM;
}

static uint32_t put_definitions(struct cs_loops *f, struct cs_bytes *to, uint32_t s);

static uint32_t put_body(struct cs_loops *f, struct cs_bytes *to, uint32_t body)
{
    struct cs_loop_body b = f->body[body];
    if (b.out != NOT_OUT)
        return b.out;
    for (uint32_t i = 0; i < b.len; i++)
        put_definitions(f, to, f->arena[b.at + i]);
    put(f, to, CS_REC_BODY);
    put(f, to, b.len);
    for (uint32_t i = 0; i < b.len; i++)
        put(f, to, put_definitions(f, to, f->arena[b.at + i]));
    return f->body[body].out = f->out_bodies++;
}

static uint32_t put_loop(struct cs_loops *f, struct cs_bytes *to, uint32_t body, uint64_t count)
{
    uint32_t b = put_body(f, to, body);
    put(f, to, CS_REC_LOOP);
    put(f, to, b);
    put(f, to, count);
    return f->out_loops++;
}

/* Writes the definitions that the item needs, unless they are written; returns the item by its number in the file. */
static uint32_t put_definitions(struct cs_loops *f, struct cs_bytes *to, uint32_t s)
{
    if (!cs_item_is_loop(s))
        return s;
    struct cs_loop *l = &f->loop[cs_item_number(s)];
    if (l->out == NOT_OUT)
        l->out = put_loop(f, to, l->body, l->count);
    return cs_item_of_loop(l->out);
}

static void put_item(struct cs_loops *f, struct cs_bytes *to, uint32_t s)
{
    uint32_t code = put_definitions(f, to, s);
    put(f, to, code == 2 * (f->out_last + 1) ? CS_REC_NEXT : CS_REC_EVENT + (uint64_t)code);
    if (!cs_item_is_loop(code))
        f->out_last = cs_item_number(code);
}

static void put_items(struct cs_loops *f, struct cs_bytes *to, const uint32_t *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        put_item(f, to, s[i]);
}

/* Writes what the open loop has taken, level by level: the iterations done, then the items of the current one. */
static void put_open_loop(struct cs_loops *f, struct cs_bytes *to)
{
    for (int k = 0; k < f->depth; k++) {
        struct cs_loop_frame *t = &f->frame[k];
        if (t->done == 1)
            put_items(f, to, f->arena + t->at, t->len);
        else if (t->done > 1)
            put(f, to, CS_REC_EVENT + 2 * (uint64_t)put_loop(f, to, t->body, t->done) + 1);
        put_items(f, to, f->arena + t->at, t->pos);
    }
}

/* ---- the window ---- */

static uint32_t *head_of(struct cs_loops *f, uint32_t s)
{
    if (cs_item_is_loop(s))
        return &f->loop[cs_item_number(s)].head;
    if (cs_item_number(s) >= f->symbol_cap) {
        uint32_t old = f->symbol_cap;
        if (!ROOM(f, symbol_head, symbol_cap, cs_item_number(s) + 1))
            return NULL;
        memset(f->symbol_head + old, 0, (f->symbol_cap - old) * sizeof *f->symbol_head);
    }
    return &f->symbol_head[cs_item_number(s)];
}

void cs_fold_pop(struct cs_loops *f, uint32_t n)
{
    assert(n <= f->n);
    for (; n; n--) {
        f->n--;
        *head_of(f, f->window[f->n]) = f->before[f->n];
    }
    f->period = f->matched = 0;
}

static void append(struct cs_loops *f, uint32_t s)
{
    uint32_t *head = head_of(f, s);
    if (!head)
        return;
    f->window[f->n] = s;
    f->before[f->n] = *head;
    *head = ++f->n;
}

/* Writes the first k items out of the window. */
static void shift(struct cs_loops *f, uint32_t k)
{
    uint32_t n = f->n, period = f->period, matched = f->matched;
    put_items(f, f->out, f->window, k);
    cs_fold_pop(f, n);
    memmove(f->window, f->window + k, (n - k) * sizeof *f->window);
    for (uint32_t i = 0; i < n - k; i++)
        append(f, f->window[i]);
    if (period < f->n) {
        f->period = period;
        f->matched = matched < f->n - period ? matched : f->n - period;
    }
}

/* Forgets all bodies and loops; the window must be empty and no loop open. */
static void forget(struct cs_loops *f)
{
    assert(f->n == 0 && f->depth == 0);
    f->nbodies = f->nloops = f->arena_len = 0;
    f->out_bodies = f->out_loops = 0;
    f->out_last = CS_NO_SYMBOL;
    cs_table_clear(&f->bodies);
    cs_table_clear(&f->loops);
}

/* ---- the open loop ---- */

static void enter(struct cs_loops *f, uint32_t body, uint64_t done, uint64_t count)
{
    const struct cs_loop_body *b = &f->body[body];
    assert((uint32_t)f->depth < f->frame_cap && b->len > 0);
    f->frame[f->depth++] = (struct cs_loop_frame){done, count, body, b->at, b->len, 0};
}

void cs_fold_settle(struct cs_loops *f)
{
    for (;;) {
        struct cs_loop_frame *t = &f->frame[f->depth - 1];
        if (t->pos == t->len) {
            t->pos = 0;
            if (++t->done == t->count) {
                f->depth--;
                t[-1].pos++;
                continue;
            }
        }
        uint32_t s = f->arena[t->at + t->pos];
        if (!cs_item_is_loop(s)) {
            f->next = cs_item_number(s);
            return;
        }
        enter(f, f->loop[cs_item_number(s)].body, 0, f->loop[cs_item_number(s)].count);
    }
}

static void open_loop(struct cs_loops *f, uint32_t body, uint64_t done)
{
    f->depth = 0;
    if (!ROOM(f, frame, frame_cap, f->body[body].depth))
        return;
    enter(f, body, done, UINT64_MAX);
    cs_fold_settle(f);
}

/* Makes an open loop of the square at the end of the window, whose halves have `period` items. */
static void fold_square(struct cs_loops *f, uint32_t period)
{
    assert(period > 0 && 2 * period <= f->n);
    uint32_t body = cs_fold_body(f, f->window + f->n - period, period);
    if (f->err || f->body[body].depth > CS_LOOPS_DEPTH)
        return;
    uint64_t done = 2;
    cs_fold_pop(f, 2 * period);
    uint32_t s = f->n ? f->window[f->n - 1] : 0;
    if (cs_item_is_loop(s) && f->loop[cs_item_number(s)].body == body) {
        done += f->loop[cs_item_number(s)].count;
        cs_fold_pop(f, 1);
    }
    open_loop(f, body, done);
}

/* How many items are equal going back from indexes a < b, which are equal; at most b - a. */
static uint32_t match_length(const struct cs_loops *f, uint32_t a, uint32_t b)
{
    uint32_t l = 1;
    while (l < b - a && l <= a && f->window[a - l] == f->window[b - l])
        l++;
    return l;
}

/* Looks for the shortest square at the end of the window. Returns its period, or 0; the longest match is kept for the
 * next item. */
static uint32_t find_square(struct cs_loops *f)
{
    uint32_t at = f->n - 1, best = 0, best_period = 0;
    bool goes_on = f->period && f->period <= at && f->window[at - f->period] == f->window[at];
    if (goes_on) {
        best = ++f->matched;
        best_period = f->period;
    }
    uint32_t c = f->before[at];
    for (int k = 0; k < CHAIN && c; k++, c = f->before[c - 1]) {
        uint32_t period = at - (c - 1);
        if (goes_on && period >= f->period)
            break;
        uint32_t l = match_length(f, c - 1, at);
        if (l == period)
            return period;
        if (l > best) {
            best = l;
            best_period = period;
        }
    }
    f->period = best_period;
    f->matched = best;
    return best && best >= best_period ? best_period : 0;
}

static bool is_full(const struct cs_loops *f)
{
    return f->nloops >= CS_LOOPS_MOST || f->nbodies >= CS_LOOPS_MOST ||
           f->arena_len + CS_LOOPS_WINDOW / 2 > CS_LOOPS_ARENA;
}

/* Appends an item while no loop is open. */
static void push(struct cs_loops *f, uint32_t s)
{
    if (f->n == CS_LOOPS_WINDOW)
        shift(f, CS_LOOPS_WINDOW / 2);
    uint32_t cap = f->cap; /* both arrays grow alike */
    if (f->n == f->cap && (!CS_MAKE_ROOM(f->before, f->n, cap) || !CS_MAKE_ROOM(f->window, f->n, f->cap))) {
        no_memory(f);
        return;
    }
    append(f, s);
    uint32_t period = f->err ? 0 : find_square(f);
    if (period)
        fold_square(f, period);
}

void cs_fold_close(struct cs_loops *f)
{
    int depth = f->depth;
    struct cs_loop_frame frame[depth]; /* not CS_LOOPS_DEPTH: a page of the stack would go for nothing */
    memcpy(frame, f->frame, (size_t)depth * sizeof *frame);
    f->depth = 0;
    f->next = CS_NO_SYMBOL;
    for (int k = 0; k < depth && !f->err; k++) {
        const struct cs_loop_frame *t = &frame[k];
        if (t->done == 1)
            for (uint32_t i = 0; i < t->len; i++)
                cs_fold_feed(f, f->arena[t->at + i]);
        else if (t->done > 1)
            cs_fold_feed(f, cs_fold_loop(f, t->body, t->done));
        for (uint32_t i = 0; i < t->pos; i++)
            cs_fold_feed(f, f->arena[t->at + i]);
    }
}

void cs_fold_feed(struct cs_loops *f, uint32_t s)
{
    while (f->depth && !f->err) {
        struct cs_loop_frame *t = &f->frame[0];
        bool at_its_start = true;
        for (int k = 1; k < f->depth; k++)
            at_its_start &= f->frame[k].done == 0 && f->frame[k].pos == 0;
        if (at_its_start && f->arena[t->at + t->pos] == s) {
            f->depth = 1;
            t->pos++;
            cs_fold_settle(f);
            return;
        }
        cs_fold_close(f);
    }
    if (!f->err)
        push(f, s);
}

/* If the last item is a loop that begins with the symbol, that loop is opened again. */
static bool reopen(struct cs_loops *f, uint32_t symbol)
{
    uint32_t s = f->n ? f->window[f->n - 1] : 0;
    if (!cs_item_is_loop(s))
        return false;
    struct cs_loop l = f->loop[cs_item_number(s)];
    uint32_t first = s;
    while (cs_item_is_loop(first))
        first = f->arena[f->body[f->loop[cs_item_number(first)].body].at];
    if (cs_item_number(first) != symbol)
        return false;
    cs_fold_pop(f, 1);
    open_loop(f, l.body, l.count);
    return true;
}

int cs_loops_symbol_slow(struct cs_loops *f, uint32_t symbol)
{
    while (f->depth && symbol != f->next && !f->err)
        cs_fold_close(f); /* which may have opened a loop around it */
    if (is_full(f)) {
        cs_loops_flush(f);
        put(f, f->out, CS_REC_FORGET);
    }
    if ((f->depth || reopen(f, symbol)) && !f->err) {
        f->frame[f->depth - 1].pos++;
        cs_fold_settle(f);
    } else if (!f->err) {
        push(f, cs_item_of_symbol(symbol));
    }
    errno = f->err;
    return f->err ? -1 : 0;
}

int cs_loops_flush(struct cs_loops *f)
{
    put_items(f, f->out, f->window, f->n);
    cs_fold_pop(f, f->n);
    put_open_loop(f, f->out);
    f->depth = 0;
    f->next = CS_NO_SYMBOL;
    forget(f);
    errno = f->err;
    return f->err ? -1 : 0;
}

int cs_loops_peek(struct cs_loops *f, struct cs_bytes *to)
{
    uint32_t bodies = f->out_bodies, loops = f->out_loops, last = f->out_last;
    put_items(f, to, f->window, f->n);
    put_open_loop(f, to);
    for (uint32_t i = 0; i < f->nbodies; i++)
        if (f->body[i].out >= bodies)
            f->body[i].out = NOT_OUT;
    for (uint32_t i = 0; i < f->nloops; i++)
        if (f->loop[i].out >= loops)
            f->loop[i].out = NOT_OUT;
    f->out_bodies = bodies;
    f->out_last = last;
    f->out_loops = loops;
    errno = f->err;
    return f->err ? -1 : 0;
}

void cs_loops_free(struct cs_loops *f)
{
    free(f->frame);
    free(f->window);
    free(f->before);
    free(f->symbol_head);
    free(f->body);
    free(f->loop);
    cs_table_free(&f->bodies);
    cs_table_free(&f->loops);
    free(f->arena);
    *f = (struct cs_loops){.next = CS_NO_SYMBOL};
}
