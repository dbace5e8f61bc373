/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators of the emulated library, behind MPICH's handles. A context number, the same on all members and on no
 * other communicator, keeps their messages apart; most communicators are made without talking to anybody. The calls
 * that make communicators are in communicators/. */
#ifndef CS_COMM_H
#define CS_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/errors/error.h"
#include "emulate/objects/group.h"

struct cs_emu_attr; /* attr.h */
struct cs_emu_topo; /* topologies/ */

/* A communicator as one of its members has it; all members have one of the same context. */
struct cs_emu_comm {
    struct cs_emu_error_home home; /* its handle and its error handler */
    int refs;                      /* the handle's, and those of requests */
    uint32_t context;
    bool inter;
    bool first;                          /* its local group is the first side: all members agree */
    int rank;                            /* own, in the local group */
    struct cs_emu_group *local, *remote; /* the same unless inter */
    uint32_t children;                   /* communicators made from it so far: equal on all members */
    uint32_t collectives;                /* collective calls so far */
    uint32_t neighbors;                  /* collectives of neighbours so far */
    struct cs_emu_attr *attrs;           /* NULL: none */
    struct cs_emu_topo *topo;            /* NULL: none */
    void (*release_topo)(struct cs_emu_topo *);
    MPI_Info info;
    char *name; /* NULL: unnamed */
};

/* Makes MPI_COMM_WORLD and MPI_COMM_SELF, at MPI_Init. */
void cs_emu_comm_start(void);
/* NULL if the handle is no communicator of ours. */
struct cs_emu_comm *cs_emu_comm_of(MPI_Comm handle);

/* Makes a communicator of the members of g, which is taken. All members of the parent that are in g call it, and all
 * with the same g, in the same order as they make others from this parent; nobody waits. With g NULL the rank is no
 * member: only counts. *out becomes MPI_COMM_NULL then. Returns an error class. The new one has no attributes, topology
 * or name, and the parent's error handler. */
int cs_emu_comm_make(struct cs_emu_comm *parent, struct cs_emu_group *g, MPI_Comm *out);
/* A communicator with this context; takes the groups. remote NULL: no intercommunicator. Returns an error class. */
int cs_emu_comm_add(struct cs_emu_comm *parent, uint32_t context, struct cs_emu_group *local,
                    struct cs_emu_group *remote, bool first, MPI_Comm *out);
/* Makes one of the same members, with nothing else of c but its error handler. All members call it; nobody waits. */
int cs_emu_comm_twin(struct cs_emu_comm *c, MPI_Comm *out);
/* Takes a topology, and what to call when the communicator goes. The communicator has none yet. */
void cs_emu_comm_set_topo(struct cs_emu_comm *c, struct cs_emu_topo *t, void (*release)(struct cs_emu_topo *));
/* One reference less. */
void cs_emu_comm_release(struct cs_emu_comm *c);
/* The handle is gone; requests may still hold on to the object. Nothing happens to MPI_COMM_WORLD and MPI_COMM_SELF. */
void cs_emu_comm_end(struct cs_emu_comm *c);

/* cs_emu_error with the communicator's handler (c NULL: that of MPI_COMM_WORLD). */
static inline int cs_emu_comm_error(const struct cs_emu_comm *c, int class, const char *call)
{
    return cs_emu_error(c ? &c->home : NULL, class, call);
}

/* How many ranks a peer argument may name. */
static inline int cs_emu_comm_peers(const struct cs_emu_comm *c)
{
    return c->remote->size;
}

/* Rank in MPI_COMM_WORLD of a rank that a peer argument names. */
static inline int cs_emu_comm_world(const struct cs_emu_comm *c, int peer)
{
    return cs_emu_group_world(c->remote, peer);
}

/* All ranks that it connects, on both sides. */
static inline int cs_emu_comm_members(const struct cs_emu_comm *c)
{
    return c->local->size + (c->inter ? c->remote->size : 0);
}

#endif
