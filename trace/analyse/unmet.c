/* SPDX-License-Identifier: BSD-3-Clause
 * Queues of messages and receives that have not met yet; unmet.h. */
#include "trace/analyse/unmet.h"

#include <stdbool.h>
#include <stddef.h>

#include "trace/analyse/args.h"
#include "trace/format/fields.h"

void cs_unmet_add(struct cs_unmet_queue *q, struct cs_unmet *u)
{
    u->next = NULL;
    if (q->last)
        q->last->next = u;
    else
        q->first = u;
    q->last = u;
}

static bool fits(const struct cs_unmet *u, int comm, int from, int64_t tag)
{
    return u->comm == comm && (u->from == from || u->from == CS_PEER_ANY || from == CS_PEER_ANY) &&
           (u->tag == tag || u->tag == CS_ANY || tag == CS_ANY);
}

struct cs_unmet *cs_unmet_find(const struct cs_unmet_queue *q, int comm, int from, int64_t tag)
{
    struct cs_unmet *u = q->first;
    while (u && !fits(u, comm, from, tag))
        u = u->next;
    return u;
}

struct cs_unmet *cs_unmet_take(struct cs_unmet_queue *q, int comm, int from, int64_t tag)
{
    struct cs_unmet *before = NULL, *u = q->first;
    for (; u && !fits(u, comm, from, tag); u = u->next)
        before = u;
    if (!u)
        return NULL;
    if (before)
        before->next = u->next;
    else
        q->first = u->next;
    if (q->last == u)
        q->last = before;
    return u;
}
