/* SPDX-License-Identifier: BSD-3-Clause
 * Calculates this rank's next chunk: own_chunks.h. One addition where the chunk follows from the step; else the size is
 * calculated for where the loop is, and added: another rank that comes between makes the place another one, but not the
 * size, and no item is handed out twice. */
#include "balance/library/own_chunks.h"

#include <assert.h>

static int64_t by_step(struct cs_balancer *b, const struct cs_counter_calls *c, int64_t *first)
{
    int64_t step = c->add(b, CS_COUNTER_STEP, 1);
    return cs_chunk_at_step(b->is.technique, &b->handout.loop, &b->counters.at, step, first);
}

/* What is left of a chunk that begins there. */
static int64_t within(const struct cs_balancer *b, int64_t first, int64_t size)
{
    int64_t left = b->items - first;
    return left <= 0 ? 0 : size < left ? size : left;
}

/* A size that does not hang on where the loop is needs no look at it. */
static int64_t place(struct cs_balancer *b, const struct cs_counter_calls *c)
{
    return (b->is.technique->flags & CS_ANYWHERE) ? 0 : c->add(b, CS_COUNTER_NEXT, 0);
}

static int64_t by_worker(struct cs_balancer *b, const struct cs_counter_calls *c, int64_t *first)
{
    static const struct cs_pace_sums nothing;
    struct cs_counters *own = &b->counters;
    struct cs_pace_sums sums = nothing;
    int64_t at = place(b, c);
    if (at >= b->items)
        return 0;
    if (b->is.technique->flags & CS_NEED_MEASURED)
        sums = c->add_sums(b, &nothing);
    struct cs_chunk_question q = {.loop = &b->handout.loop,
                                  .next = at,
                                  .taken = own->taken,
                                  .worker = b->rank,
                                  .pace = &own->pace,
                                  .sums = &sums,
                                  .batch = &own->at.batch};
    int64_t size = cs_chunk_size(b->is.technique, &q);
    *first = c->add(b, CS_COUNTER_NEXT, size);
    return within(b, *first, size);
}

int64_t cs_own_chunk(struct cs_balancer *b, const struct cs_counter_calls *c, int64_t *first)
{
    if (b->items == 0)
        return 0;
    int64_t items = b->is.technique->kind == CS_CHUNK_STEP ? by_step(b, c, first) : by_worker(b, c, first);
    assert(items >= 0 && (items == 0 || *first + items <= b->items));
    b->counters.taken += items > 0;
    b->did.chunks += items > 0;
    return items;
}

void cs_own_chunk_done(struct cs_balancer *b, const struct cs_counter_calls *c, int64_t items, double seconds)
{
    if (!(b->is.technique->flags & CS_NEED_MEASURED))
        return;
    struct cs_pace_sums change =
        cs_pace_note(&b->counters.pace, cs_given_weight(&b->handout.loop, b->rank), items, seconds);
    c->add_sums(b, &change);
}
