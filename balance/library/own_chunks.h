/* SPDX-License-Identifier: BSD-3-Clause
 * Chunks that each rank calculates itself, from counters that all ranks add to: the same for windows and for shared
 * memory. Distributed chunk calculation: Eleliemy and Ciorba, 2021. */
#ifndef CS_OWN_CHUNKS_H
#define CS_OWN_CHUNKS_H

#include "balance/library/balancer_internal.h"

/* The counters, in this order in memory: how many chunks were begun, how many items handed out, and sums. */
struct cs_shared_counters {
    int64_t step, next;
    struct cs_pace_sums sums;
};
enum { CS_COUNTER_STEP, CS_COUNTER_NEXT, CS_COUNTER_SUMS };       /* places, in 8 bytes */
enum { CS_NSUMS = sizeof(struct cs_pace_sums) / sizeof(double) }; /* sums */

/* Adding, in one step for all ranks: what was there before. */
struct cs_counter_calls {
    int64_t (*add)(struct cs_balancer *b, int counter, int64_t by);
    struct cs_pace_sums (*add_sums)(struct cs_balancer *b, const struct cs_pace_sums *by);
};

int64_t cs_own_chunk(struct cs_balancer *b, const struct cs_counter_calls *c, int64_t *first);
void cs_own_chunk_done(struct cs_balancer *b, const struct cs_counter_calls *c, int64_t items, double seconds);

#endif
