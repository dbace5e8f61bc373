/* SPDX-License-Identifier: BSD-3-Clause
 * The arguments of an event by what they are for: peers as ranks of MPI_COMM_WORLD, buffers as bytes.
 * For all that sums up or translates events; roles of the MPI table say which arguments belong together. */
#ifndef CS_ARGS_H
#define CS_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/format/fields.h"
#include "trace/nest/nest.h"
#include "trace/trace.h"

/* An event with its fields given out to the call's arguments: f[i] belongs to argument i where has[i]. Either t or m
 * is set. Everything points into the event and the trace. */
struct cs_args {
    const struct cs_trace *t;  /* whose definitions the fields name: those of a trace, */
    const struct cs_merged *m; /* or of a merged one */
    int rank;
    const struct cs_mpi_call *call;
    struct cs_field f[CS_MPI_MAX_ARGS];
    bool has[CS_MPI_MAX_ARGS];
};

/* What a peer can be instead of a rank. */
enum { CS_PEER_NOBODY = -1, CS_PEER_UNKNOWN = -2, CS_PEER_ANY = -3 };

/* Takes an event of a rank apart; false if its fields do not fit the call. The event must live as long as *a is used.
 */
bool cs_args_get(struct cs_args *a, const struct cs_trace *t, int rank, const struct cs_event *e);
/* The same for an event whose definitions are numbers in the tables of *m. */
bool cs_args_get_merged(struct cs_args *a, const struct cs_merged *m, int rank, const struct cs_event *e);
/* The first recorded argument with this role, or -1. */
int cs_args_find(const struct cs_args *a, enum cs_role role);
/* The value of a scalar; CS_UNUSED if there is none (arg -1), or none that is significant. */
int64_t cs_args_scalar(const struct cs_args *a, int arg);
/* Of an event of a trace: its communicator, or NULL. */
const struct cs_comm_def *cs_args_comm(const struct cs_args *a);
/* Members of the event's communicator; 0 if it has none. */
int cs_args_comm_size(const struct cs_args *a);
/* The rank in MPI_COMM_WORLD that role DEST or SOURCE names, or CS_PEER_*. */
int cs_args_peer(const struct cs_args *a, enum cs_role role);
/* The tag of the send, or of the receive, of a call: MPI_Sendrecv has both. CS_ANY if it has none. */
int64_t cs_args_tag(const struct cs_args *a, bool send);
/* The rank's number of the call's communicator; CS_UNUSED: it has none. */
int64_t cs_args_comm_number(const struct cs_args *a);
/* Is this rank the root of the call? (MPI_ROOT counts.) */
bool cs_args_is_root(const struct cs_args *a);
/* Argument number of the first buffer with this role, recorded or not; -1: none. */
int cs_args_buffer(const struct cs_args *a, enum cs_role role);
/* Bytes of the buffer at argument `buf`: count by type, or counts by type or types. */
uint64_t cs_args_bytes(const struct cs_args *a, int buf);
/* Bytes of the buffer that is sent (SBUF or SRBUF). */
uint64_t cs_args_sent(const struct cs_args *a);
/* Bytes that a receive has room for (RBUF or SRBUF). */
uint64_t cs_args_received(const struct cs_args *a);
/* Bytes of a one-sided call, whichever way they go, and whether a call is one that moves data. */
uint64_t cs_args_moved(const struct cs_args *a);
bool cs_args_reaches(const struct cs_mpi_call *c);
/* What this rank hands in to a collective. */
uint64_t cs_args_contributed(const struct cs_args *a);

#endif
