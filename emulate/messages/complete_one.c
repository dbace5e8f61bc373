/* SPDX-License-Identifier: BSD-3-Clause
 * Completion of one request: Wait, Test, Request_get_status, Cancel, Request_free.
 * A test makes progress; one in vain lets others run. */
#include <assert.h>
#include <stddef.h>

#include "emulate/errors/error.h"
#include "emulate/messages/complete_internal.h"
#include "emulate/messages/grequest_internal.h"
#include "emulate/messages/message.h"
#include "emulate/messages/status.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"
#include "emulate/world/wait.h"

int cs_emu_req_take(struct cs_emu_req *r, MPI_Request *handle, MPI_Status *status)
{
    int rc = r->error;
    assert(r->complete && cs_emu_req_is_open(r));
    if (r->general)
        rc = cs_emu_grequest_query(r, status);
    else
        cs_emu_req_status(r, status);
    r->cancelled = false;
    if (r->persistent) {
        r->active = false;
        r->error = MPI_SUCCESS;
        return rc;
    }
    *handle = MPI_REQUEST_NULL;
    if (r->general && rc == MPI_SUCCESS)
        rc = cs_emu_grequest_end(r);
    cs_emu_req_free(r);
    return rc;
}

int cs_emu_req_finish(struct cs_emu_req *r, MPI_Request *handle, MPI_Status *status, const char *call)
{
    struct cs_emu_comm *c = r->comm;
    if (c)
        c->refs++;
    int rc = cs_emu_req_take(r, handle, status);
    if (rc != MPI_SUCCESS)
        rc = cs_emu_comm_error(c, rc, call);
    if (c)
        cs_emu_comm_release(c);
    return rc;
}

/* The error for a request that is none; `address` is NULL if not even that was given. */
static int no_such_request(const void *address, const char *call)
{
    return cs_emu_error(NULL, address ? MPI_ERR_REQUEST : MPI_ERR_ARG, call);
}

CS_EMU_CALL(int, Wait, (MPI_Request * request, MPI_Status *status))
{
    struct cs_emu_req *r = request ? cs_emu_req_of(*request) : NULL;
    if (!r && (!request || *request != MPI_REQUEST_NULL))
        return no_such_request(request, "MPI_Wait");
    if (!cs_emu_req_is_open(r)) {
        cs_emu_status_empty(status);
        return MPI_SUCCESS;
    }
    cs_emu_req_wait(r, "MPI_Wait");
    return cs_emu_req_finish(r, request, status, "MPI_Wait");
}

CS_EMU_CALL(int, Test, (MPI_Request * request, int *flag, MPI_Status *status))
{
    struct cs_emu_req *r = request && flag ? cs_emu_req_of(*request) : NULL;
    if (!r && (!request || !flag || *request != MPI_REQUEST_NULL))
        return no_such_request(flag ? request : NULL, "MPI_Test");
    *flag = 1;
    if (!cs_emu_req_is_open(r)) {
        cs_emu_status_empty(status);
        return MPI_SUCCESS;
    }
    cs_emu_progress();
    *flag = r->complete;
    if (!*flag) {
        cs_emu_poll_pause("MPI_Test");
        return MPI_SUCCESS;
    }
    cs_emu_poll_found();
    return cs_emu_req_finish(r, request, status, "MPI_Test");
}

CS_EMU_CALL(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status *status))
{
    struct cs_emu_req *r = flag ? cs_emu_req_of(request) : NULL;
    if (!r && (!flag || request != MPI_REQUEST_NULL))
        return no_such_request(flag, "MPI_Request_get_status");
    cs_emu_progress();
    *flag = !cs_emu_req_is_open(r) || r->complete;
    if (!cs_emu_req_is_open(r)) {
        cs_emu_status_empty(status);
        if (status != MPI_STATUS_IGNORE && status)
            status->MPI_ERROR = MPI_SUCCESS; /* MPI 3.1, section 3.7.3: no other call has set it for this request */
    } else if (!*flag)
        cs_emu_poll_pause("MPI_Request_get_status");
    else if (r->general)
        return cs_emu_grequest_query(r, status);
    else
        cs_emu_req_status(r, status);
    return MPI_SUCCESS;
}

/* A send that is under way completes by itself: nothing is lost, as all sends are packed already. */
CS_EMU_CALL(int, Cancel, (MPI_Request * request))
{
    struct cs_emu_req *r = request ? cs_emu_req_of(*request) : NULL;
    if (!r)
        return no_such_request(request, "MPI_Cancel");
    if (r->general)
        return cs_emu_grequest_cancel(r);
    if (r->kind == CS_EMU_REQ_RECV && cs_emu_req_is_open(r) && !r->complete && cs_emu_unpost(r))
        r->complete = r->cancelled = true;
    return MPI_SUCCESS;
}

/* What is under way goes on without a handle. */
CS_EMU_CALL(int, Request_free, (MPI_Request * request))
{
    struct cs_emu_req *r = request ? cs_emu_req_of(*request) : NULL;
    if (!r)
        return no_such_request(request, "MPI_Request_free");
    *request = MPI_REQUEST_NULL;
    if (r->general && r->complete)
        cs_emu_grequest_end(r);
    if (!cs_emu_req_is_open(r) || r->complete)
        cs_emu_req_free(r);
    else
        r->freed = true;
    return MPI_SUCCESS;
}
