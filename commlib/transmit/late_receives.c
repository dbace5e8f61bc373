/* SPDX-License-Identifier: BSD-3-Clause
 * A ring of requests; when it is full, the rank waits for the oldest one, so that it does not get far ahead. */
#include "commlib/transmit/late_receives.h"

#include <assert.h>
#include <limits.h>

#include "api/marks.h"
#include "commlib/backend/backend.h"
#include "commlib/state/own_slice.h"

/* Receives that are waited for later, at most: n of them, from `oldest` on. */
enum { MOST = 64 };
static MPI_Request ring[MOST];
static int oldest, n;

static bool may_be_late(int mark, int source)
{
    return cs_own_slice.unordered && cs_backend_emulated() && mark == CS_MARK_ENVELOPE && source != MPI_ANY_SOURCE &&
           source != MPI_PROC_NULL;
}

static int end_oldest(void)
{
    int at = oldest;
    assert(n > 0 && n <= MOST);
    oldest = (oldest + 1) % MOST;
    n--;
    return PMPI_Wait(&ring[at], MPI_STATUS_IGNORE);
}

static int add(MPI_Request r)
{
    int rc = n == MOST ? end_oldest() : MPI_SUCCESS;
    ring[(oldest + n++) % MOST] = r;
    return rc;
}

/* Are its counts such that calls without large counts can have them? */
static bool counts_are_small(const struct cs_call *c)
{
    for (int i = 0; i < c->info->nargs; i++)
        if (c->info->args[i].role == CS_ROLE_COUNT && c->a[i].i > INT_MAX)
            return false;
    return true;
}

bool cs_late_call(const struct cs_call *c)
{
    return cs_call_has(c, CS_ROLE_SOURCE) && cs_call_has(c, CS_ROLE_STATUS) &&
           cs_call_ptr(c, CS_ROLE_STATUS) == MPI_STATUS_IGNORE &&
           may_be_late(c->mark, cs_call_int(c, CS_ROLE_SOURCE)) && counts_are_small(c);
}

/* A buffer argument of the call. */
struct buffer {
    void *p;
    int count;
    MPI_Datatype type;
};

/* The first that the call has of these two roles; MPI_Sendrecv_replace has one buffer for both ways. */
static struct buffer buffer_of(const struct cs_call *c, enum cs_role role)
{
    int at = c->shape->at[cs_call_has(c, role) ? role : CS_ROLE_SRBUF];
    assert(at >= 0);
    const struct cs_mpi_arg *b = &c->info->args[at];
    return (struct buffer){c->a[at].p, (int)c->a[b->count_arg].i, (MPI_Datatype)c->a[b->type_arg].i};
}

int cs_late_receive(struct cs_call *c)
{
    MPI_Request request;
    struct buffer to = buffer_of(c, CS_ROLE_RBUF);
    int rc = PMPI_Irecv(to.p, to.count, to.type, cs_call_int(c, CS_ROLE_SOURCE), (int)c->a[c->shape->last_tag].i,
                        cs_call_comm(c), &request);
    if (rc == MPI_SUCCESS && cs_call_has(c, CS_ROLE_DEST)) {
        struct buffer from = buffer_of(c, CS_ROLE_SBUF);
        rc = PMPI_Send(from.p, from.count, from.type, cs_call_int(c, CS_ROLE_DEST), cs_call_int(c, CS_ROLE_TAG),
                       cs_call_comm(c));
    }
    return rc == MPI_SUCCESS ? add(request) : rc;
}

void cs_late_request(struct cs_request *r)
{
    if (!r || r->fake || r->persistent || !r->receives || !may_be_late(r->mark, r->peer))
        return;
    add(r->real);
    r->real = MPI_REQUEST_NULL;
    r->fake = true;
}

void cs_late_end(void)
{
    while (n > 0)
        end_oldest();
}
