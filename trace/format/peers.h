/* SPDX-License-Identifier: BSD-3-Clause
 * Peers relative to the rank: in the file, a destination or source is the distance from the own rank in the
 * communicator, modulo its size. So most ranks of a stencil have the same bytes. */
#ifndef CS_PEERS_H
#define CS_PEERS_H

#include <stdbool.h>
#include <stdint.h>

/* Own rank in a communicator, and its size. */
struct cs_comm_rank {
    int me, n;
}; /* me -1: not a member */

/* The own rank in communicator number `comm`; {-1, 0} if there is no such communicator. */
typedef struct cs_comm_rank cs_comm_rank_fn(const void *arg, int64_t comm);

/* Which fields of a call's events are peers, and which one is the communicator that these belong to. */
struct cs_peers {
    int8_t npeers;        /* -1: that differs from event to event */
    int8_t comm, nfields; /* the communicator's field, -1: none; fields in all */
    int8_t peer[2];
};

struct cs_peers cs_peers_of(int call);
/* Makes peers among the event's fields relative, or absolute again. What is no peer in the communicator stays. */
void cs_peers_shift(int call, int64_t *fields, int nfields, bool to_relative, cs_comm_rank_fn *rank_in,
                    const void *arg);

/* The same, faster; p is cs_peers_of(call), asked for once by whoever shifts many events of the call. */
void cs_peers_shift_at(struct cs_peers p, int call, int64_t *fields, int nfields, bool to_relative,
                       cs_comm_rank_fn *rank_in, const void *arg);

/* The place of `rank` among the n ranks, which are distinct. */
struct cs_comm_rank cs_comm_rank_of(int rank, const int *world_ranks, int n);

#endif
