/* SPDX-License-Identifier: BSD-3-Clause
 * What the two halves of the replay share: replay_read.c makes a rank's calls into primitive operations, replay.c plays
 * them. Private to them; nest.h has the way in. */
#ifndef CS_REPLAY_INTERNAL_H
#define CS_REPLAY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "trace/nest/nest.h"
#include "trace/nest/merged_walk.h"

enum op_kind { OP_SEND, OP_RECV, OP_COLL, OP_PROBE, OP_WAIT };

struct op {
    uint8_t kind, last; /* last: the call's last operation */
    int ctx, peer, tag; /* ctx: the group of a communicator; peer: in MPI_COMM_WORLD, or CS_ANY */
    int req;            /* request that completes; WAIT: place in `wait`, of a length and that many requests */
    int64_t node;       /* of the nest, for the message */
};

enum { REQ_OPEN, REQ_DONE, REQ_WAITED };

struct message {
    struct message *next;
    int rank, ctx, tag, req;
}; /* a send or receive that has no partner yet; rank: the other side */
struct queue {
    struct message *first, **end;
};

struct player {
    struct op *op;
    size_t nops, op_cap, at, call_cap;
    int32_t *call_first; /* where the calls start in `op`, by place in the nest's order; only while reading */
    int *wait;
    size_t nwait, wait_cap;
    uint8_t *req;
    size_t nreqs, req_cap;
    int pending; /* requests that it waits for */
    bool probing;
    struct queue sends, recvs; /* that came to it, that it posted */
};

struct meeting {
    struct {
        int ctx, number;
    } k;
    int came;
    struct {
        int rank, req;
    } * who;
    UT_hash_handle hh;
};
struct count {
    struct {
        int rank, ctx;
    } k;
    int n;
    UT_hash_handle hh;
};

struct play {
    const struct cs_merged *m;
    bool buffered;
    struct player *p;
    int *ctx_base; /* of each communicator */
    int *ready, nready;
    struct meeting *meetings;
    struct count *counts;
    int64_t events, limit;
};

/* Reads a rank's calls as operations into y->p[rank], in the order of the nest. class_walk is shared by the ranks of a
 * class. 0, -1 no memory, -2 too many events. */
int cs_replay_read(struct play *y, int rank, int64_t max_iterations, struct cs_merged_walk **class_walk);

#endif
