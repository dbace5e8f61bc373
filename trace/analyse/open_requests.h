/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the requests of one rank through its events: which operation a completed request belonged to.
 * A trace numbers requests by their creation (docs/reference/trace-format.md); this turns the numbers back into
 * operations. */
#ifndef CS_OPEN_REQUESTS_H
#define CS_OPEN_REQUESTS_H

#include <stddef.h>

#include "trace/analyse/args.h"

/* What a request stands for. */
enum cs_request_kind { CS_REQUEST_OTHER, CS_REQUEST_SEND, CS_REQUEST_RECV, CS_REQUEST_COLL };

/* An operation that a request stands for. */
struct cs_open_request {
    enum cs_request_kind kind;
    bool persistent, open; /* open: started, not yet seen to complete */
    int peer;              /* in MPI_COMM_WORLD, or CS_PEER_* */
    int64_t tag, comm;     /* as in the event: comm is the rank's number of the communicator */
    uint64_t bytes;
    unsigned flags; /* enum cs_mpi_flag of the call that made the request */
    int64_t event;  /* the event that started it, counted from 0 */
    uint64_t id;    /* of this operation: no two of a rank have the same */
    /* Of a persistent collective: the call that made it, else NULL; which one it is of its communicator; and of the one
     * that is started, a number that all members give it and no other collective that they count from 0. Members make
     * them in the same order and start them in any (MPI 4.0, 6.13). */
    struct cs_args *made_by;
    int64_t nth, starts, meeting;
};

/* The requests of one rank; all zero at the beginning. */
struct cs_open_requests {
    struct cs_open_request *made; /* ring of those not persistent; [first, last) in order of creation */
    uint64_t first, last, cap;
    struct cs_open_request *kept; /* persistent ones, by number */
    size_t nkept, kept_cap;
    uint64_t ids;
};

/* Called for each request that the event starts (with what it starts) or completes. 0, or -1 to stop. */
typedef int cs_request_fn(void *arg, const struct cs_open_request *r);

/* Takes the next event of the rank, and calls `completed` or `started` (NULL: none) with `arg` for its requests. Sets
 * *unknown if it completes requests that the trace does not name: they stay open. 0, or -1: memory is out, or a
 * callback returned -1. */
int cs_open_requests_event(struct cs_open_requests *q, const struct cs_args *a, int64_t event, cs_request_fn *started,
                           cs_request_fn *completed, void *arg, bool *unknown);
/* The oldest open request, or NULL. */
struct cs_open_request *cs_open_requests_oldest(struct cs_open_requests *q);
void cs_open_requests_free(struct cs_open_requests *q);

#endif
