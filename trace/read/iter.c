/* SPDX-License-Identifier: BSD-3-Clause
 * Streams a rank's events in order, one block in memory at a time; loops are unrolled on the way.
 * Keeps the symbols of the current epoch and the loops of the block; every reference is checked before it is used. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/format/online_fold.h"
#include "trace/format/peers.h"
#include "trace/read/read_internal.h"
#include "trace/read/stream.h"

/* More than any writer produces in an epoch (its limit plus one largest event). */
#define MAX_ARENA ((size_t)CS_EPOCH_FIELDS + CS_MAX_FIELDS)
#define MAX_SYMBOLS ((size_t)CS_EPOCH_SYMBOLS + 1)

/* A distinct event of the block: its fields are a stretch of the arena. */
struct symbol {
    int call, mark, site, nfields;
    size_t first;
};

/* A body of a loop: a stretch of items. */
struct body {
    size_t first; /* in `items` */
    uint32_t n;
    int depth;       /* of the nest, from 1 */
    uint64_t events; /* of one iteration */
};

/* A loop: a body by number, and how often it runs. */
struct loop {
    uint32_t body;
    uint64_t count;
};

/* A loop that is being unrolled: the index in its body, the iterations left with the current one, and how many times
 * each item of the body stands for. */
struct frame {
    uint32_t body, pos;
    uint64_t left, times;
};

/* One block is in `raw`, and `c` is how far it has been read. Symbols hold until the file says reset, bodies and loops
 * until it says forget or the block ends.
 *
 *     symbol[i]: fields at arena[symbol[i].first]     body[i]: items[first .. first + n)     loop[i]: a body, a count
 *     frame[0 .. depth): the loops that are being unrolled, outermost first  */
struct cs_trace_iter {
    const struct cs_trace *t;
    const struct cs_trace_rank *r;
    struct cs_comm_rank *place; /* of the rank in each of its communicators */
    size_t next_block;
    struct cs_bytes raw;
    struct cs_cursor c;
    uint64_t left;      /* events that the block's header still promises */
    uint64_t last_exit; /* time at the end of the last event */
    uint32_t last; /* the last symbol that was an item of the outermost level; CS_NO_SYMBOL: none since forget_loops */
    int64_t delay; /* scheduling delay before the event that comes next */
    int64_t clock; /* at the rank's MPI_Init, -1: not known */
    struct symbol *symbol;
    size_t nsymbols, symbol_cap;
    int64_t *arena;
    size_t nfields, arena_cap;
    struct body *body;
    struct loop *loop;
    uint32_t *items;
    size_t nbodies, body_cap, nloops, loop_cap, nitems, item_cap;
    struct frame frame[CS_LOOPS_DEPTH + 1];
    int depth;
    bool counts; /* loops are gone through once, and each of their events stands for many */
    struct cs_epochs epochs;
    char error[160];
};

struct cs_trace_iter *cs_trace_iter_open(const struct cs_trace *t, int rank)
{
    struct cs_trace_iter *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->t = t;
    it->clock = -1;
    it->r = cs_trace_find_rank(t, rank);
    if (!it->r)
        return it;
    it->place = calloc((size_t)it->r->ncomms + 1, sizeof *it->place);
    if (!it->place) {
        free(it);
        return NULL;
    }
    for (int i = 0; i < it->r->ncomms; i++)
        it->place[i] = cs_comm_rank_of(rank, it->r->comm[i].world_ranks, it->r->comm[i].nranks);
    return it;
}

void cs_trace_iter_free(struct cs_trace_iter *it)
{
    if (!it)
        return;
    cs_bytes_free(&it->raw);
    free(it->place);
    free(it->symbol);
    free(it->arena);
    free(it->body);
    free(it->loop);
    free(it->items);
    free(it);
}

const char *cs_trace_iter_error(const struct cs_trace_iter *it)
{
    return it->error;
}

int64_t cs_trace_iter_clock(const struct cs_trace_iter *it)
{
    return it->clock;
}

static int corrupt(struct cs_trace_iter *it, const char *what)
{
    return cs_error_text(it->error, sizeof it->error, "%s in block %zu of rank %d", what, it->next_block - 1,
                         it->r->rank);
}

static void forget_loops(struct cs_trace_iter *it)
{
    it->nbodies = it->nloops = it->nitems = 0;
    it->last = CS_NO_SYMBOL;
    it->epochs.loops++;
}

/* 1 a block was loaded, 0 there is none left, -1 corrupt. */
static int next_block(struct cs_trace_iter *it)
{
    if (!it->r || it->next_block == it->r->nblocks)
        return 0;
    const struct cs_trace_block *b = &it->r->block[it->next_block++];
    if (cs_read_section(it->t, b, true, &it->raw))
        return corrupt(it, "unreadable events");
    it->c = (struct cs_cursor){.p = it->raw.data, .end = it->raw.data + it->raw.len};
    it->left = b->nevents;
    forget_loops(it);
    return 1;
}

static struct cs_comm_rank place_in(const void *arg, int64_t comm)
{
    const struct cs_trace_iter *it = arg;
    return comm < it->r->ncomms ? it->place[comm] : (struct cs_comm_rank){-1, 0};
}

/* Room for one more symbol, of n fields. */
static int symbol_room(struct cs_trace_iter *it, size_t n)
{
    if (it->nfields + n > MAX_ARENA || it->nsymbols >= MAX_SYMBOLS)
        return corrupt(it, "bad symbol");
    if (!CS_MAKE_ROOM_FOR(it->arena, it->nfields + n, it->arena_cap) ||
        !CS_MAKE_ROOM_FOR(it->symbol, it->nsymbols + 1, it->symbol_cap))
        return corrupt(it, "not enough memory for a symbol");
    return 0;
}

/* Appends the symbol. Its fields are in the arena already as they are stored, peers relative to the rank; they are made
 * absolute here. */
static int add_symbol(struct cs_trace_iter *it, struct symbol l)
{
    if (it->c.bad)
        return corrupt(it, "bad symbol");
    cs_peers_shift_at(it->t->peers[l.call], l.call, it->arena + l.first, l.nfields, false, place_in, it);
    it->nfields += (size_t)l.nfields;
    it->symbol[it->nsymbols++] = l;
    return 0;
}

static int read_symbol(struct cs_trace_iter *it)
{
    struct cs_cursor *c = &it->c;
    struct symbol l = {.first = it->nfields};
    uint64_t call = cs_cursor_varint(c);
    l.mark = (int)cs_cursor_below(c, CS_MARK_CONTENT);
    l.site = (int)cs_cursor_below(c, (uint64_t)it->r->nsites) - 1;
    l.nfields = (int)cs_cursor_below(c, CS_MAX_FIELDS);
    if (c->bad || call >= (uint64_t)it->r->ncalls || l.nfields > c->end - c->p)
        return corrupt(it, "bad symbol");
    l.call = it->r->call[call];
    if (l.call < 0)
        return cs_error_text(it->error, sizeof it->error, "call %.60s is not in this version's MPI table",
                             it->r->call_name[call]);
    if (symbol_room(it, (size_t)l.nfields))
        return -1;
    for (int i = 0; i < l.nfields; i++)
        it->arena[l.first + (size_t)i] = cs_unzigzag(cs_cursor_varint(c));
    return add_symbol(it, l);
}

/* Reads a symbol that is stored as its differences from an earlier one. */
static int read_alike(struct cs_trace_iter *it)
{
    uint64_t back = cs_cursor_varint(&it->c), changed = cs_cursor_varint(&it->c);
    if (it->c.bad || back == 0 || back > it->nsymbols || it->symbol[it->nsymbols - back].nfields > CS_ALIKE_FIELDS)
        return corrupt(it, "bad symbol");
    struct symbol l = it->symbol[it->nsymbols - back];
    size_t n = (size_t)l.nfields;
    if (changed >> n || symbol_room(it, n))
        return corrupt(it, "bad symbol");
    int64_t *fields = it->arena + it->nfields;
    if (n)
        memcpy(fields, it->arena + l.first, n * sizeof *fields);
    l.first = it->nfields;
    cs_peers_shift_at(it->t->peers[l.call], l.call, fields, l.nfields, true, place_in, it);
    for (size_t i = 0; i < n; i++)
        if (changed >> i & 1)
            fields[i] = (int64_t)((uint64_t)fields[i] + (uint64_t)cs_unzigzag(cs_cursor_varint(&it->c)));
    return add_symbol(it, l);
}

/* ---- loops ---- */

/* Is s an item that names a known symbol or loop? */
static bool is_item(const struct cs_trace_iter *it, uint64_t s)
{
    return s >> 1 < (cs_item_is_loop(s) ? it->nloops : it->nsymbols);
}

/* The number of events that the item stands for; raises *depth to that of its nest of loops. */
static uint64_t events_of(const struct cs_trace_iter *it, uint64_t item, int *depth)
{
    if (!cs_item_is_loop(item))
        return 1;
    const struct loop *l = &it->loop[cs_item_number(item)];
    const struct body *b = &it->body[l->body];
    *depth = b->depth > *depth ? b->depth : *depth;
    return b->events * l->count; /* at most INT64_MAX: read_loop has checked it */
}

static int read_body(struct cs_trace_iter *it)
{
    struct cs_cursor *c = &it->c;
    struct body b = {.first = it->nitems, .n = (uint32_t)cs_cursor_below(c, CS_MAX_ITEMS)};
    if (c->bad || b.n == 0 || b.n > (size_t)(c->end - c->p) || it->nbodies >= CS_MAX_ITEMS)
        return corrupt(it, "bad loop body");
    if (!CS_MAKE_ROOM_FOR(it->items, it->nitems + b.n, it->item_cap) ||
        !CS_MAKE_ROOM_FOR(it->body, it->nbodies + 1, it->body_cap))
        return corrupt(it, "not enough memory for a loop");
    for (uint32_t i = 0; i < b.n; i++) {
        uint64_t s = cs_cursor_varint(c);
        uint64_t n = !c->bad && is_item(it, s) ? events_of(it, s, &b.depth) : 0;
        if (n == 0 || n > INT64_MAX - b.events)
            return corrupt(it, "bad loop body");
        b.events += n;
        it->items[it->nitems++] = (uint32_t)s;
    }
    b.depth++;
    it->body[it->nbodies++] = b;
    return b.depth > CS_LOOPS_DEPTH ? corrupt(it, "bad loop body") : 0;
}

static int read_loop(struct cs_trace_iter *it)
{
    uint64_t body = cs_cursor_varint(&it->c), count = cs_cursor_varint(&it->c);
    if (it->c.bad || body >= it->nbodies || count < 2 || it->nloops >= CS_MAX_ITEMS ||
        count > INT64_MAX / it->body[body].events)
        return corrupt(it, "bad loop");
    if (!CS_MAKE_ROOM_FOR(it->loop, it->nloops + 1, it->loop_cap))
        return corrupt(it, "not enough memory for a loop");
    it->loop[it->nloops++] = (struct loop){(uint32_t)body, count};
    return 0;
}

/* Goes down to the item's first symbol. */
static uint32_t enter(struct cs_trace_iter *it, uint32_t s)
{
    while (cs_item_is_loop(s)) {
        const struct loop *l = &it->loop[cs_item_number(s)];
        assert(it->depth <= CS_LOOPS_DEPTH);
        uint64_t times = it->depth ? it->frame[it->depth - 1].times : 1;
        it->frame[it->depth++] = it->counts ? (struct frame){l->body, 0, 1, times * l->count} /* fits: read_loop() */
                                            : (struct frame){l->body, 0, l->count, 1};
        s = it->items[it->body[l->body].first];
    }
    return cs_item_number(s);
}

/* The next symbol of the loops being unrolled; false when they are at their end. */
static bool unroll(struct cs_trace_iter *it, uint32_t *symbol)
{
    while (it->depth) {
        struct frame *f = &it->frame[it->depth - 1];
        const struct body *b = &it->body[f->body];
        if (++f->pos == b->n) {
            f->pos = 0;
            if (--f->left == 0) {
                it->depth--;
                continue;
            }
        }
        *symbol = enter(it, it->items[b->first + f->pos]);
        return true;
    }
    return false;
}

/* ---- events ---- */

static void set_event(const struct cs_trace_iter *it, uint32_t symbol, struct cs_event *e)
{
    assert(symbol < it->nsymbols);
    const struct symbol *l = &it->symbol[symbol];
    *e = (struct cs_event){.call = l->call,
                           .site = l->site,
                           .mark = l->mark,
                           .nfields = l->nfields,
                           .fields = it->arena ? it->arena + l->first : NULL};
}

/* Checks an item of the outermost level and reads its times, if the trace has any, into *e. 1, or -1: corrupt. */
static int read_item(struct cs_trace_iter *it, uint64_t s, struct cs_event *e)
{
    int depth = 0;
    if (!is_item(it, s) || events_of(it, s, &depth) > it->left || (it->t->info.with_times && cs_item_is_loop(s)))
        return corrupt(it, "bad event");
    it->left -= events_of(it, s, &depth);
    if (!cs_item_is_loop(s))
        it->last = cs_item_number(s);
    if (it->t->info.with_times) {
        uint64_t enter = it->last_exit + (uint64_t)cs_unzigzag(cs_cursor_varint(&it->c));
        it->last_exit = enter + (uint64_t)cs_unzigzag(cs_cursor_varint(&it->c));
        e->t_enter = (int64_t)enter;
        e->t_exit = (int64_t)it->last_exit;
        e->t_delay = it->delay;
        it->delay = 0;
    }
    return it->c.bad ? corrupt(it, "bad event") : 1;
}

static int read_delay(struct cs_trace_iter *it)
{
    it->delay = (int64_t)cs_cursor_below(&it->c, INT64_MAX);
    return it->c.bad || !it->t->info.with_times ? corrupt(it, "bad scheduling delay") : 0;
}

static int read_clock(struct cs_trace_iter *it)
{
    it->clock = (int64_t)cs_cursor_below(&it->c, INT64_MAX);
    return it->c.bad || !it->t->info.with_times ? corrupt(it, "bad clock") : 0;
}

/* Reads a record that is no event: a definition of a symbol or loop, a delay, a clock, or a reset. */
static int read_record(struct cs_trace_iter *it, uint64_t code)
{
    switch (code) {
    case CS_REC_SYMBOL: return read_symbol(it);
    case CS_REC_ALIKE: return read_alike(it);
    case CS_REC_BODY: return read_body(it);
    case CS_REC_LOOP: return read_loop(it);
    case CS_REC_DELAY: return read_delay(it);
    case CS_REC_CLOCK: return read_clock(it);
    case CS_REC_RESET: it->nsymbols = it->nfields = 0; it->epochs.symbols++; /* fall through */
    case CS_REC_FORGET: forget_loops(it); return 0;
    default: return corrupt(it, "bad record");
    }
}

int cs_trace_iter_item(struct cs_trace_iter *it, uint32_t *item, struct cs_event *e)
{
    if (it->error[0])
        return -1;
    for (;;) {
        if (it->c.p == it->c.end) {
            if (it->left)
                return corrupt(it, "missing events");
            int rc = next_block(it);
            if (rc <= 0)
                return rc;
            continue;
        }
        uint64_t code = cs_cursor_varint(&it->c);
        if (code == CS_REC_NEXT)
            code = CS_REC_EVENT + 2 * (uint64_t)(it->last + 1);
        if (code >= CS_REC_EVENT) {
            *item = (uint32_t)(code - CS_REC_EVENT);
            return read_item(it, code - CS_REC_EVENT, e);
        }
        if (read_record(it, code))
            return -1;
    }
}

struct cs_epochs cs_trace_iter_epochs(const struct cs_trace_iter *it)
{
    return it->epochs;
}

void cs_trace_iter_symbol(const struct cs_trace_iter *it, uint32_t symbol, struct cs_event *e)
{
    set_event(it, symbol, e);
}

struct cs_stored_loop cs_trace_iter_loop(const struct cs_trace_iter *it, uint32_t loop)
{
    assert(loop < it->nloops);
    const struct loop *l = &it->loop[loop];
    const struct body *b = &it->body[l->body];
    return (struct cs_stored_loop){l->count, it->items + b->first, b->n};
}

int cs_trace_iter_next(struct cs_trace_iter *it, struct cs_event *e)
{
    uint32_t symbol, item;
    struct cs_event times = {0};
    if (!it->error[0] && it->depth && unroll(it, &symbol)) {
        set_event(it, symbol, e);
        return 1;
    }
    int rc = cs_trace_iter_item(it, &item, &times);
    if (rc != 1)
        return rc;
    set_event(it, enter(it, item), e);
    e->t_enter = times.t_enter;
    e->t_exit = times.t_exit;
    e->t_delay = times.t_delay;
    return 1;
}

int cs_trace_iter_count(struct cs_trace_iter *it, struct cs_event *e, uint64_t *times)
{
    it->counts = true;
    int rc = cs_trace_iter_next(it, e);
    *times = it->depth ? it->frame[it->depth - 1].times : 1;
    return rc;
}
