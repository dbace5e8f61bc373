/* SPDX-License-Identifier: BSD-3-Clause
 * Generalized requests: handles behind which the program's own callbacks stand. A callback of a Fortran program takes
 * its arguments by address and returns the error through its last one. */
#include "emulate/messages/grequest_internal.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "emulate/errors/error.h"
#include "emulate/messages/request.h"
#include "emulate/messages/status.h"
#include "emulate/world/entry.h"

/* The callbacks of one generalized request and the `state` that they get, which is the program's. Its request owns it
 * (cs_emu_req.general) until the free callback has run. */
struct cs_emu_grequest {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *state;
    bool fortran; /* the callbacks have the types fortran_* instead */
};

/* The callbacks of a Fortran program. */
typedef void fortran_query(void *state, MPI_Fint *status, MPI_Fint *ierror);
typedef void fortran_free(void *state, MPI_Fint *ierror);
typedef void fortran_cancel(void *state, MPI_Fint *complete, MPI_Fint *ierror);

/* Has the query callback fill in *status, which may be ignored or NULL: the callback then gets one all the same.
 * Returns the error of the callback. */
int cs_emu_grequest_query(struct cs_emu_req *r, MPI_Status *status)
{
    struct cs_emu_grequest *g = r->general;
    MPI_Status own = {0};
    MPI_Fint ierror = MPI_SUCCESS;
    assert(g && r->kind == CS_EMU_REQ_GENERAL);
    cs_emu_status_empty(&own);
    if (g->fortran)
        ((fortran_query *)(void *)g->query)(g->state, (MPI_Fint *)&own, &ierror);
    else
        ierror = g->query(g->state, &own);
    if (status != MPI_STATUS_IGNORE && status)
        *status = own;
    return ierror;
}

/* Tells the cancel callback whether the request is complete. Returns the error of the callback. */
int cs_emu_grequest_cancel(struct cs_emu_req *r)
{
    struct cs_emu_grequest *g = r->general;
    MPI_Fint complete = r->complete, ierror = MPI_SUCCESS;
    assert(g && r->kind == CS_EMU_REQ_GENERAL);
    if (!g->fortran)
        return g->cancel(g->state, complete);
    ((fortran_cancel *)(void *)g->cancel)(g->state, &complete, &ierror);
    return ierror;
}

/* Calls the free callback and frees r->general, not r. Returns the error of the callback. */
int cs_emu_grequest_end(struct cs_emu_req *r)
{
    struct cs_emu_grequest *g = r->general;
    MPI_Fint ierror = MPI_SUCCESS;
    assert(g && r->kind == CS_EMU_REQ_GENERAL);
    if (g->fortran)
        ((fortran_free *)(void *)g->free)(g->state, &ierror);
    else
        ierror = g->free(g->state);
    free(g);
    r->general = NULL;
    return ierror;
}

CS_EMU_CALL(int, Grequest_start,
            (MPI_Grequest_query_function * query, MPI_Grequest_free_function *free_fn,
             MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *request))
{
    struct cs_emu_grequest *g = malloc(sizeof *g);
    struct cs_emu_req *r = g ? cs_emu_req_new(CS_EMU_REQ_GENERAL, NULL, MPI_DATATYPE_NULL) : NULL;
    if (!r) {
        free(g);
        return cs_emu_error(NULL, MPI_ERR_NO_MEM, "MPI_Grequest_start");
    }
    *g = (struct cs_emu_grequest){query, free_fn, cancel, state, false};
    r->general = g;
    *request = r->handle;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Grequest_complete, (MPI_Request request))
{
    struct cs_emu_req *r = cs_emu_req_of(request);
    if (!r || !r->general)
        return cs_emu_error(NULL, MPI_ERR_REQUEST, "MPI_Grequest_complete");
    r->complete = true;
    if (r->freed) {
        cs_emu_grequest_end(r);
        cs_emu_req_free(r);
    }
    return MPI_SUCCESS;
}

/* MPICH's Fortran library calls this after MPI_Grequest_start, to say that the callbacks are Fortran's. */
CS_EMU_VISIBLE void MPII_Grequest_set_lang_f77(MPI_Request request);
CS_EMU_VISIBLE void MPII_Grequest_set_lang_f77(MPI_Request request)
{
    struct cs_emu_req *r = cs_emu_req_of(request);
    if (r && r->general)
        r->general->fortran = true;
}
