/* SPDX-License-Identifier: BSD-3-Clause
 * A block in parts: block_parts.h. Of each rank there is one word in memory that all have: the next part and the end of
 * those that nobody has taken. Its rank takes parts from the front, others from the end, each by one compare-and-swap,
 * so that a part goes to one rank. A rank takes from others only when it has none of its own and there is a plan. */
#include "balance/library/block_parts.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A rank's word, on a cache line of its own. */
struct cs_block_parts {
    _Alignas(64) _Atomic uint64_t word; /* next << 32 | end */
};

static uint64_t word_of(uint32_t next, uint32_t end)
{
    return (uint64_t)next << 32 | end;
}

void cs_parts_open(struct cs_balancer *b)
{
    MPI_Aint bytes = b->rank == 0 ? (MPI_Aint)((size_t)b->ranks * sizeof *b->parts) : 0;
    int unit;
    if (!b->is.follow || !b->handout.block || !cs_on_one_machine(b))
        return;
    b->parts_speed = malloc((size_t)b->ranks * sizeof *b->parts_speed);
    b->parts_left = malloc((size_t)b->ranks * sizeof *b->parts_left);
    if (!b->parts_speed || !b->parts_left)
        MPI_Abort(b->comm, 2);
    MPI_Win_allocate_shared(bytes, sizeof *b->parts, MPI_INFO_NULL, b->comm, &b->parts, &b->parts_window);
    MPI_Win_shared_query(b->parts_window, 0, &bytes, &unit, &b->parts);
    atomic_store(&b->parts[b->rank].word, 0);
    MPI_Barrier(b->comm);
}

void cs_parts_close(struct cs_balancer *b)
{
    if (b->parts)
        MPI_Win_free(&b->parts_window);
    b->parts = NULL;
    free(b->parts_speed);
    free(b->parts_left);
}

static int64_t block_items(const struct cs_balancer *b, int rank)
{
    return b->handout.block[rank + 1] - b->handout.block[rank];
}

void cs_parts_begin(struct cs_balancer *b)
{
    if (b->parts)
        atomic_store(&b->parts[b->rank].word, word_of(0, (uint32_t)cs_block_parts(block_items(b, b->rank))));
}

/* Takes a part of that rank's block: its first one or its last one. -1: none is left. */
static int64_t take(struct cs_balancer *b, int rank, bool first)
{
    _Atomic uint64_t *word = &b->parts[rank].word;
    uint64_t was = atomic_load(word);
    uint32_t next, end;
    do {
        next = (uint32_t)(was >> 32);
        end = (uint32_t)was;
        if (next >= end)
            return -1;
    } while (!atomic_compare_exchange_weak(word, &was, first ? word_of(next + 1, end) : word_of(next, end - 1)));
    return first ? next : end - 1;
}

/* From whose block this rank takes a part; -1: none. */
static int other_block(const struct cs_balancer *b)
{
    for (int i = 0; i < b->ranks; i++) {
        uint64_t word = atomic_load(&b->parts[i].word);
        uint32_t next = (uint32_t)(word >> 32), end = (uint32_t)word;
        b->parts_left[i] = (struct cs_parts_left){block_items(b, i), next < end ? end - next : 0};
    }
    return cs_part_from(b->ranks, b->parts_left, b->watch.speed, b->rank);
}

int64_t cs_parts_untaken(const struct cs_balancer *b)
{
    uint64_t word = atomic_load(&b->parts[b->rank].word);
    int64_t items = block_items(b, b->rank), next = (int64_t)(word >> 32), end = (int64_t)(uint32_t)word;
    return next < end ? cs_block_part_begin(items, end) - cs_block_part_begin(items, next) : 0;
}

int64_t cs_parts_next(struct cs_balancer *b, int64_t *first)
{
    int rank = b->rank;
    int64_t part = take(b, rank, true);
    while (part < 0 && b->watch.plan) {
        rank = other_block(b);
        if (rank < 0)
            break;
        part = take(b, rank, false);
    }
    if (part < 0)
        return 0;
    int64_t items = block_items(b, rank), begin = cs_block_part_begin(items, part);
    *first = b->handout.block[rank] + begin;
    b->did.chunks++;
    assert(part < cs_block_parts(items));
    return cs_block_part_begin(items, part + 1) - begin;
}
