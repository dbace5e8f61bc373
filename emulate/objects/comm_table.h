/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of communicators offer each other, beyond comm.h.
 * comm_table.c has the objects and contexts, comm_calls.c the calls that make communicators, intercomm.c those with two
 * groups. */
#ifndef CS_COMM_TABLE_H
#define CS_COMM_TABLE_H

#include "emulate/objects/comm.h"

void cs_emu_comms_start(void);
/* One reference less. */
void cs_emu_comm_release(struct cs_emu_comm *c);
/* The handle is gone; requests may still hold on to the object. */
void cs_emu_comm_end(struct cs_emu_comm *c);

/* The context that all `members` get who ask with the same three numbers. Nobody waits. */
uint32_t cs_emu_context(uint32_t parent, uint32_t child, uint64_t part, int members);
/* A communicator with this context; takes the groups. remote NULL: no intercommunicator. Returns an error class. */
int cs_emu_comm_add(struct cs_emu_comm *parent, uint32_t context, struct cs_emu_group *local,
                    struct cs_emu_group *remote, bool first, MPI_Comm *out);

/* A communicator of a group that only its members know of; intracommunicators only. Returns an error class. */
int cs_emu_comm_from_group(struct cs_emu_comm *parent, struct cs_emu_group *g, int tag, MPI_Comm *out);
/* MPI_Comm_create for an intercommunicator. Returns an error class. */
int cs_emu_intercomm_create_from(struct cs_emu_comm *c, MPI_Group group, MPI_Comm *out);

/* Rank in MPI_COMM_WORLD of a rank that a peer argument names. */
static inline int cs_emu_comm_world(const struct cs_emu_comm *c, int peer)
{
    return cs_emu_group_world(c->remote, peer);
}

#endif
