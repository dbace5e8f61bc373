/* SPDX-License-Identifier: BSD-3-Clause
 * Requests and matched messages. The program holds handles of this table; behind each is a request of the MPI library,
 * or nothing (a fake). The library's own handles could not be numbered: MPICH gives the same one to all sends that are
 * complete at once. */
#ifndef CS_REQUEST_TABLE_H
#define CS_REQUEST_TABLE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "commlib/state/call.h"

/* An outstanding request or matched message; a free slot of the table if not `in_use`. */
struct cs_request {
    int handle; /* what the program holds */
    int real;   /* MPI_Request or MPI_Message of the library; a null handle where nothing is transmitted */
    bool in_use, fake, persistent, active, cancelled; /* `active`: persistent and started */
    bool message;
    bool receives; /* if it is a fake, source, tag and bytes are its status */
    int source, tag;
    int64_t bytes;
    int64_t number; /* in order of creation; persistent ones and messages have numbers of their own */
    /* For the channel check: the call that made it, which counts when a persistent request is started. */
    int call, mark, site, peer;
    bool empty; /* a send without data, marked for its envelope */
    MPI_Comm comm;
    int next_free;
};

/* A new request (or message) with a handle and a number. NULL when memory is out. Takes the lock. */
struct cs_request *cs_request_new(bool persistent);
struct cs_request *cs_message_new(void);

/* The entry of a handle; NULL for handles that are not of this table (null handles, requests of calls that are not
 * recorded). */
struct cs_request *cs_request_of(int handle);

/* Frees the entry; its handle may be given out again. Takes the lock. */
void cs_request_end(struct cs_request *r);

/* The field of a trace for a request: 1 for the newest one, 2 for the one before it, and so on; -1 - number if it is
 * persistent; 0 for a null handle. Messages count from the newest message. */
int64_t cs_request_field(int handle);
int64_t cs_message_field(int handle);

/* What the table has seen so far, for turns of loops that are to be alike. */
struct cs_request_counts {
    int64_t made, persistent; /* persistent ones have a count of their own */
    int64_t foreign;          /* fields that were of handles which are not of this table */
    int64_t open;             /* of `made`, those that have not ended, ... */
    uint64_t open_numbers;    /* ... and the sum of their numbers: if both are as before, they are the same ones */
};
struct cs_request_counts cs_request_counts(void);
/* n more requests were made, and have ended. With the lock held. */
void cs_request_skip(int64_t n);

#endif
