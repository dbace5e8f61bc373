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
struct cs_emu_grequest;
struct cs_emu_req;

/* What a request is for, and how a send is made. */
enum cs_emu_req_kind { CS_EMU_REQ_SEND, CS_EMU_REQ_RECV, CS_EMU_REQ_COLL, CS_EMU_REQ_GENERAL };
/* The send modes of MPI. */
enum cs_emu_send_mode { CS_EMU_STANDARD, CS_EMU_BUFFERED, CS_EMU_SYNCHRONOUS, CS_EMU_READY };

/* What each start of a persistent request does that is no message. */
struct cs_emu_prepared {
    int (*start)(struct cs_emu_prepared *p, struct cs_emu_req *r); /* r is active; returns an error class */
    void (*drop)(struct cs_emu_prepared *p);                       /* frees p; r is gone */
};

/* A request: what was asked for, how far it is, and the result. A receive is in one of three states: not begun, posted,
 * complete. */
struct cs_emu_req {
    struct cs_emu_req *next, *prev; /* of the posted receives */
    struct cs_emu_link in_bin;      /* of those that match.c finds by pattern */
    uint64_t order;                 /* of posting */
    MPI_Request handle;             /* 0: none, on the stack of a blocking call */
    uint8_t kind, mode;             /* enum cs_emu_req_kind, cs_emu_send_mode */
    bool posted;                    /* a receive in match.c's lists */
    bool complete;
    bool persistent, active; /* active: started and not yet completed */
    bool cancelled;
    bool freed; /* by the program while it was under way: goes when it is complete */
    struct cs_emu_comm *comm;
    uint32_t context;
    int peer, tag; /* as asked for */
    void *buf;
    int64_t count;
    MPI_Datatype type; /* MPI_DATATYPE_NULL: nothing to receive */
    /* The result, for the status. */
    int source, got_tag, error;
    int64_t bytes;
    struct cs_emu_grequest *general;  /* of a generalized request, otherwise NULL */
    struct cs_emu_prepared *prepared; /* of a persistent one that is no message, and owned by it; otherwise NULL */
};

/* A request with a handle; NULL when memory is out. Holds comm (may be NULL) and type (MPI_DATATYPE_NULL: none). */
struct cs_emu_req *cs_emu_req_new(enum cs_emu_req_kind kind, struct cs_emu_comm *comm, MPI_Datatype type);
void cs_emu_req_free(struct cs_emu_req *r);
/* A persistent request whose starts do what p does, which it takes, also when memory is out. Returns an error class
 * (persistent_requests.c). */
int cs_emu_req_prepare(struct cs_emu_comm *comm, struct cs_emu_prepared *p, MPI_Request *out);
/* NULL for what is no request of ours, and for the null request. */
struct cs_emu_req *cs_emu_req_of(MPI_Request handle);
/* A handle of a send that is complete already: many calls share it. */
MPI_Request cs_emu_req_done(void);

/* Gives a synchronous send a number, by which its answer knows it when a tape is played, and the request of a number.
 */
uint32_t cs_emu_sync_number(struct cs_emu_req *r);
struct cs_emu_req *cs_emu_sync_request(uint32_t number);

/* The status of a complete request. */
void cs_emu_req_status(const struct cs_emu_req *r, MPI_Status *s);

/* Sleeps until the request is complete; `call` is the MPI call that waits, for the stuck report. */
void cs_emu_req_wait(struct cs_emu_req *r, const char *call);
/* Says in the note of this rank that it waits for the request. */
void cs_emu_req_note_wait(const struct cs_emu_req *r, const char *call);

/* Error class for an array of n requests, or MPI_SUCCESS. */
int cs_emu_check_requests(int n, const MPI_Request *requests);

#endif
