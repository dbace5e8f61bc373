/* SPDX-License-Identifier: BSD-3-Clause
 * The table of requests and their statuses.
 * Freed requests are kept for reuse: programs make them in their inner loops. */
#include "emulate/messages/request.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/objects/comm_table.h"
#include "emulate/world/handles.h"
#include "emulate/types/type.h"

static struct cs_emu_table table = CS_EMU_TABLE(CS_EMU_REQUEST, 1);
static struct cs_emu_req *spare;
static struct cs_emu_req done = {.kind = CS_EMU_REQ_SEND, .complete = true, .type = MPI_DATATYPE_NULL};
enum { DONE_HANDLE = (int)0x6c000000 };

struct cs_emu_req *cs_emu_req_new(enum cs_emu_req_kind kind, struct cs_emu_comm *comm, MPI_Datatype type)
{
    struct cs_emu_req *r = spare;
    if (r)
        spare = r->next;
    else if (!(r = malloc(sizeof *r)))
        return NULL;
    *r = (struct cs_emu_req){.kind = (uint8_t)kind, .comm = comm, .type = type};
    if (!(r->handle = cs_emu_handle_new(&table, r))) {
        free(r);
        return NULL;
    }
    if (comm)
        comm->refs++;
    if (type != MPI_DATATYPE_NULL)
        cs_emu_type_hold(type);
    return r;
}

void cs_emu_req_free(struct cs_emu_req *r)
{
    if (r == &done)
        return;
    cs_emu_handle_drop(&table, r->handle);
    if (r->comm)
        cs_emu_comm_release(r->comm);
    if (r->type != MPI_DATATYPE_NULL)
        cs_emu_type_release(r->type);
    r->next = spare;
    spare = r;
}

struct cs_emu_req *cs_emu_req_of(MPI_Request handle)
{
    return handle == DONE_HANDLE ? &done : cs_emu_handle_get(&table, handle);
}

MPI_Request cs_emu_req_done(void)
{
    return DONE_HANDLE;
}

void cs_emu_status_set(MPI_Status *s, int source, int tag, int64_t bytes, bool cancelled)
{
    if (s == MPI_STATUS_IGNORE || !s)
        return;
    s->MPI_SOURCE = source;
    s->MPI_TAG = tag;
    s->count_lo = (int)bytes;
    s->count_hi_and_cancelled = (int)(bytes >> 32 << 1) | cancelled;
}

void cs_emu_status_empty(MPI_Status *s)
{
    cs_emu_status_set(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
}

void cs_emu_req_status(const struct cs_emu_req *r, MPI_Status *s)
{
    if (r->kind == CS_EMU_REQ_RECV && (!r->persistent || r->active))
        cs_emu_status_set(s, r->source, r->got_tag, r->bytes, r->cancelled);
    else
        cs_emu_status_set(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, r->cancelled);
}
