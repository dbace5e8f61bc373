/* SPDX-License-Identifier: BSD-3-Clause
 * Requests and matched messages as the program holds them: handles of ours, behind which is one of the MPI library or
 * none at all. The library may hand out one handle for several sends that are done at once, so its own could not be
 * numbered. */
#ifndef CS_REQUEST_TABLE_H
#define CS_REQUEST_TABLE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "commlib/state/call.h"

struct cs_request {
    int handle; /* what the program holds */
    int real;   /* MPI_Request or MPI_Message of the library; a null handle where nothing is transmitted */
    bool in_use, fake, persistent, active, cancelled;
    bool receives; /* then source, tag and bytes make its status */
    int source, tag;
    int64_t bytes;
    int64_t number; /* in order of creation; persistent ones and messages have numbers of their own */
    /* For the channel check of persistent requests: what Start starts. */
    int call, mark, site, peer;
    MPI_Comm comm;
    int next_free;
};

/* A new request (or message) with a handle and a number. NULL when memory is out. Takes the lock. */
struct cs_request *cs_request_new(bool persistent);
struct cs_request *cs_message_new(void);

/* What is behind a handle of the program; NULL if it is not ours (null handles, requests of calls that are not
 * recorded). */
struct cs_request *cs_request_of(int handle);

/* Ends it: the handle is free for use again. Takes the lock. */
void cs_request_end(struct cs_request *r);

/* How the trace writes a request: its distance from the newest; -1 - number if persistent; 0 for null. */
int64_t cs_request_field(int handle);
int64_t cs_message_field(int handle);
#define CS_FIELD_FOREIGN (INT64_MIN + 1) /* made by a call that is not recorded */

#endif
