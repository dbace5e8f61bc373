/* SPDX-License-Identifier: BSD-3-Clause
 * A loop while it is handed out from one place: who asks, gets the next chunk. The leader of the library and the
 * simulation have one each. */
#ifndef CS_HANDOUT_H
#define CS_HANDOUT_H

#include "balance/techniques/shares.h"
#include "balance/techniques/technique.h"

/* The chunks of a technique by step in their order: the next one is chunk `step`, and begins at item `next`. */
struct cs_chunk_sequence {
    int64_t step, next, batch;
};

/* A loop, how far it is handed out, and what was measured of each worker in it and in those before. */
struct cs_handout {
    const struct cs_technique *technique;
    struct cs_work_loop loop;
    struct cs_chunk_sequence at;
    int64_t *block;              /* begins of blocks, and the end: one more than workers; NULL: no blocks */
    int64_t *taken;              /* chunks of each worker in this loop */
    struct cs_worker_pace *pace; /* of each worker */
    struct cs_pace_sums sums;
};

/* Prepares for loops of this technique. The speeds must live on; NULL: all alike. 0, or -1 when memory is out. */
int cs_handout_init(struct cs_handout *h, const struct cs_technique *t, int workers, int64_t chunk,
                    const double *speed);
/* Begins a loop. curve: of each worker, for what needs them, or NULL. 0, or -1 when memory is out. */
int cs_handout_loop(struct cs_handout *h, int64_t items, const struct cs_time_curve *curve);
/* The next chunk for a worker: sets *first and returns how many items, or 0 if it gets no more. */
int64_t cs_handout_take(struct cs_handout *h, int worker, int64_t *first);
/* A worker took so long for items that it got. */
void cs_handout_note(struct cs_handout *h, int worker, int64_t items, double seconds);
void cs_handout_free(struct cs_handout *h);

/* Chunk `step` of a technique by step, from `s`, which is at that step or before and goes there. Returns the items, 0
 * beyond the end. */
int64_t cs_chunk_at_step(const struct cs_technique *t, const struct cs_work_loop *l, struct cs_chunk_sequence *s,
                         int64_t step, int64_t *first);
/* Begins of the blocks of a technique, workers + 1 numbers. 0, or -1 when memory is out. */
int cs_blocks(const struct cs_technique *t, const struct cs_work_loop *l, const struct cs_time_curve *curve,
              int64_t *begin);

#endif
