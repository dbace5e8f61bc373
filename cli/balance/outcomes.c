/* SPDX-License-Identifier: BSD-3-Clause
 * Simulates all techniques and chooses one: outcomes.h. Each simulation stands alone, so they share out processors. */
#define _GNU_SOURCE 1
#include "cli/balance/outcomes.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <unistd.h>

/* Techniques as fast as the fastest: nobody knows costs and speeds better than so. */
static const double ALIKE = 1.01;

/* What the threads share: the next technique that nobody simulates. */
struct crew {
    struct cs_outcomes *o;
    int next, failed;
};

static void *simulate_some(void *arg)
{
    struct crew *c = arg;
    int i;
    while ((i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->o->n)
        if (cs_simulate(c->o->simulation, c->o->of[i].technique, &c->o->of[i].is))
            __atomic_store_n(&c->failed, 1, __ATOMIC_RELAXED);
    return NULL;
}

static double ideal(const struct cs_simulation *s)
{
    double speeds = 0, fastest = 0, longest = 0;
    for (int i = 0; i < s->workers; i++) {
        speeds += s->real[i];
        fastest = fmax(fastest, s->real[i]);
    }
    for (int64_t i = 0; i < s->items; i++)
        longest = fmax(longest, s->before[i + 1] - s->before[i]);
    return fmax(s->before[s->items] / speeds, longest / fastest);
}

int cs_outcomes_simulate(struct cs_outcomes *o, const struct cs_simulation *s)
{
    enum { MOST_THREADS = 8 };
    struct crew crew = {.o = o};
    pthread_t thread[MOST_THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int n = 0;
    assert(o->n > 0 && o->n <= CS_MOST_OUTCOMES);
    o->simulation = s;
    o->ideal = ideal(s);
    while (n + 1 < processors && n < MOST_THREADS && !pthread_create(&thread[n], NULL, simulate_some, &crew))
        n++;
    simulate_some(&crew);
    while (n > 0)
        pthread_join(thread[--n], NULL);
    return crew.failed ? -1 : 0;
}

double cs_outcome_imbalance(const struct cs_outcome *o)
{
    return o->is.mean > 0 ? o->is.seconds / o->is.mean : 1;
}

static bool may_take(const struct cs_outcome *o, unsigned without)
{
    return !(o->technique->flags & without);
}

static const struct cs_outcome *best(const struct cs_outcomes *o, unsigned without)
{
    const struct cs_outcome *take = NULL;
    double least = INFINITY;
    for (int i = 0; i < o->n; i++)
        if (may_take(&o->of[i], without))
            least = fmin(least, o->of[i].is.seconds);
    for (int i = 0; i < o->n; i++)
        if (may_take(&o->of[i], without) && o->of[i].is.seconds <= least * ALIKE &&
            (!take || o->of[i].is.messages < take->is.messages))
            take = &o->of[i];
    return take;
}

/* What learns from a loop before is only taken where there is nothing else. */
const struct cs_outcome *cs_outcome_best(const struct cs_outcomes *o)
{
    return best(o, CS_NEED_CURVES) ? best(o, CS_NEED_CURVES) : best(o, 0);
}

const struct cs_outcome *cs_outcome_best_unknown(const struct cs_outcomes *o)
{
    return best(o, CS_NEED_SPEEDS | CS_NEED_CURVES);
}
