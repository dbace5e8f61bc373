/* SPDX-License-Identifier: BSD-3-Clause
 * Completion of several requests: Wait and Test for any, some and all.
 * A test makes progress; one in vain lets others run. */
#include <assert.h>
#include <stddef.h>

#include "emulate/errors/error.h"
#include "emulate/messages/complete_internal.h"
#include "emulate/messages/message.h"
#include "emulate/messages/status.h"
#include "emulate/objects/comm.h"
#include "emulate/world/entry.h"
#include "emulate/world/wait.h"

static MPI_Status *status_at(MPI_Status *s, int i)
{
    return s == MPI_STATUSES_IGNORE || !s ? MPI_STATUS_IGNORE : &s[i];
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
        if (!cs_emu_req_is_open(r))
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
    for (int i = 0; i < a->n; i++) {
        const struct cs_emu_req *r = cs_emu_req_of(a->v[i]);
        if (!cs_emu_req_is_open(r))
            continue;
        cs_emu_req_note_wait(r, call);
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
    assert(a.first >= 0 && a.first < n);
    *index = a.first;
    return cs_emu_req_finish(cs_emu_req_of(requests[a.first]), &requests[a.first], status, "MPI_Waitany");
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
    return cs_emu_req_finish(cs_emu_req_of(requests[a.first]), &requests[a.first], status, "MPI_Testany");
}

/* All that are complete. With an error in one of them the caller looks into the statuses. */
static int finish_some(struct array *a, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[],
                       const char *call)
{
    int rc = MPI_SUCCESS, found = 0, failed = 0;
    struct cs_emu_comm *c = NULL;
    for (int i = 0; i < a->n; i++) {
        struct cs_emu_req *r = cs_emu_req_of(requests[i]);
        if (!cs_emu_req_is_open(r) || !r->complete)
            continue;
        struct cs_emu_comm *own = r->comm;
        int error = cs_emu_req_take(r, &requests[i], status_at(statuses, found));
        if (status_at(statuses, found) != MPI_STATUS_IGNORE)
            statuses[found].MPI_ERROR = error;
        if (error != MPI_SUCCESS && failed++ == 0)
            c = own;
        indices[found++] = i;
    }
    assert(found > 0 && found <= a->n);
    *outcount = found;
    if (failed)
        rc = cs_emu_comm_error(c, MPI_ERR_IN_STATUS, call);
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
        if (cs_emu_req_is_open(r))
            error = cs_emu_req_take(r, &requests[i], s);
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
    return failed ? cs_emu_comm_error(c, MPI_ERR_IN_STATUS, call) : MPI_SUCCESS;
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
        if (cs_emu_req_is_open(r))
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
