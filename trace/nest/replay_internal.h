/* SPDX-License-Identifier: BSD-3-Clause
 * What the two halves of the replay share: replay_read.c turns a rank's calls into primitive operations, replay.c plays
 * them. Private to them; the public function is cs_merged_replay in nest.h. */
#ifndef CS_REPLAY_INTERNAL_H
#define CS_REPLAY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "trace/nest/nest.h"
#include "trace/nest/merged_walk.h"

/* What a primitive operation is. */
enum op_kind { OP_SEND, OP_RECV, OP_COLL, OP_PROBE, OP_WAIT, OP_CANCEL };

/* A primitive operation. MPI_Sendrecv is three of them: RECV (request 0), SEND (request 1), WAIT for both. SEND, RECV
 * and COLL never block; they open a request, which completes when the partner or the last member comes. CANCEL
 * completes the request of a receive for which nothing has come. */
struct op {
    uint8_t kind;
    int ctx;  /* the number of a group among those of all communicators */
    int peer; /* in MPI_COMM_WORLD, or CS_ANY */
    int tag;
    int req;      /* SEND, RECV, COLL, CANCEL: the request; WAIT: where player.wait has the requests */
    int64_t node; /* of the nest: the call, for the text that says who waits */
};

/* The state of a request. WAITED: open, and its rank waits for it. */
enum { REQ_OPEN, REQ_DONE, REQ_WAITED };

/* A send or receive that has no partner yet. */
struct message {
    struct message *next;
    int rank, ctx, tag, req; /* rank: the other side's, or CS_ANY */
};

/* Messages in order of arrival; *end is the last `next`, once there was a message. */
struct queue {
    struct message *first, **end;
};

/* One rank. op[0 .. at) is played. A wait for n requests is n + 1 integers in `wait`: n, request, request, ... */
struct player {
    struct op *op;
    size_t nops, op_cap, at, call_cap;
    int32_t *call_first; /* of each call as read: its first operation in `op`; only while reading */
    int *wait;
    size_t nwait, wait_cap;
    uint8_t *req; /* states of its requests: REQ_OPEN, ... */
    size_t nreqs, req_cap;
    int pending;               /* requests that it waits for */
    bool probing;              /* it waits for a message to probe */
    struct queue sends, recvs; /* sends to it and its own receives, without a partner */
};

/* A collective that some members of the group have not come to: the `number`-th one of group `ctx`. */
struct meeting {
    struct {
        int ctx, number;
    } k;
    int came; /* entries of `who` */
    struct {
        int rank, req;
    } * who;
    UT_hash_handle hh;
};

/* How many collectives of group `ctx` a rank has come to. */
struct count {
    struct {
        int rank, ctx;
    } k;
    int n;
    UT_hash_handle hh;
};

/* A replay. Group g of communicator c has the number ctx = ctx_base[c] + g. */
struct play {
    const struct cs_merged *m;
    bool buffered;
    struct player *p; /* of each rank */
    int *ctx_base;
    int *ready, nready; /* stack of the ranks that can go on */
    struct meeting *meetings;
    struct count *counts;
    int64_t events, limit; /* read so far; at most */
};

/* Reads a rank's calls as operations into y->p[rank], in the order of the nest. *class_walk is the first walk of the
 * rank's class (cs_merged_walk_share). 0; -1: no memory; -2: more than y->limit events. */
int cs_replay_read(struct play *y, int rank, int64_t max_iterations, struct cs_merged_walk **class_walk);

#endif
