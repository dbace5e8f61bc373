/* SPDX-License-Identifier: BSD-3-Clause
 * See loaded_stream.h. Numbers of symbols and loops in the file are valid for a while (struct cs_epochs); here each
 * symbol and each loop gets one that stays. */
#include "trace/write/loaded_stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/modular.h"
#include "trace/format/format.h"
#include "trace/format/item.h"
#include "trace/format/peers.h"
#include "trace/read/stream.h"
#include "trace/read/trace_rank.h"

#define MOST_ITEMS (1u << 16) /* of a stream, in bodies or outside */
#define MOST_FIELDS 4096      /* of a symbol */
#define NOT_YET UINT32_MAX

/* The rank that is being loaded: numbers of the file -> numbers here, and a stack of items of bodies. */
struct loading {
    struct cs_loaded_stream *s;
    const struct cs_trace_rank *r;
    struct cs_trace_iter *it;
    struct cs_epochs epochs;
    uint32_t *symbol_of, *loop_of, *stack;
    size_t symbol_cap, loop_cap, stack_n, stack_cap;
    bool no_memory;
};

void cs_loaded_stream_free(struct cs_loaded_stream *s)
{
    cs_symbols_free(&s->symbols);
    free(s->loop);
    free(s->arena);
    free(s->item);
    *s = (struct cs_loaded_stream){0};
}

static bool no_memory(struct loading *l)
{
    l->no_memory = true;
    return false;
}

/* Makes (*of)[number] exist; new entries are NOT_YET. */
static bool known(struct loading *l, uint32_t **of, size_t *cap, uint32_t number)
{
    size_t old = *cap;
    if (!CS_MAKE_ROOM_FOR(*of, (size_t)number + 1, *cap))
        return no_memory(l);
    for (size_t i = old; i < *cap; i++)
        (*of)[i] = NOT_YET;
    return true;
}

static void forget(struct loading *l)
{
    struct cs_epochs e = cs_trace_iter_epochs(l->it);
    if (e.symbols != l->epochs.symbols && l->symbol_cap)
        memset(l->symbol_of, -1, l->symbol_cap * sizeof *l->symbol_of);
    if (e.loops != l->epochs.loops && l->loop_cap)
        memset(l->loop_of, -1, l->loop_cap * sizeof *l->loop_of);
    l->epochs = e;
}

static struct cs_comm_rank place_in(const void *arg, int64_t comm)
{
    const struct cs_trace_rank *r = arg;
    return comm < r->ncomms ? cs_comm_rank_of(r->rank, r->comm[comm].world_ranks, r->comm[comm].nranks)
                            : (struct cs_comm_rank){-1, 0};
}

static bool load_symbol(struct loading *l, uint32_t symbol, uint32_t *number)
{
    struct cs_event e;
    int64_t fields[MOST_FIELDS];
    if (!known(l, &l->symbol_of, &l->symbol_cap, symbol))
        return false;
    if (l->symbol_of[symbol] == NOT_YET) {
        cs_trace_iter_symbol(l->it, symbol, &e);
        if (e.nfields > MOST_FIELDS)
            return false;
        if (e.nfields)
            memcpy(fields, e.fields, (size_t)e.nfields * sizeof *fields);
        cs_peers_shift(e.call, fields, e.nfields, true, place_in, l->r);
        e.fields = fields;
        uint64_t hash = cs_symbols_hash(&e);
        int64_t n = cs_symbols_find(&l->s->symbols, &e, hash);
        if (n < 0 && (cs_symbols_full(&l->s->symbols, &e) || cs_symbols_add(&l->s->symbols, &e, hash)))
            return false;
        l->symbol_of[symbol] = n < 0 ? l->s->symbols.n - 1 : (uint32_t)n;
    }
    *number = l->symbol_of[symbol];
    return true;
}

static bool load_item(struct loading *l, uint32_t item, uint32_t *out);

/* The loop whose body is the stack from `from` on. */
static bool add_loop(struct loading *l, size_t from, uint64_t count)
{
    struct cs_loaded_stream *s = l->s;
    uint32_t n = (uint32_t)(l->stack_n - from);
    struct cs_loaded_loop loop = {.count = count, .first = s->arena_n, .n = n};
    if (s->arena_n + n > MOST_ITEMS)
        return false;
    if (!CS_MAKE_ROOM_FOR(s->arena, s->arena_n + n, s->arena_cap) || !CS_MAKE_ROOM(s->loop, s->nloops, s->loop_cap))
        return no_memory(l);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t item = s->arena[s->arena_n++] = l->stack[from + i];
        const struct cs_loaded_loop *in = &s->loop[cs_item_number(item)];
        loop.events += cs_item_is_loop(item) ? in->count * in->events : 1;
    }
    s->loop[s->nloops++] = loop;
    return true;
}

static bool load_loop(struct loading *l, uint32_t number, uint32_t *out)
{
    if (!known(l, &l->loop_of, &l->loop_cap, number))
        return false;
    if (l->loop_of[number] == NOT_YET) {
        struct cs_stored_loop from = cs_trace_iter_loop(l->it, number);
        size_t first = l->stack_n;
        for (uint32_t i = 0; i < from.n; i++) {
            uint32_t item;
            if (!load_item(l, from.item[i], &item))
                return false;
            if (!CS_MAKE_ROOM(l->stack, l->stack_n, l->stack_cap))
                return no_memory(l);
            l->stack[l->stack_n++] = item;
        }
        if (!add_loop(l, first, from.count))
            return false;
        l->stack_n = first;
        l->loop_of[number] = l->s->nloops - 1;
    }
    *out = l->loop_of[number];
    return true;
}

static bool load_item(struct loading *l, uint32_t item, uint32_t *out)
{
    uint32_t number;
    if (cs_item_is_loop(item) ? !load_loop(l, cs_item_number(item), &number)
                              : !load_symbol(l, cs_item_number(item), &number))
        return false;
    *out = cs_item_is_loop(item) ? cs_item_of_loop(number) : cs_item_of_symbol(number);
    return true;
}

static bool load_items(struct loading *l)
{
    struct cs_loaded_stream *s = l->s;
    struct cs_event e;
    uint32_t item;
    int rc;
    while ((rc = cs_trace_iter_item(l->it, &item, &e)) == 1) {
        forget(l);
        if (s->n == MOST_ITEMS || !load_item(l, item, &item))
            return false;
        if (!CS_MAKE_ROOM(s->item, s->n, s->cap))
            return no_memory(l);
        s->item[s->n++] = item;
        const struct cs_loaded_loop *in = &s->loop[cs_item_number(item)];
        s->nevents += cs_item_is_loop(item) ? in->count * in->events : 1;
    }
    return rc == 0;
}

int cs_load_stream(const struct cs_trace *t, int rank, struct cs_loaded_stream *s)
{
    struct loading l = {.s = s, .r = cs_trace_find_rank(t, rank), .it = cs_trace_iter_open(t, rank)};
    bool loaded = l.it && l.r && load_items(&l);
    l.no_memory |= !l.it;
    cs_trace_iter_free(l.it);
    free(l.symbol_of);
    free(l.loop_of);
    free(l.stack);
    return loaded ? 1 : l.no_memory ? -1 : 0;
}

/* ---- sums ---- */

uint64_t cs_symbol_content(const struct cs_symbols *symbols, uint32_t symbol)
{
    const struct cs_symbol *l = &symbols->symbol[symbol];
    uint64_t shape = cs_symbol_shape(symbols, symbol);
    return shape ^ cs_trace_hash(symbols->arena + l->first, (size_t)l->nfields * sizeof *symbols->arena);
}

uint64_t cs_symbol_shape(const struct cs_symbols *symbols, uint32_t symbol)
{
    const struct cs_symbol *l = &symbols->symbol[symbol];
    int32_t shape[] = {l->call, l->site, l->mark, l->nfields};
    return cs_trace_hash(shape, sizeof shape);
}

/* A string of symbols as what it does to two hashes. */
struct maps {
    struct cs_modular_map by[2];
};

static const uint64_t base[2] = {UINT64_C(0x1d8af40c6e7a9b31) % CS_MODULUS, UINT64_C(0x0b52c1f7d3e98a65) % CS_MODULUS};

static struct maps map_of(const struct cs_loaded_stream *s, const struct maps *loop, cs_symbol_number_fn *of_symbol,
                          uint32_t item)
{
    if (cs_item_is_loop(item))
        return loop[cs_item_number(item)];
    uint64_t v = of_symbol(&s->symbols, cs_item_number(item));
    return (struct maps){{{base[0], v % CS_MODULUS}, {base[1], (v * UINT64_C(0x9e3779b97f4a7c15) >> 3) % CS_MODULUS}}};
}

static struct maps map_of_all(const struct cs_loaded_stream *s, const struct maps *loop, cs_symbol_number_fn *of_symbol,
                              const uint32_t *item, uint32_t n)
{
    struct maps all = {{{1, 0}, {1, 0}}};
    for (uint32_t i = 0; i < n; i++) {
        struct maps m = map_of(s, loop, of_symbol, item[i]);
        for (int k = 0; k < 2; k++)
            all.by[k] = (struct cs_modular_map){cs_modular_times(m.by[k].factor, all.by[k].factor),
                                                cs_modular_apply(m.by[k], all.by[k].summand)};
    }
    return all;
}

int cs_loaded_stream_sum(const struct cs_loaded_stream *s, cs_symbol_number_fn *of_symbol, struct cs_stream_sum *sum)
{
    struct maps *loop = malloc(((size_t)s->nloops + 1) * sizeof *loop);
    if (!loop)
        return -1;
    for (uint32_t i = 0; i < s->nloops; i++) {
        loop[i] = map_of_all(s, loop, of_symbol, s->arena + s->loop[i].first, s->loop[i].n);
        for (int k = 0; k < 2; k++)
            loop[i].by[k] = cs_modular_repeat(loop[i].by[k], s->loop[i].count);
    }
    struct maps all = map_of_all(s, loop, of_symbol, s->item, s->n);
    *sum = (struct cs_stream_sum){cs_modular_apply(all.by[0], 1), cs_modular_apply(all.by[1], 1)};
    free(loop);
    return 0;
}
