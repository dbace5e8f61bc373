/* SPDX-License-Identifier: BSD-3-Clause
 * The workers by the time of their next request, the earliest first; of those at the same time, the lowest number. */
#ifndef CS_EVENT_HEAP_H
#define CS_EVENT_HEAP_H

#include <stdbool.h>

/* A worker's next request. */
struct cs_worker_event {
    double time;
    int worker;
};

/* A heap with four children each, which take fewer levels than two: those of i are 4i + 1 to 4i + 4. */
struct cs_event_heap {
    struct cs_worker_event *at;
    int n;
};

/* Restores the order after the first event was changed. */
void cs_events_sink(struct cs_event_heap *h);
/* Takes the first event out. */
void cs_events_drop(struct cs_event_heap *h);

#endif
