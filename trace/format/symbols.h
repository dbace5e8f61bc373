/* SPDX-License-Identifier: BSD-3-Clause
 * The writer's alphabet: every distinct (call, site, mark, fields) gets a small number, its letter.
 * Looking up a known letter is the hot path of recording; memory is bounded by CS_EPOCH_*. */
#ifndef CS_SYMBOLS_H
#define CS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

#define CS_NO_LETTER UINT32_MAX

struct cs_letter {
    uint64_t hash;
    int32_t call, site, mark, nfields;
    uint32_t first;    /* where its fields start in the table's arena */
    uint32_t follower; /* for its user: the letter that came after it the last time */
};

struct cs_letters {
    struct cs_letter *letter;
    uint32_t n, cap;
    uint32_t *slot;  /* open addressing: letter + 1, and above it bits of its hash; or 0 */
    uint32_t nslots; /* power of two, more than there are letters */
    int64_t *arena;
    uint32_t nfields, arena_cap;
};

/* Is the event this letter? Cheaper than to look for it. */
bool cs_letters_is(const struct cs_letters *t, uint32_t letter, const struct cs_event *e);
/* The letter of the event, or -1 if it has none yet. */
int64_t cs_letters_find(const struct cs_letters *t, const struct cs_event *e, uint64_t hash);
/* Gives the event the next letter. 0, or -1 with errno ENOMEM. */
int cs_letters_add(struct cs_letters *t, const struct cs_event *e, uint64_t hash);
uint64_t cs_letters_hash(const struct cs_event *e);
/* Would adding the event pass the epoch's limits? */
bool cs_letters_full(const struct cs_letters *t, const struct cs_event *e);
void cs_letters_reset(struct cs_letters *t);
void cs_letters_free(struct cs_letters *t);

#endif
