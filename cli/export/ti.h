/* SPDX-License-Identifier: BSD-3-Clause
 * The lines of a SimGrid time-independent trace (docs of SMPI's replay): one action of one rank each.
 * All sizes are bytes of SimGrid's type 6 (MPI_BYTE). */
#ifndef CS_TI_H
#define CS_TI_H

#include <stdio.h>

#include "trace/analyse/args.h"

/* SMPI's numbers for wildcards, and a tag for messages that stand for a collective of a part of the ranks. */
enum { CS_TI_ANY_SOURCE = -555, CS_TI_ANY_TAG = -444, CS_TI_TAG = 0x0ffffff0 };
#define CS_TI_BYTE 6
/* The file in the folder of the ranks with a platform to play them on. */
#define CS_TI_PLATFORM "platform.xml"

void cs_ti_send(FILE *out, int rank, int dest, int64_t tag, uint64_t bytes);
void cs_ti_isend(FILE *out, int rank, int dest, int64_t tag, uint64_t bytes);
/* source may be CS_PEER_ANY, tag CS_ANY. */
void cs_ti_recv(FILE *out, int rank, int source, int64_t tag, uint64_t bytes);
void cs_ti_irecv(FILE *out, int rank, int source, int64_t tag, uint64_t bytes);
void cs_ti_wait(FILE *out, int source, int dest, int64_t tag, int rank);

/* A collective call: as itself when all ranks take part in their order, otherwise as messages between its members. 0:
 * exact; 1: as messages, which has the same bytes but another algorithm than SMPI may choose; -1: left out, replay
 * knows nothing like it. */
int cs_ti_collective(FILE *out, const struct cs_args *a);

#endif
