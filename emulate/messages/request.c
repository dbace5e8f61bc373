/* SPDX-License-Identifier: BSD-3-Clause
 * The table of requests, their statuses, and waiting for one.
 * Freed requests are kept for reuse: programs make them in their inner loops. */
#include "emulate/messages/request.h"

#include <assert.h>
#include <stdlib.h>

#include "base/grow.h"
#include "emulate/messages/status.h"
#include "emulate/objects/comm.h"
#include "emulate/types/type.h"
#include "emulate/world/handles.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/wait.h"
#include "emulate/world/world.h"

static struct cs_emu_table table = CS_EMU_TABLE(CS_EMU_REQUEST, 1);
static struct cs_emu_req *spare;
static struct cs_emu_req done = {.kind = CS_EMU_REQ_SEND, .complete = true, .type = MPI_DATATYPE_NULL};
/* The handle of `done`: of the kind of requests, and none that the table gives out. */
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
    assert(r->handle && !r->posted);
    cs_emu_handle_drop(&table, r->handle);
    if (r->prepared)
        r->prepared->drop(r->prepared);
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

void cs_emu_req_status(const struct cs_emu_req *r, MPI_Status *s)
{
    if (r->kind == CS_EMU_REQ_RECV && (!r->persistent || r->active))
        cs_emu_status_set(s, r->source, r->got_tag, r->bytes, r->cancelled);
    else
        cs_emu_status_set(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, r->cancelled);
}

/* ---- synchronous sends, for tapes ---- */

static struct cs_emu_req **sync_send; /* by number, of a rank that plays a tape */
static size_t sync_cap;
static uint32_t nsync;

uint32_t cs_emu_sync_number(struct cs_emu_req *r)
{
    cs_emu_tape_look(); /* the answer cannot have come with an earlier look */
    if (cs_emu_tape_plays()) {
        if (!CS_MAKE_ROOM(sync_send, nsync, sync_cap))
            cs_emu_fail("no memory for a synchronous send");
        sync_send[nsync] = r;
    }
    return nsync++;
}

struct cs_emu_req *cs_emu_sync_request(uint32_t number)
{
    if (number >= nsync)
        cs_emu_fail("an answer on the tape is of no send of this program: it is the tape of another one");
    return sync_send[number];
}

/* ---- waiting ---- */

void cs_emu_req_note_wait(const struct cs_emu_req *r, const char *call)
{
    struct cs_emu_wait_note *n = &cs_emu_me->note;
    n->call = call;
    n->collective = r->kind == CS_EMU_REQ_COLL;
    n->receives = r->kind == CS_EMU_REQ_RECV;
    n->tag = r->tag;
    n->context = r->context;
    n->sequence = 0;
    n->peer = !r->comm || n->collective ? MPI_PROC_NULL : r->peer >= 0 ? cs_emu_comm_world(r->comm, r->peer) : r->peer;
}

static bool is_complete(void *arg)
{
    return ((struct cs_emu_req *)arg)->complete;
}

void cs_emu_req_wait(struct cs_emu_req *r, const char *call)
{
    cs_emu_tape_look();
    if (r->complete)
        return;
    cs_emu_req_note_wait(r, call);
    cs_emu_wait(is_complete, r);
}

int cs_emu_check_requests(int n, const MPI_Request *requests)
{
    if (n < 0)
        return MPI_ERR_COUNT;
    return n > 0 && !requests ? MPI_ERR_ARG : MPI_SUCCESS;
}
