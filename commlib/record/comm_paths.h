/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators by how they were made: a path that is the same in every run ("world", "world/2", "world/2/0"), the
 * ranks of MPI_COMM_WORLD behind them, and what the lengths of array arguments depend on. */
#ifndef CS_COMM_PATHS_H
#define CS_COMM_PATHS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "commlib/state/call.h"
#include "base/ranges.h"

struct cs_comm {
    MPI_Comm handle;
    char *path;           /* ends in "~" for an intercommunicator */
    uint64_t key;         /* the same on every member, whatever their paths are */
    int in_trace;         /* index there, -1: nothing is recorded */
    int children, groups; /* made so far by all members, and by Comm_create_group */
    int rank, nranks;
    bool inter;
    int npeers;              /* whom ranks in arguments count: the group, or the remote group */
    struct cs_ranges world;  /* their ranks in MPI_COMM_WORLD */
    int indegree, outdegree; /* of a topology, -1: not asked yet */
    int64_t collectives;     /* number of collective calls so far */
    struct cs_comm *next;    /* the one made before */
};

/* NULL for MPI_COMM_NULL and when memory is out. A communicator that no recorded call has made gets the path "?". With
 * the lock held. */
struct cs_comm *cs_comm_get(MPI_Comm handle);

/* After a constructor: registers what it made from its arguments; counts the creation also where this rank gets
 * MPI_COMM_NULL. Returns the index in the trace, -1 for MPI_COMM_NULL. With the lock held. */
int cs_comm_made(const struct cs_call *c, MPI_Comm newcomm);

/* The handle was freed. With the lock held. */
void cs_comm_forget(MPI_Comm handle);

/* The length of an array argument whose row in the table gives none. With the lock held. */
int cs_comm_array_length(const struct cs_call *c, int arg);

#endif
