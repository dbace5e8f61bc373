/* SPDX-License-Identifier: BSD-3-Clause
 * The dynamic programs of fold_search.h. Each place costs one step, and one more for each piece in play there. */
#include "base/grow.h"
#include "trace/fold/fold_search.h"

#include <stdlib.h>
#include <string.h>

/* A piece in play. At each place that the search visits, one more power, of exactly two bodies, becomes possible. A
 * longer power with the same end starts a whole number of periods farther away, so one minimum for each place modulo
 * period is enough. Forward, least[slot] is the cost of the cheapest way to the visited place that ends with a power;
 * backward, that of the cheapest way from the end of a power that starts at the visited place. */
struct cs_active {
    int32_t last; /* the last place where it is in play */
    int32_t period, run;
    int32_t slot;        /* of the visited place in `least`; goes round modulo period */
    int32_t body;        /* the run's body that starts where the power does; goes round modulo period */
    int32_t fresh;       /* slots that have not been set yet */
    cs_cost *least;      /* by slot; owned */
    int32_t *from;       /* by slot: where the power starts; in the same memory, only if steps are asked for */
    const cs_cost *cost; /* of the run's bodies */
};

/* The part of a piece that lies in the part of the stretch being searched. */
struct clip {
    int32_t start, end, period;
};

/* Clips piece i to [start, end]. False: no power fits into what is left. */
static bool clip(const struct cs_search *q, int32_t i, int32_t start, int32_t end, struct clip *c)
{
    const struct cs_piece *p = &q->piece[i];
    c->period = q->runs.run[p->run].period;
    c->start = p->start > start ? p->start : start;
    c->end = p->end < end ? p->end : end;
    return c->end - c->start >= 2 * c->period;
}

/* Lists the pieces by the place in [start, end] where they come into play: q->head, q->next. */
static int prepare(struct cs_search *q, int32_t start, int32_t end, bool backward)
{
    size_t places = (size_t)(end - start) + 1;
    struct clip c;
    if (!CS_MAKE_ROOM_FOR(q->head, places, q->head_cap) || !CS_MAKE_ROOM_FOR(q->next, (size_t)q->npieces, q->next_cap))
        return -1;
    memset(q->head, -1, places * sizeof *q->head);
    for (int32_t i = q->npieces - 1; i >= 0; i--) {
        if (!clip(q, i, start, end, &c))
            continue;
        int32_t at = backward ? c.end - 2 * c.period : c.start + 2 * c.period;
        q->next[i] = q->head[at - start];
        q->head[at - start] = i;
    }
    return 0;
}

/* Brings piece i into play: appends it to q->active, which has *nactive entries. */
static int activate(struct cs_search *q, size_t *nactive, int32_t i, int32_t start, int32_t end, bool backward,
                    bool with_from)
{
    struct clip c;
    if (!CS_MAKE_ROOM_FOR(q->active, *nactive + 1, q->active_cap))
        return -1;
    clip(q, i, start, end, &c);
    const struct cs_run_of *r = &q->runs.run[q->piece[i].run];
    int32_t first = backward ? c.end - 2 * c.period : c.start, bodies = cs_bodies(c.end - c.start, c.period);
    cs_cost *least = malloc((size_t)bodies * (sizeof *least + (with_from ? sizeof(int32_t) : 0)));
    if (!least)
        return -1;
    q->active[(*nactive)++] = (struct cs_active){
        .last = backward ? c.start : c.end,
        .period = c.period,
        .run = q->piece[i].run,
        .body = (first - r->start) % c.period,
        .fresh = bodies,
        .least = least,
        .from = (int32_t *)(least + bodies),
        .cost = q->body + q->body_at[q->piece[i].run],
    };
    return 0;
}

/* Brings the pieces that come into play at place x into play. On error all active ones are freed. */
static int activate_at(struct cs_search *q, size_t *nactive, int32_t x, int32_t start, int32_t end, bool backward,
                       bool with_from)
{
    for (int32_t i = q->head[x - start]; i >= 0; i = q->next[i])
        if (activate(q, nactive, i, start, end, backward, with_from)) {
            while (*nactive)
                free(q->active[--*nactive].least);
            return -1;
        }
    return 0;
}

static inline int32_t wrap_up(int32_t i, int32_t period)
{
    return i + 1 == period ? 0 : i + 1;
}

/* The cost of the cheapest way to place x that ends with a power in the piece; cost[] is known up to x - 1. */
static inline cs_cost end_power(struct cs_active *a, int32_t x, int32_t start, const cs_cost *cost, bool with_from)
{
    int32_t from = x - 2 * a->period;
    cs_cost new = cost[from - start] + a->cost[a->body] + CS_COST_LOOP, *least = &a->least[a->slot];
    if (a->fresh > 0 || new < *least) {
        *least = new;
        if (with_from)
            a->from[a->slot] = from;
    }
    if (a->fresh > 0)
        a->fresh--;
    return *least;
}

int cs_search_forward(struct cs_search *q, int32_t start, int32_t end, cs_cost *cost, struct cs_step *step)
{
    size_t nactive = 0;
    if (prepare(q, start, end, false))
        return -1;
    cost[0] = 0;
    for (int32_t x = start + 1; x <= end; x++) {
        cs_cost best = cost[x - 1 - start] + CS_COST_SYMBOL;
        struct cs_step by = {-1, x - 1};
        if (activate_at(q, &nactive, x, start, end, false, step != NULL))
            return -1;
        q->steps += (int64_t)nactive + 1;
        for (size_t k = 0; k < nactive;) {
            struct cs_active *a = &q->active[k];
            cs_cost c = end_power(a, x, start, cost, step != NULL);
            if (c < best) {
                best = c;
                if (step)
                    by = (struct cs_step){a->run, a->from[a->slot]};
            }
            a->slot = wrap_up(a->slot, a->period);
            a->body = wrap_up(a->body, a->period);
            if (a->last == x) {
                free(a->least);
                *a = q->active[--nactive];
            } else {
                k++;
            }
        }
        cost[x - start] = best;
        if (step)
            step[x - start] = by;
    }
    return 0;
}

int cs_search_backward(struct cs_search *q, int32_t start, int32_t end, cs_cost *cost)
{
    size_t nactive = 0;
    if (prepare(q, start, end, true))
        return -1;
    cost[end - start] = 0;
    for (int32_t x = end - 1; x >= start; x--) {
        cs_cost best = cost[x + 1 - start] + CS_COST_SYMBOL;
        if (activate_at(q, &nactive, x, start, end, true, false))
            return -1;
        q->steps += (int64_t)nactive + 1;
        for (size_t k = 0; k < nactive;) {
            struct cs_active *a = &q->active[k];
            cs_cost *least = &a->least[a->slot], to = cost[x + 2 * a->period - start];
            if (a->fresh > 0 || to < *least)
                *least = to;
            a->fresh -= a->fresh > 0;
            cs_cost c = *least + a->cost[a->body] + CS_COST_LOOP;
            best = c < best ? c : best;
            a->slot = wrap_up(a->slot, a->period);
            a->body = a->body == 0 ? a->period - 1 : a->body - 1;
            if (a->last == x) {
                free(a->least);
                *a = q->active[--nactive];
            } else {
                k++;
            }
        }
        cost[x - start] = best;
    }
    return 0;
}

void cs_search_free(struct cs_search *q)
{
    cs_runs_free(&q->runs);
    free(q->body_at);
    free(q->body);
    free(q->piece);
    free(q->head);
    free(q->next);
    free(q->active);
}
