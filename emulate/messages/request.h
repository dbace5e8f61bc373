/* SPDX-License-Identifier: BSD-3-Clause
 * Requests: what the rank has begun and not yet completed. Blocking calls keep theirs on the stack, without a handle.
 * A request holds its communicator and datatype until it is completed. */
#ifndef CS_REQUEST_H
#define CS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/messages/match_bins.h"

struct cs_emu_comm;
struct cs_emu_msg;
struct cs_emu_coll_call;
struct cs_emu_grequest;

enum cs_emu_req_kind { CS_EMU_REQ_SEND, CS_EMU_REQ_RECV, CS_EMU_REQ_COLL, CS_EMU_REQ_GENERAL };
enum cs_emu_send_mode { CS_EMU_STANDARD, CS_EMU_BUFFERED, CS_EMU_SYNCHRONOUS, CS_EMU_READY };

struct cs_emu_req {
    struct cs_emu_req *next, *prev; /* of the posted receives */
    struct cs_emu_link in_bin;      /* of those that match.c finds by pattern */
    uint64_t order;                 /* of posting */
    MPI_Request handle;             /* 0: none */
    uint8_t kind, mode;
    bool posted, complete, persistent, active, cancelled, freed;
    struct cs_emu_comm *comm;
    uint32_t context;
    int peer, tag; /* as asked for */
    void *buf;
    int64_t count;
    MPI_Datatype type;
    /* The result, for the status. */
    int source, got_tag, error;
    int64_t bytes;
    struct cs_emu_coll_call *coll;
    struct cs_emu_grequest *general;
};

/* A request with a handle; NULL when memory is out. Holds comm (may be NULL) and type (MPI_DATATYPE_NULL: none). */
struct cs_emu_req *cs_emu_req_new(enum cs_emu_req_kind kind, struct cs_emu_comm *comm, MPI_Datatype type);
void cs_emu_req_free(struct cs_emu_req *r);
/* NULL for what is no request of ours, and for the null request. */
struct cs_emu_req *cs_emu_req_of(MPI_Request handle);
/* A handle of a send that is complete already: many calls share it. */
MPI_Request cs_emu_req_done(void);

/* The status of a complete request, as the standard wants it. */
void cs_emu_req_status(const struct cs_emu_req *r, MPI_Status *s);
void cs_emu_status_empty(MPI_Status *s);
void cs_emu_status_set(MPI_Status *s, int source, int tag, int64_t bytes, bool cancelled);

#endif
