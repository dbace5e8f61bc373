/* SPDX-License-Identifier: BSD-3-Clause
 * The writer's alphabet: every distinct (call, site, mark, fields) gets a small number, its symbol.
 * Looking up a known symbol is the hot path of recording; memory is bounded by CS_EPOCH_*. */
#ifndef CS_SYMBOLS_H
#define CS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

#define CS_NO_SYMBOL UINT32_MAX

/* One distinct event. */
struct cs_symbol {
    uint64_t hash;
    int32_t call, site, mark, nfields;
    uint32_t first;    /* where its fields start in the table's arena */
    uint32_t follower; /* for its user: the symbol that came after it the last time */
};

/* A symbol's number is its index. Two events are one symbol if all that these hold is equal.
 *
 *     slot:   | bits of the hash | number + 1 |     a power of two of them, at most half used; 0 is free
 *     symbol: | hash, call, site, mark, nfields, first, follower | ...
 *     arena:  | fields of symbol 0 | fields of symbol 1 | ...
 */
struct cs_symbols {
    struct cs_symbol *symbol;
    uint32_t n, cap;
    uint32_t *slot;  /* open addressing: symbol + 1, and above it bits of its hash; or 0 */
    uint32_t nslots; /* power of two, more than there are symbols */
    int64_t *arena;
    uint32_t nfields, arena_cap;
};

/* Is the event this symbol? Cheaper than to look for it. */
bool cs_symbols_is(const struct cs_symbols *t, uint32_t symbol, const struct cs_event *e);
/* The symbol of the event, or -1 if it has none yet. hash is cs_symbols_hash(e), here and below. */
int64_t cs_symbols_find(const struct cs_symbols *t, const struct cs_event *e, uint64_t hash);
/* Gives the event the next symbol. 0, or -1 with errno ENOMEM. */
int cs_symbols_add(struct cs_symbols *t, const struct cs_event *e, uint64_t hash);
uint64_t cs_symbols_hash(const struct cs_event *e);
/* Would adding the event pass the epoch's limits? */
bool cs_symbols_full(const struct cs_symbols *t, const struct cs_event *e);
void cs_symbols_reset(struct cs_symbols *t);
void cs_symbols_free(struct cs_symbols *t);

#endif
