/* SPDX-License-Identifier: BSD-3-Clause
 * Peers relative to the rank: in the file, a destination or source is the distance from the own rank in the
 * communicator, modulo its size. So most ranks of a stencil have the same bytes. */
#ifndef CS_PEERS_H
#define CS_PEERS_H

#include <stdbool.h>
#include <stdint.h>

struct cs_comm_rank {
    int me, n;
}; /* own rank in a communicator and its size; me -1: not a member */

/* The place in communicator number `comm`; {-1, 0} if there is none. */
typedef struct cs_comm_rank cs_comm_rank_fn(const void *arg, int64_t comm);

/* Where the events of a call have their peers, and the communicator that these belong to. */
struct cs_peers {
    int8_t npeers; /* -1: that differs from event to event */
    int8_t comm, nfields;
    int8_t peer[2];
};

struct cs_peers cs_peers_of(int call);
/* Makes peers among the event's fields relative, or absolute again. What is no peer in the communicator stays. */
void cs_peers_shift(int call, int64_t *fields, int nfields, bool to_relative, cs_comm_rank_fn *rank_in,
                    const void *arg);

/* The same, for who makes many events of the call; p is cs_peers_of(call). */
void cs_peers_shift_at(struct cs_peers p, int call, int64_t *fields, int nfields, bool to_relative,
                       cs_comm_rank_fn *rank_in, const void *arg);

/* Where `rank` is among the n ranks. */
struct cs_comm_rank cs_comm_rank_of(int rank, const int *world_ranks, int n);

#endif
