/* SPDX-License-Identifier: BSD-3-Clause
 * The table of outstanding requests and messages, in chunks that never move. A handle is 0x11 in the top byte and the
 * slot below it, so its two top bits are 0. MPICH gives out no such handles: for it they are not valid. */
#include "commlib/record/request_table.h"

#include <assert.h>
#include <stdlib.h>

#include "commlib/state/run_state.h"
#include "commlib/state/lock.h"
#include "trace/format/fields.h"

/* A handle is OUR_KIND << KIND_SHIFT | slot. Chunk k has FIRST << k slots, so slot i is in chunk chunk_of(i). */
enum {
    OUR_KIND = 0x11,
    KIND_SHIFT = 24,
    SLOT_MASK = 0xffffff,
    FIRST = 8,
    FIRST_LOG = 3,
    NCHUNKS = KIND_SHIFT - FIRST_LOG + 1 /* each chunk has twice as many slots as the one before */
};

static struct cs_request *chunks[NCHUNKS];
static int nslots; /* slots that were ever used */
static int first_free = -1;
static int64_t nrequests, npersistent, nmessages, nforeign;
static int64_t nopen;         /* requests that are neither persistent nor ended ... */
static uint64_t open_numbers; /* ... and the sum of their numbers */

static int chunk_of(int i)
{
    return 31 - FIRST_LOG - __builtin_clz((unsigned)(i + FIRST));
}

static struct cs_request *slot(int i)
{
    int k = chunk_of(i);
    return &chunks[k][i + FIRST - (FIRST << k)];
}

static struct cs_request *take_slot(void)
{
    int i = first_free;
    if (i >= 0) {
        first_free = slot(i)->next_free;
    } else {
        i = nslots;
        if (i > SLOT_MASK)
            return NULL;
        int k = chunk_of(i);
        if (!chunks[k] && !(chunks[k] = calloc((size_t)FIRST << k, sizeof(struct cs_request))))
            return NULL;
        nslots++;
    }
    struct cs_request *r = slot(i);
    assert(!r->in_use && i < nslots);
    *r =
        (struct cs_request){.handle = OUR_KIND << KIND_SHIFT | i, .real = MPI_REQUEST_NULL, .in_use = true, .site = -1};
    return r;
}

struct cs_request *cs_request_new(bool persistent)
{
    cs_lock();
    struct cs_request *r = take_slot();
    if (r) {
        r->persistent = persistent;
        r->number = persistent ? npersistent++ : nrequests++;
    }
    if (r && !persistent) {
        nopen++;
        open_numbers += (uint64_t)r->number;
    }
    cs_unlock();
    return r;
}

struct cs_request *cs_message_new(void)
{
    cs_lock();
    struct cs_request *r = take_slot();
    if (r) {
        r->message = true;
        r->number = nmessages++;
    }
    cs_unlock();
    return r;
}

struct cs_request *cs_request_of(int handle)
{
    int i = handle & SLOT_MASK;
    if ((unsigned)handle >> KIND_SHIFT != OUR_KIND || i >= nslots)
        return NULL;
    struct cs_request *r = slot(i);
    return r->in_use ? r : NULL;
}

void cs_request_end(struct cs_request *r)
{
    cs_lock();
    assert(r->in_use && slot(r->handle & SLOT_MASK) == r);
    if (!r->persistent && !r->message) {
        nopen--;
        open_numbers -= (uint64_t)r->number;
    }
    r->in_use = false;
    r->next_free = first_free;
    first_free = r->handle & SLOT_MASK;
    cs_unlock();
}

int64_t cs_request_field(int handle)
{
    if (handle == MPI_REQUEST_NULL)
        return 0;
    const struct cs_request *r = cs_request_of(handle);
    if (!r) {
        nforeign++;
        return CS_FIELD_FOREIGN;
    }
    return r->persistent ? -1 - r->number : nrequests - r->number;
}

int64_t cs_message_field(int handle)
{
    const struct cs_request *r = cs_request_of(handle);
    if (r)
        return nmessages - r->number;
    return handle == MPI_MESSAGE_NULL || handle == MPI_MESSAGE_NO_PROC ? 0 : CS_FIELD_FOREIGN;
}

struct cs_request_counts cs_request_counts(void)
{
    return (struct cs_request_counts){nrequests, npersistent, nforeign, nopen, open_numbers};
}

void cs_request_skip(int64_t n)
{
    assert(n >= 0);
    nrequests += n;
}
