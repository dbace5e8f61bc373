/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of communicators by a text that only the same communicator has; comm_numbers.h. */
#include "trace/analyse/comm_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/grow.h"
#include "base/mix.h"

/* A communicator that has a number: "PATH:HASH OF ITS MEMBERS". A path alone is not enough: ranks count the
 * communicators that they make from a group (world/g0) each for itself. */
struct cs_comm_numbers {
    char *key;
    int number;
    UT_hash_handle hh;
};

/* Of an intercommunicator, whose two groups see each other, 0. */
static uint64_t hash_of(const struct cs_comm_def *c, bool member)
{
    uint64_t hash = 0;
    for (int i = 0; member && i < c->nranks; i++)
        hash = cs_mix(hash + (uint64_t)c->world_ranks[i] + 1);
    return hash;
}

/* The number of the communicator; -1: memory is out. */
static int number_of(struct cs_comm_numbers **numbers, const struct cs_comm_def *c, bool member)
{
    struct cs_comm_numbers *found;
    size_t room = strlen(c->path) + 24;
    char *key = malloc(room);
    if (!key)
        return -1;
    snprintf(key, room, "%s:%" PRIx64, c->path, hash_of(c, member));
    HASH_FIND_STR(*numbers, key, found);
    if (found) {
        free(key);
        return found->number;
    }
    if (!(found = malloc(sizeof *found))) {
        free(key);
        return -1;
    }
    *found = (struct cs_comm_numbers){.key = key, .number = (int)HASH_COUNT(*numbers)};
    HASH_ADD_KEYPTR(hh, *numbers, found->key, strlen(found->key), found);
    return found->number;
}

struct cs_member *cs_member_of(struct cs_comm_numbers **numbers, struct cs_members *m, const struct cs_trace *t,
                               int rank, int64_t comm)
{
    const struct cs_comm_def *c = comm >= 0 && comm <= INT32_MAX ? cs_trace_comm(t, rank, (int)comm) : NULL;
    if (!c || !CS_MAKE_ROOM_FOR(m->comm, comm + 1, m->cap))
        return NULL;
    while (m->n <= comm)
        m->comm[m->n++] = (struct cs_member){.number = -1};
    struct cs_member *own = &m->comm[comm];
    if (own->number >= 0)
        return own;
    for (own->me = 0; own->me < c->nranks && c->world_ranks[own->me] != rank; own->me++)
        ;
    own->me = own->me < c->nranks ? own->me : -1;
    own->number = number_of(numbers, c, own->me >= 0);
    return own->number >= 0 ? own : NULL;
}

void cs_comm_numbers_free(struct cs_comm_numbers *numbers)
{
    struct cs_comm_numbers *c, *next;
    HASH_ITER (hh, numbers, c, next) {
        HASH_DEL(numbers, c);
        free(c->key);
        free(c);
    }
}

void cs_members_free(struct cs_members *m)
{
    free(m->comm);
    memset(m, 0, sizeof *m);
}
