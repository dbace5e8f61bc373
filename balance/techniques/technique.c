/* SPDX-License-Identifier: BSD-3-Clause
 * The table of techniques and their calculators; see technique.h.
 * All are integer forms, so that any two processes get the same chunks. */
#include "balance/techniques/technique.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int64_t left(const struct cs_chunk_question *q)
{
    return q->loop->items - q->next;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* A double that may be anything as a number of items. */
static int64_t whole(double items)
{
    return items >= 1 ? items < (double)CS_MOST_ITEMS ? (int64_t)(items + 0.5) : CS_MOST_ITEMS : 1;
}

double cs_given_weight(const struct cs_work_loop *l, int worker)
{
    return l->speed ? l->speed[worker] * l->workers / l->speed_sum : 1;
}

/* ---- chunks by step ---- */

/* Self-scheduling. */
static int64_t one(const struct cs_chunk_question *q)
{
    return 1;
}

/* Chunk self-scheduling: a 32nd of an equal share, if nobody says how many. */
static int64_t fixed(const struct cs_chunk_question *q)
{
    const struct cs_work_loop *l = q->loop;
    return l->chunk ? l->chunk : ceil_div(l->items, 32 * (int64_t)l->workers);
}

/* Guided self-scheduling: the P-th part of what is left. */
static int64_t guided(const struct cs_chunk_question *q)
{
    return ceil_div(left(q), q->loop->workers);
}

/* Trapezoid self-scheduling TSS(N/2P, 1): chunks that get smaller by as much each time. */
static int64_t trapezoid(const struct cs_chunk_question *q)
{
    int64_t first = ceil_div(q->loop->items, 2 * (int64_t)q->loop->workers);
    int64_t steps = ceil_div(2 * q->loop->items, first + 1);
    int64_t smaller = steps > 1 ? (first - 1) / (steps - 1) : 0;
    return first - q->step * smaller;
}

/* Factoring by two: each batch of P chunks is half of what is left. */
static int64_t factoring(const struct cs_chunk_question *q)
{
    if (q->step % q->loop->workers == 0)
        *q->batch = ceil_div(left(q), 2 * (int64_t)q->loop->workers);
    return *q->batch;
}

/* ---- chunks by worker ---- */

/* The chunk of FAC2 at the place that the loop has come to, so that it depends on nothing else. */
static int64_t batch_chunk(const struct cs_chunk_question *q)
{
    int64_t rest = q->loop->items, workers = q->loop->workers, chunk = ceil_div(rest, 2 * workers);
    while (left(q) <= rest - workers * chunk) {
        rest -= workers * chunk;
        chunk = ceil_div(rest, 2 * workers);
    }
    return chunk;
}

/* Weighted factoring: FAC2's chunk times the worker's weight. */
static int64_t weighted(const struct cs_chunk_question *q)
{
    return whole(cs_given_weight(q->loop, q->worker) * (double)batch_chunk(q));
}

/* Adaptive weighted factoring: the weight is the worker's measured rate against the mean of those that are measured. */
static int64_t adaptive_weighted(const struct cs_chunk_question *q)
{
    if (!(q->pace->share.rate > 0) || !(q->sums->rate > 0))
        return weighted(q);
    return whole(q->pace->share.rate * q->sums->given / q->sums->rate * (double)batch_chunk(q));
}

/* Adaptive factoring: from mean and variance of the time of an item, by worker. The first two chunks measure. */
static int64_t adaptive(const struct cs_chunk_question *q)
{
    const struct cs_pace_sums *s = q->sums;
    double workers = q->loop->workers, rest = (double)left(q);
    if (!(q->pace->share.measured > 0) || !(s->pace > 0))
        return ceil_div(q->loop->items, 64 * (int64_t)q->loop->workers);
    /* The workers that are not measured yet are taken to be as the others in the mean. */
    double d = s->spread * workers / s->measured, e = 1 / (s->pace * workers / s->measured);
    return whole((d + 2 * e * rest - sqrt(d * d + 4 * d * e * rest)) / (2 * q->pace->mean));
}

/* A share by relative performance first, of half of the loop; then chunks of that proportion, of which the slowest
 * worker gets `chunk` items, or a 64th of its share of all, whatever of both is there. */
static int64_t proportional(const struct cs_chunk_question *q)
{
    const struct cs_work_loop *l = q->loop;
    double speed = l->speed ? l->speed[q->worker] : 1;
    double unit = l->chunk ? (double)l->chunk : fmax(1, (double)l->items * l->slowest / l->speed_sum / 64);
    double first = (double)l->items / 2 * speed / l->speed_sum, later = unit * speed / l->slowest;
    return whole(q->taken ? later : fmax(first, later));
}

/* ---- the table ---- */

const struct cs_technique cs_techniques[] = {
    {"static", "equal blocks", CS_CHUNK_BLOCK, 0, NULL},
    {"vrp", "blocks by relative performance", CS_CHUNK_BLOCK, CS_NEED_SPEEDS, NULL},
    {"vrp-dynamic", "blocks by performance at their size", CS_CHUNK_BLOCK, CS_NEED_SPEEDS | CS_NEED_CURVES, NULL},
    {"ss", "self-scheduling", CS_CHUNK_STEP, CS_ALL_ALIKE | CS_ANYWHERE, one},
    {"css", "chunk self-scheduling", CS_CHUNK_STEP, CS_NEED_CHUNK | CS_ALL_ALIKE | CS_ANYWHERE, fixed},
    {"gss", "guided self-scheduling", CS_CHUNK_STEP, 0, guided},
    {"tss", "trapezoid self-scheduling", CS_CHUNK_STEP, 0, trapezoid},
    {"fac2", "factoring", CS_CHUNK_STEP, 0, factoring},
    {"wf", "weighted factoring", CS_CHUNK_WORKER, CS_NEED_SPEEDS, weighted},
    {"awf", "adaptive weighted factoring", CS_CHUNK_WORKER, CS_NEED_SPEEDS | CS_NEED_MEASURED, adaptive_weighted},
    {"af", "adaptive factoring", CS_CHUNK_WORKER, CS_NEED_MEASURED, adaptive},
    {"vrp-ss", "self-scheduling by relative performance", CS_CHUNK_WORKER, CS_NEED_SPEEDS | CS_NEED_CHUNK | CS_ANYWHERE,
     proportional},
};
const int cs_ntechniques = sizeof cs_techniques / sizeof *cs_techniques;

const struct cs_technique *cs_technique_find(const char *name)
{
    for (int i = 0; i < cs_ntechniques; i++)
        if (strcmp(cs_techniques[i].name, name) == 0)
            return &cs_techniques[i];
    return NULL;
}

void cs_work_loop_speeds(struct cs_work_loop *l, const double *speed)
{
    l->speed = speed;
    l->speed_sum = speed ? 0 : l->workers;
    l->slowest = speed ? speed[0] : 1;
    for (int i = 0; speed && i < l->workers; i++) {
        assert(speed[i] > 0 && isfinite(speed[i]));
        l->speed_sum += speed[i];
        l->slowest = fmin(l->slowest, speed[i]);
    }
}

void cs_work_loop_init(struct cs_work_loop *l, int64_t items, int workers, int64_t chunk, const double *speed)
{
    assert(items >= 0 && items <= CS_MOST_ITEMS && workers >= 1 && chunk >= 0);
    *l = (struct cs_work_loop){.items = items, .workers = workers, .chunk = chunk};
    cs_work_loop_speeds(l, speed);
}

int64_t cs_chunk_size(const struct cs_technique *t, const struct cs_chunk_question *q)
{
    assert(t->size && left(q) > 0);
    int64_t size = t->size(q);
    return size < 1 ? 1 : size > left(q) ? left(q) : size;
}
