/* SPDX-License-Identifier: BSD-3-Clause
 * Completion of requests: Wait and Test in their forms, for one, any, some and all.
 * A test makes progress; one in vain lets others run. */
#include <stdlib.h>

#include "emulate/world/entry.h"
#include "emulate/types/check.h"
#include "emulate/collectives/coll.h"
#include "emulate/objects/comm_table.h"
#include "emulate/errors/error.h"
#include "emulate/messages/grequest.h"
#include "emulate/messages/message.h"
#include "emulate/messages/p2p.h"
#include "emulate/messages/request.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/wait.h"

static MPI_Status *status_at(MPI_Status *s, int i)
{
    return s == MPI_STATUSES_IGNORE || !s ? MPI_STATUS_IGNORE : &s[i];
}

/* Inactive persistent requests count as complete for Wait and Test, and as absent for the choosing calls. */
static bool is_open(const struct cs_emu_req *r)
{
    return r && (!r->persistent || r->active);
}

/* A complete request is taken from the program: its status, its error, its end. */
static int take(struct cs_emu_req *r, MPI_Request *handle, MPI_Status *status)
{
    int rc = r->error;
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

/* The error for a request that is none; `address` is NULL if not even that was given. */
static int no_such_request(const void *address, const char *call)
{
    return cs_emu_error(NULL, address ? MPI_ERR_REQUEST : MPI_ERR_ARG, call);
}

/* The error of a completion goes to the communicator of the request. */
static int finish(struct cs_emu_req *r, MPI_Request *handle, MPI_Status *status, const char *call)
{
    struct cs_emu_comm *c = r->comm;
    if (c)
        c->refs++;
    int rc = take(r, handle, status);
    if (rc != MPI_SUCCESS)
        rc = cs_emu_error(c, rc, call);
    if (c)
        cs_emu_comm_release(c);
    return rc;
}

CS_EMU_CALL(int, Wait, (MPI_Request * request, MPI_Status *status))
{
    struct cs_emu_req *r = request ? cs_emu_req_of(*request) : NULL;
    if (!r && (!request || *request != MPI_REQUEST_NULL))
        return no_such_request(request, "MPI_Wait");
    if (!is_open(r)) {
        cs_emu_status_empty(status);
        return MPI_SUCCESS;
    }
    cs_emu_req_wait(r, "MPI_Wait");
    return finish(r, request, status, "MPI_Wait");
}

CS_EMU_CALL(int, Test, (MPI_Request * request, int *flag, MPI_Status *status))
{
    struct cs_emu_req *r = request && flag ? cs_emu_req_of(*request) : NULL;
    if (!r && (!request || !flag || *request != MPI_REQUEST_NULL))
        return no_such_request(flag ? request : NULL, "MPI_Test");
    *flag = 1;
    if (!is_open(r)) {
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
    return finish(r, request, status, "MPI_Test");
}

CS_EMU_CALL(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status *status))
{
    struct cs_emu_req *r = flag ? cs_emu_req_of(request) : NULL;
    if (!r && (!flag || request != MPI_REQUEST_NULL))
        return no_such_request(flag, "MPI_Request_get_status");
    cs_emu_progress();
    *flag = !is_open(r) || r->complete;
    if (!is_open(r))
        cs_emu_status_empty(status);
    else if (!*flag)
        cs_emu_poll_pause("MPI_Request_get_status");
    else if (r->general)
        return cs_emu_grequest_query(r, status);
    else
        cs_emu_req_status(r, status);
    return MPI_SUCCESS;
}

/* An array of requests, for the predicates of cs_emu_wait. */
struct array {
    int n, open, complete, first; /* of which are open; of these, complete; index of the first complete one or -1 */
    const MPI_Request *v;
    bool invalid;
};

static void count(struct array *a)
{
    a->open = a->complete = 0;
    a->first = -1;
    for (int i = 0; i < a->n; i++) {
        const struct cs_emu_req *r = cs_emu_req_of(a->v[i]);
        a->invalid |= !r && a->v[i] != MPI_REQUEST_NULL;
        if (!is_open(r))
            continue;
        a->open++;
        if (!r->complete)
            continue;
        if (a->complete++ == 0)
            a->first = i;
    }
}

/* What all calls on arrays begin with: checks n requests and where the results go to, and counts them. Returns an error
 * class. */
static int look_at(struct array *a, bool has_results)
{
    int class = cs_emu_check_requests(a->n, a->v);
    if (class != MPI_SUCCESS)
        return class;
    if (!has_results)
        return MPI_ERR_ARG;
    cs_emu_progress();
    count(a);
    return a->invalid ? MPI_ERR_REQUEST : MPI_SUCCESS;
}

static bool some_complete(void *arg)
{
    struct array *a = arg;
    count(a);
    return a->complete > 0;
}

/* Note of the first that is open: it stands for all. */
static void wait_some(struct array *a, const char *call)
{
    struct cs_emu_wait_note *n = &cs_emu_me->note;
    for (int i = 0; i < a->n; i++) {
        const struct cs_emu_req *r = cs_emu_req_of(a->v[i]);
        if (!is_open(r))
            continue;
        n->call = call;
        n->collective = r->kind == CS_EMU_REQ_COLL;
        n->receives = r->kind == CS_EMU_REQ_RECV;
        n->tag = r->tag;
        n->sequence = 0;
        n->peer = !r->comm || n->collective ? MPI_PROC_NULL
                  : r->peer >= 0            ? cs_emu_comm_world(r->comm, r->peer)
                                            : r->peer;
        break;
    }
    cs_emu_wait(some_complete, a);
}

CS_EMU_CALL(int, Waitany, (int n, MPI_Request requests[], int *index, MPI_Status *status))
{
    struct array a = {.n = n, .v = requests};
    int class = look_at(&a, index);
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Waitany");
    *index = MPI_UNDEFINED;
    if (a.open == 0) {
        cs_emu_status_empty(status);
        return MPI_SUCCESS;
    }
    if (a.complete == 0)
        wait_some(&a, "MPI_Waitany");
    *index = a.first;
    return finish(cs_emu_req_of(requests[a.first]), &requests[a.first], status, "MPI_Waitany");
}

CS_EMU_CALL(int, Testany, (int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status))
{
    struct array a = {.n = n, .v = requests};
    int class = look_at(&a, index && flag);
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Testany");
    *index = MPI_UNDEFINED;
    *flag = a.open == 0 || a.complete > 0;
    if (a.open == 0)
        cs_emu_status_empty(status);
    else if (a.complete == 0)
        cs_emu_poll_pause("MPI_Testany");
    if (a.complete == 0)
        return MPI_SUCCESS;
    cs_emu_poll_found();
    *index = a.first;
    return finish(cs_emu_req_of(requests[a.first]), &requests[a.first], status, "MPI_Testany");
}

/* All that are complete. With an error in one of them the caller looks into the statuses. */
static int finish_some(struct array *a, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[],
                       const char *call)
{
    int rc = MPI_SUCCESS, found = 0, failed = 0;
    struct cs_emu_comm *c = NULL;
    for (int i = 0; i < a->n; i++) {
        struct cs_emu_req *r = cs_emu_req_of(requests[i]);
        if (!is_open(r) || !r->complete)
            continue;
        struct cs_emu_comm *own = r->comm;
        int error = take(r, &requests[i], status_at(statuses, found));
        if (status_at(statuses, found) != MPI_STATUS_IGNORE)
            statuses[found].MPI_ERROR = error;
        if (error != MPI_SUCCESS && failed++ == 0)
            c = own;
        indices[found++] = i;
    }
    *outcount = found;
    if (failed)
        rc = cs_emu_error(c, MPI_ERR_IN_STATUS, call);
    return rc;
}

CS_EMU_CALL(int, Waitsome, (int n, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]))
{
    struct array a = {.n = n, .v = requests};
    int class = look_at(&a, outcount && (indices || n == 0));
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Waitsome");
    *outcount = MPI_UNDEFINED;
    if (a.open == 0)
        return MPI_SUCCESS;
    if (a.complete == 0)
        wait_some(&a, "MPI_Waitsome");
    return finish_some(&a, requests, outcount, indices, statuses, "MPI_Waitsome");
}

CS_EMU_CALL(int, Testsome, (int n, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]))
{
    struct array a = {.n = n, .v = requests};
    int class = look_at(&a, outcount && (indices || n == 0));
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Testsome");
    *outcount = a.open ? 0 : MPI_UNDEFINED;
    if (a.open == 0)
        return MPI_SUCCESS;
    if (a.complete == 0) {
        cs_emu_poll_pause("MPI_Testsome");
        return MPI_SUCCESS;
    }
    cs_emu_poll_found();
    return finish_some(&a, requests, outcount, indices, statuses, "MPI_Testsome");
}

/* All are complete. */
static int finish_all(int n, MPI_Request requests[], MPI_Status statuses[], const char *call)
{
    struct cs_emu_comm *c = NULL;
    int failed = 0;
    for (int i = 0; i < n; i++) {
        struct cs_emu_req *r = cs_emu_req_of(requests[i]);
        MPI_Status *s = status_at(statuses, i);
        struct cs_emu_comm *own = r ? r->comm : NULL;
        int error = MPI_SUCCESS;
        if (is_open(r))
            error = take(r, &requests[i], s);
        else
            cs_emu_status_empty(s);
        if (error != MPI_SUCCESS && failed++ == 0) {
            c = own;
            for (int k = 0; k < i; k++)
                if (status_at(statuses, k) != MPI_STATUS_IGNORE)
                    statuses[k].MPI_ERROR = MPI_SUCCESS;
        }
        if (failed && s != MPI_STATUS_IGNORE)
            s->MPI_ERROR = error;
    }
    return failed ? cs_emu_error(c, MPI_ERR_IN_STATUS, call) : MPI_SUCCESS;
}

CS_EMU_CALL(int, Waitall, (int n, MPI_Request requests[], MPI_Status statuses[]))
{
    int class = cs_emu_check_requests(n, requests);
    for (int i = 0; class == MPI_SUCCESS && i < n; i++)
        if (!cs_emu_req_of(requests[i]) && requests[i] != MPI_REQUEST_NULL)
            class = MPI_ERR_REQUEST;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Waitall");
    for (int i = 0; i < n; i++) {
        struct cs_emu_req *r = cs_emu_req_of(requests[i]);
        if (is_open(r))
            cs_emu_req_wait(r, "MPI_Waitall");
    }
    return finish_all(n, requests, statuses, "MPI_Waitall");
}

CS_EMU_CALL(int, Testall, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]))
{
    struct array a = {.n = n, .v = requests};
    int class = look_at(&a, flag);
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Testall");
    *flag = a.open == a.complete;
    if (!*flag) {
        cs_emu_poll_pause("MPI_Testall");
        return MPI_SUCCESS;
    }
    cs_emu_poll_found();
    return finish_all(n, requests, statuses, "MPI_Testall");
}

/* A send that is under way completes by itself: nothing is lost, as all sends are packed already. */
CS_EMU_CALL(int, Cancel, (MPI_Request * request))
{
    struct cs_emu_req *r = request ? cs_emu_req_of(*request) : NULL;
    if (!r)
        return no_such_request(request, "MPI_Cancel");
    if (r->general)
        return cs_emu_grequest_cancel(r);
    if (r->kind == CS_EMU_REQ_RECV && is_open(r) && !r->complete && cs_emu_unpost(r))
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
    if (!is_open(r) || r->complete)
        cs_emu_req_free(r);
    else
        r->freed = true;
    return MPI_SUCCESS;
}
