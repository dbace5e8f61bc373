/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators of the emulated library, behind MPICH's handles. A context number, the same on all members and on no
 * other communicator, keeps their messages apart; most communicators are made without talking to anybody. */
#ifndef CS_COMM_H
#define CS_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/objects/group.h"

struct cs_emu_attr; /* attr.h */
struct cs_emu_topo; /* topo.h */

struct cs_emu_comm {
    MPI_Comm handle;
    int refs;
    uint32_t context;
    bool inter;
    bool first;                          /* its local group is the first side: all members agree */
    int rank;                            /* own, in the local group */
    struct cs_emu_group *local, *remote; /* the same unless inter */
    uint32_t children;                   /* communicators made from it so far: equal on all members */
    uint32_t collectives;                /* collective calls so far */
    uint32_t neighbors;                  /* collectives of neighbours so far */
    struct cs_emu_attr *attrs;
    struct cs_emu_topo *topo; /* NULL: none */
    MPI_Errhandler errhandler;
    MPI_Info info;
    char *name; /* NULL: unnamed */
};

/* NULL if the handle is no communicator of ours. */
struct cs_emu_comm *cs_emu_comm_of(MPI_Comm handle);

/* Makes a communicator of the members of g, which is taken. All members of the parent that are in g call it, and all
 * with the same g, in the same order as they make others from this parent; nobody waits. With g NULL the rank is no
 * member: only counts. *out becomes MPI_COMM_NULL then. Returns an error class. The new one has no attributes, topology
 * or name, and the parent's error handler. */
int cs_emu_comm_make(struct cs_emu_comm *parent, struct cs_emu_group *g, MPI_Comm *out);

/* How many ranks a peer argument may name. */
static inline int cs_emu_comm_peers(const struct cs_emu_comm *c)
{
    return c->remote->size;
}

#endif
