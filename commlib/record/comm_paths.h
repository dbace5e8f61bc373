/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators by how they were made. "world/2/0" is the first communicator made from the third one made from
 * MPI_COMM_WORLD; "world/g0" is the first of MPI_Comm_create_group. Such a path is the same in every run. */
#ifndef CS_COMM_PATHS_H
#define CS_COMM_PATHS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "commlib/state/call.h"
#include "base/ranges.h"

/* A communicator of this rank that has not been freed; or a window ("world/w0"), whose handle is none of a
 * communicator. */
struct cs_comm {
    MPI_Comm handle;
    char *path;           /* ends in "~" for an intercommunicator */
    uint64_t key;         /* the same on every member, even where members have different paths */
    int in_trace;         /* index there, -1: nothing is recorded */
    int children, groups; /* made so far by all members, and by Comm_create_group */
    int windows;          /* made so far */
    bool addresses;       /* a window in which displacements are addresses, which no other run has */
    int rank, nranks;
    bool inter;
    int npeers;              /* size of the group that peer arguments name: the own one, or the remote one if `inter` */
    struct cs_ranges world;  /* that group as ranks of MPI_COMM_WORLD */
    int indegree, outdegree; /* of a topology, -1: not asked yet */
};

/* NULL for MPI_COMM_NULL and when memory is out. A communicator that no recorded call has made gets the path "?". With
 * the lock held. */
struct cs_comm *cs_comm_get(MPI_Comm handle);
/* The call's communicator, or its window, if that is known: the library cannot be asked about one that is not. With the
 * lock held. */
const struct cs_comm *cs_comm_of_call(const struct cs_call *c);
/* The same, but NULL for one that is not known, which may be freed or no communicator at all: the library is not asked.
 * With the lock held. */
const struct cs_comm *cs_comm_known(MPI_Comm handle);

/* To be called after a call that makes a communicator, on every rank of the parent: the creation counts in the paths to
 * come, even if newcomm is MPI_COMM_NULL. Registers newcomm and returns its index in the trace; -1 for MPI_COMM_NULL
 * and when memory is out. With the lock held. */
int cs_comm_made(const struct cs_call *c, MPI_Comm newcomm);

/* The handle was freed. With the lock held. */
void cs_comm_forget(MPI_Comm handle);

/* The length of array argument `arg` of c, where it depends on the communicator or on the array before it (enum
 * cs_mpi_length) and not on a count. With the lock held. */
int cs_comm_array_length(const struct cs_call *c, int arg);

#endif
