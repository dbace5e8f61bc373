/* SPDX-License-Identifier: BSD-3-Clause
 * Messages and receives that have not met yet: queues in the order in which they were begun, and which of them fits. */
#ifndef CS_UNMET_H
#define CS_UNMET_H

#include <stdint.h>

/* A message or a receive, as the first member of what the caller keeps of it. comm: the number of the communicator;
 * from: the world rank that sends it, CS_PEER_ANY where a receive takes any; tag: CS_ANY likewise. */
struct cs_unmet {
    int comm, from;
    int64_t tag;
    struct cs_unmet *next;
};

/* All zero: empty. */
struct cs_unmet_queue {
    struct cs_unmet *first, *last;
};

/* Puts u behind all others. The queue does not own it. */
void cs_unmet_add(struct cs_unmet_queue *q, struct cs_unmet *u);
/* The first one that fits, or NULL: of one communicator, sender and tag (MPI 3.1, section 3.5), where a wildcard may be
 * on either side. */
struct cs_unmet *cs_unmet_find(const struct cs_unmet_queue *q, int comm, int from, int64_t tag);
/* The same, taken out of the queue. */
struct cs_unmet *cs_unmet_take(struct cs_unmet_queue *q, int comm, int from, int64_t tag);

#endif
