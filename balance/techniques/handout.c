/* SPDX-License-Identifier: BSD-3-Clause
 * Handing out chunks from one place: handout.h.
 * Items are handed out in their order, so that each is handed out once; blocks are cut beforehand. */
#include "balance/techniques/handout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int cs_handout_init(struct cs_handout *h, const struct cs_technique *t, int workers, int64_t chunk, const double *speed)
{
    *h = (struct cs_handout){.technique = t};
    cs_work_loop_init(&h->loop, 0, workers, chunk, speed);
    h->block = t->kind == CS_CHUNK_BLOCK ? calloc((size_t)workers + 1, sizeof *h->block) : NULL;
    h->taken = calloc((size_t)workers, sizeof *h->taken);
    h->pace = calloc((size_t)workers, sizeof *h->pace);
    if (h->taken && h->pace && (h->block || t->kind != CS_CHUNK_BLOCK))
        return 0;
    cs_handout_free(h);
    return -1;
}

void cs_handout_free(struct cs_handout *h)
{
    free(h->block);
    free(h->taken);
    free(h->pace);
    *h = (struct cs_handout){0};
}

/* Shares into begins: each block begins where those before it end. */
static void sum_up(int64_t *begin, int workers, int64_t items)
{
    int64_t at = 0;
    for (int i = 0; i < workers; i++) {
        int64_t share = begin[i];
        begin[i] = at;
        at += share;
    }
    begin[workers] = at;
    assert(at == items);
}

static void equal_shares(const struct cs_work_loop *l, int64_t *share)
{
    for (int i = 0; i < l->workers; i++)
        share[i] = l->items / l->workers + (i < l->items % l->workers);
}

int cs_blocks(const struct cs_technique *t, const struct cs_work_loop *l, const struct cs_time_curve *curve,
              int64_t *begin)
{
    assert(t->kind == CS_CHUNK_BLOCK);
    int code = 0;
    if ((t->flags & CS_NEED_CURVES) && curve)
        code = cs_shares_by_curve(l->items, l->workers, curve, begin);
    else if ((t->flags & CS_NEED_SPEEDS) && l->speed)
        code = cs_shares_by_weight(l->items, l->workers, l->speed, begin);
    else
        equal_shares(l, begin);
    if (!code)
        sum_up(begin, l->workers, l->items);
    return code;
}

int cs_handout_loop(struct cs_handout *h, int64_t items, const struct cs_time_curve *curve)
{
    assert(items >= 0 && items <= CS_MOST_ITEMS);
    h->loop.items = items;
    h->at = (struct cs_chunk_sequence){0};
    memset(h->taken, 0, (size_t)h->loop.workers * sizeof *h->taken);
    return h->block ? cs_blocks(h->technique, &h->loop, curve, h->block) : 0;
}

static int64_t take_block(struct cs_handout *h, int worker, int64_t *first)
{
    int64_t items = h->taken[worker] ? 0 : h->block[worker + 1] - h->block[worker];
    *first = h->block[worker];
    h->taken[worker] = 1;
    h->at.next += items;
    return items;
}

int64_t cs_handout_take(struct cs_handout *h, int worker, int64_t *first)
{
    assert(worker >= 0 && worker < h->loop.workers);
    if (h->block)
        return take_block(h, worker, first);
    *first = h->at.next;
    if (h->at.next == h->loop.items)
        return 0;
    struct cs_chunk_question q = {&h->loop, h->at.next,       h->at.step, h->taken[worker],
                                  worker,   &h->pace[worker], &h->sums,   &h->at.batch};
    int64_t items = cs_chunk_size(h->technique, &q);
    h->at.next += items;
    h->at.step++;
    h->taken[worker]++;
    assert(items > 0 && h->at.next <= h->loop.items);
    return items;
}

void cs_handout_note(struct cs_handout *h, int worker, int64_t items, double seconds)
{
    if (!(h->technique->flags & CS_NEED_MEASURED) || items == 0)
        return;
    struct cs_pace_sums change = cs_pace_note(&h->pace[worker], cs_given_weight(&h->loop, worker), items, seconds);
    cs_pace_sums_add(&h->sums, &change);
}

/* Chunks that are all alike but for the last one. */
static void jump(const struct cs_technique *t, const struct cs_work_loop *l, struct cs_chunk_sequence *s, int64_t step)
{
    struct cs_chunk_question q = {.loop = l, .batch = &s->batch};
    int64_t size = t->size(&q), whole = l->items / size;
    s->step = step < whole ? step : whole;
    s->next = s->step * size;
}

int64_t cs_chunk_at_step(const struct cs_technique *t, const struct cs_work_loop *l, struct cs_chunk_sequence *s,
                         int64_t step, int64_t *first)
{
    assert(t->kind == CS_CHUNK_STEP && step >= s->step);
    if ((t->flags & CS_ALL_ALIKE) && l->items > 0)
        jump(t, l, s, step);
    for (int64_t size = 0; s->next < l->items; s->step++, s->next += size) {
        struct cs_chunk_question q = {.loop = l, .next = s->next, .step = s->step, .batch = &s->batch};
        size = cs_chunk_size(t, &q);
        if (s->step < step)
            continue;
        *first = s->next;
        s->next += size;
        s->step++;
        return size;
    }
    *first = l->items;
    return 0;
}
