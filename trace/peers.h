/* SPDX-License-Identifier: BSD-3-Clause
 * Peers relative to the rank: in the file, a destination or source is the distance from the own rank in the communicator,
 * modulo its size. So most ranks of a stencil have the same bytes. */
#ifndef CS_TRACE_PEERS_H
#define CS_TRACE_PEERS_H

#include <stdbool.h>
#include <stdint.h>

struct cs_place { int me, n; };     /* own rank in a communicator and its size; me -1: not a member */

/* The place in communicator number `comm`; {-1, 0} if there is none. */
typedef struct cs_place cs_place_fn(const void *arg, int64_t comm);

/* Makes peers among the event's fields relative, or absolute again. What is no peer in the communicator stays. */
void cs_peers_shift(int call, int64_t *fields, int nfields, bool to_relative, cs_place_fn *place, const void *arg);

/* Where `rank` is among the n ranks. */
struct cs_place cs_place_of(int rank, const int *world_ranks, int n);

#endif
