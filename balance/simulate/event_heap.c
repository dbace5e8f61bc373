/* SPDX-License-Identifier: BSD-3-Clause
 * The heap of events: event_heap.h. Each worker has one event, so that nothing is ever added: the first one is changed
 * or taken out. */
#include "balance/simulate/event_heap.h"

#include <assert.h>

/* Without branches, which nobody could predict. */
static bool earlier(const struct cs_worker_event *a, const struct cs_worker_event *b)
{
    return (a->time < b->time) | ((a->time == b->time) & (a->worker < b->worker));
}

/* The earliest of the children from `first` on. */
static int earliest(const struct cs_event_heap *h, int first)
{
    int best = first;
    if (first + 4 > h->n) {
        for (int i = first + 1; i < h->n; i++)
            best = earlier(&h->at[i], &h->at[best]) ? i : best;
        return best;
    }
    int low = first + earlier(&h->at[first + 1], &h->at[first]);
    int high = first + 2 + earlier(&h->at[first + 3], &h->at[first + 2]);
    return earlier(&h->at[high], &h->at[low]) ? high : low;
}

void cs_events_sink(struct cs_event_heap *h)
{
    int i = 0;
    struct cs_worker_event e = h->at[0];
    for (int child; (child = 4 * i + 1) < h->n; i = child) {
        child = earliest(h, child);
        if (!earlier(&h->at[child], &e))
            break;
        h->at[i] = h->at[child];
    }
    h->at[i] = e;
}

void cs_events_drop(struct cs_event_heap *h)
{
    assert(h->n > 0);
    h->at[0] = h->at[--h->n];
    if (h->n)
        cs_events_sink(h);
}
