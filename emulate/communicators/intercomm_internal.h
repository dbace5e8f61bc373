/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that are not made without talking: of groups that only their members know, and of two groups. */
#ifndef CS_INTERCOMM_INTERNAL_H
#define CS_INTERCOMM_INTERNAL_H

#include <mpi.h>

struct cs_emu_comm;
struct cs_emu_group;

/* A communicator of a group that only its members know of; intracommunicators only. Returns an error class. */
int cs_emu_comm_from_group(struct cs_emu_comm *parent, struct cs_emu_group *g, int tag, MPI_Comm *out);
/* MPI_Comm_create for an intercommunicator. Returns an error class. */
int cs_emu_intercomm_create_from(struct cs_emu_comm *c, MPI_Group group, MPI_Comm *out);

#endif
