/* SPDX-License-Identifier: BSD-3-Clause
 * Waits, tests, cancels and frees requests: those of the MPI library, fake ones (nothing was transmitted, so they are
 * always complete), and arrays of both. The status of a fake receive is made from the arguments of the receive. */
#include <assert.h>
#include <stdlib.h>

#include "commlib/check/channel_check.h"
#include "commlib/transmit/transmit.h"
#include "commlib/transmit/finish_requests.h"
#include "commlib/transmit/late_receives.h"
#include "commlib/record/request_table.h"
#include "commlib/state/run_state.h"
#include "commlib/backend/real_calls.h"

/* ---- statuses of what was not transmitted ---- */

void cs_fill_fake_status(MPI_Status *s, int source, int tag, int64_t bytes, bool cancelled)
{
    if (s == MPI_STATUS_IGNORE || !s)
        return;
    bool nobody = source == MPI_PROC_NULL;
    s->MPI_SOURCE = source;
    s->MPI_TAG = nobody ? MPI_ANY_TAG : tag;
    PMPI_Status_set_elements_x(s, MPI_BYTE, nobody ? 0 : bytes);
    PMPI_Status_set_cancelled(s, cancelled);
}

/* The status of a fake request. Sends and inactive requests have what the standard calls an empty status. */
static void fill_request_status(const struct cs_request *r, MPI_Status *s)
{
    if (r->receives && (!r->persistent || r->active))
        cs_fill_fake_status(s, r->source, r->tag, r->cancelled ? 0 : r->bytes, r->cancelled);
    else
        cs_fill_fake_status(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, r->cancelled);
}

static MPI_Status *status_at(MPI_Status *statuses, int i)
{
    return statuses == MPI_STATUSES_IGNORE || !statuses ? MPI_STATUS_IGNORE : &statuses[i];
}

/* ---- completion ---- */

/* Ends a request that is done: a persistent one becomes inactive, any other is freed and its handle becomes null. */
static void complete(struct cs_request *r, MPI_Request *handle)
{
    assert(r->in_use && *handle == r->handle);
    r->active = false;
    r->cancelled = false;
    if (r->persistent)
        return;
    *handle = MPI_REQUEST_NULL;
    cs_request_end(r);
}

/* Completes a request, if it is done, after the library's wait or test. It is done if the library has set its handle to
 * null; a persistent one, which keeps its handle, if `said_done`. Does nothing for fakes and for r NULL. */
static void settle(struct cs_request *r, MPI_Request *handle, bool said_done)
{
    if (r && !r->fake && (r->persistent ? said_done : r->real == MPI_REQUEST_NULL))
        complete(r, handle);
}

static int finish_one(struct cs_call *c)
{
    MPI_Request *handle = cs_call_ptr(c, CS_ROLE_REQ_INOUT);
    struct cs_request *r = cs_request_of(*handle);
    int *flag = cs_call_has(c, CS_ROLE_FLAG) ? cs_call_ptr(c, CS_ROLE_FLAG) : NULL;
    MPI_Status *status = cs_call_ptr(c, CS_ROLE_STATUS);
    if (!flag && status == MPI_STATUS_IGNORE)
        cs_late_request(r);
    if (!r || !r->fake) {
        int rc = flag ? PMPI_Test(r ? &r->real : handle, flag, status) : PMPI_Wait(r ? &r->real : handle, status);
        c->polled_in_vain = flag && !*flag;
        settle(r, handle, rc == MPI_SUCCESS && (!flag || *flag));
        return rc;
    }
    fill_request_status(r, status);
    complete(r, handle);
    if (flag)
        *flag = 1;
    return MPI_SUCCESS;
}

/* The library's requests behind an array of the program's, for a call with the whole array: null requests for fakes. */
struct reals {
    MPI_Request *v, few[64];
};

/* Fills *a, to be freed with reals_free. 0, or -1 when memory is out. */
static int reals_of(struct reals *a, const MPI_Request *handles, int n)
{
    a->v = n <= (int)(sizeof a->few / sizeof a->few[0]) ? a->few : malloc((size_t)n * sizeof *a->v);
    for (int i = 0; a->v && i < n; i++) {
        const struct cs_request *r = cs_request_of(handles[i]);
        a->v[i] = r ? r->real : handles[i];
    }
    return a->v ? 0 : -1;
}

/* Stores entry i, which the library's call may have changed, where it came from: in our table, or with the program. */
static void put_back(const struct reals *a, MPI_Request *handles, int i)
{
    struct cs_request *r = cs_request_of(handles[i]);
    if (r)
        r->real = a->v[i];
    else
        handles[i] = a->v[i];
}

static void reals_free(struct reals *a)
{
    if (a->v != a->few)
        free(a->v);
}

/* Is it a fake that MPI_Waitany and its kin may report? (Not an inactive persistent one.) */
static bool is_ready_fake(const struct cs_request *r)
{
    return r && r->fake && (!r->persistent || r->active);
}

static int finish_all(struct cs_call *c)
{
    int n = (int)c->a[0].i, done = 1;
    MPI_Request *handles = cs_call_ptr(c, CS_ROLE_REQS);
    MPI_Status *statuses = cs_call_ptr(c, CS_ROLE_STATUSES);
    struct reals a;
    bool test = cs_call_has(c, CS_ROLE_FLAG);
    if (!statuses)
        statuses = MPI_STATUSES_IGNORE;
    for (int i = 0; i < n && !test && statuses == MPI_STATUSES_IGNORE; i++)
        cs_late_request(cs_request_of(handles[i]));
    if (reals_of(&a, handles, n) != 0)
        return MPI_ERR_NO_MEM;
    int rc = test ? PMPI_Testall(n, a.v, &done, statuses) : PMPI_Waitall(n, a.v, statuses);
    for (int i = 0; i < n; i++) {
        put_back(&a, handles, i);
        struct cs_request *r = cs_request_of(handles[i]);
        if (r && r->fake && done) {
            fill_request_status(r, status_at(statuses, i));
            complete(r, &handles[i]);
        } else {
            settle(r, &handles[i], rc == MPI_SUCCESS && done);
        }
    }
    if (test)
        *(int *)cs_call_ptr(c, CS_ROLE_FLAG) = done;
    c->polled_in_vain = test && !done;
    reals_free(&a);
    return rc;
}

static int first_ready_fake(const MPI_Request *handles, int n)
{
    for (int i = 0; i < n; i++)
        if (is_ready_fake(cs_request_of(handles[i])))
            return i;
    return -1;
}

static int finish_any(struct cs_call *c)
{
    int n = (int)c->a[0].i, done = 1, rc = MPI_SUCCESS;
    MPI_Request *handles = cs_call_ptr(c, CS_ROLE_REQS);
    int *index = cs_call_ptr(c, CS_ROLE_INDEX),
        *flag = cs_call_has(c, CS_ROLE_FLAG) ? cs_call_ptr(c, CS_ROLE_FLAG) : NULL;
    MPI_Status *status = cs_call_ptr(c, CS_ROLE_STATUS);
    struct reals a;
    *index = first_ready_fake(handles, n);
    if (*index >= 0) {
        struct cs_request *r = cs_request_of(handles[*index]);
        fill_request_status(r, status);
        complete(r, &handles[*index]);
    } else {
        if (reals_of(&a, handles, n) != 0)
            return MPI_ERR_NO_MEM;
        rc = flag ? PMPI_Testany(n, a.v, index, &done, status) : PMPI_Waitany(n, a.v, index, status);
        if (done && *index != MPI_UNDEFINED && *index >= 0) {
            put_back(&a, handles, *index);
            settle(cs_request_of(handles[*index]), &handles[*index], rc == MPI_SUCCESS);
        }
        reals_free(&a);
    }
    if (flag)
        *flag = done;
    c->polled_in_vain = flag && !done;
    return rc;
}

/* Completes all fakes that are ready; their indices and statuses go to the arrays. Returns how many there were. */
static int finish_fakes(MPI_Request *handles, int n, int *indices, MPI_Status *statuses)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        struct cs_request *r = cs_request_of(handles[i]);
        if (!is_ready_fake(r))
            continue;
        fill_request_status(r, status_at(statuses, found));
        complete(r, &handles[i]);
        indices[found++] = i;
    }
    return found;
}

static int finish_some(struct cs_call *c)
{
    int n = (int)c->a[0].i, rc = MPI_SUCCESS;
    MPI_Request *handles = cs_call_ptr(c, CS_ROLE_REQS);
    int *outcount = cs_call_ptr(c, CS_ROLE_OUTCOUNT), *indices = cs_call_ptr(c, CS_ROLE_INDICES);
    MPI_Status *statuses = cs_call_ptr(c, CS_ROLE_STATUSES);
    struct reals a;
    if (!statuses)
        statuses = MPI_STATUSES_IGNORE;
    *outcount = finish_fakes(handles, n, indices, statuses);
    if (*outcount > 0)
        return MPI_SUCCESS;
    if (reals_of(&a, handles, n) != 0)
        return MPI_ERR_NO_MEM;
    bool test = c->info->kind == CS_MPI_TEST;
    rc = test ? PMPI_Testsome(n, a.v, outcount, indices, statuses) : PMPI_Waitsome(n, a.v, outcount, indices, statuses);
    for (int k = 0; *outcount != MPI_UNDEFINED && k < *outcount; k++) {
        put_back(&a, handles, indices[k]);
        settle(cs_request_of(handles[indices[k]]), &handles[indices[k]], rc == MPI_SUCCESS);
    }
    c->polled_in_vain = test && *outcount == 0;
    reals_free(&a);
    return rc;
}

static int get_status(struct cs_call *c)
{
    struct cs_request *r = cs_request_of(cs_call_int(c, CS_ROLE_REQ_INOUT));
    int *flag = cs_call_ptr(c, CS_ROLE_FLAG);
    MPI_Status *status = cs_call_ptr(c, CS_ROLE_STATUS);
    if (!r || !r->fake) {
        int rc = PMPI_Request_get_status(r ? r->real : cs_call_int(c, CS_ROLE_REQ_INOUT), flag, status);
        c->polled_in_vain = !*flag;
        return rc;
    }
    fill_request_status(r, status);
    *flag = 1;
    return MPI_SUCCESS;
}

int cs_finish_requests(struct cs_call *c)
{
    if (cs_call_has(c, CS_ROLE_REQ_INOUT))
        return c->info->flags & CS_MPI_EVENT ? finish_one(c) : get_status(c);
    if (cs_call_has(c, CS_ROLE_INDEX))
        return finish_any(c);
    return cs_call_has(c, CS_ROLE_OUTCOUNT) ? finish_some(c) : finish_all(c);
}

static int cancel(struct cs_request *r)
{
    if (!r->fake)
        return PMPI_Cancel(&r->real);
    /* A cancelled receive meets no message, so the channel check must not count it. */
    if (r->receives && !r->cancelled)
        cs_channel_message(r->comm, true, r->peer, r->tag, r->mark, r->site, -1);
    r->cancelled = true;
    return MPI_SUCCESS;
}

int cs_cancel_or_free(struct cs_call *c)
{
    MPI_Request *handle = cs_call_ptr(c, CS_ROLE_REQ_INOUT);
    struct cs_request *r = cs_request_of(*handle);
    if (!r)
        return cs_real[c->index](c->a);
    if (!(c->info->flags & CS_MPI_FREES))
        return cancel(r);
    int rc = r->fake ? MPI_SUCCESS : PMPI_Request_free(&r->real);
    if (rc == MPI_SUCCESS) {
        *handle = MPI_REQUEST_NULL;
        cs_request_end(r);
    }
    return rc;
}
