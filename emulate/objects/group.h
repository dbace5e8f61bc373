/* SPDX-License-Identifier: BSD-3-Clause
 * Groups of engine emulate: ordered sets of ranks of MPI_COMM_WORLD, with counted references. The group of all ranks of
 * a world stores no list, so it costs nothing for 65,536 ranks. */
#ifndef CS_GROUP_H
#define CS_GROUP_H

#include <stdbool.h>

#include <mpi.h>

/* A group. It never changes, so communicators share one. */
struct cs_emu_group {
    int refs;
    int size;
    int rank;         /* own rank in it, or MPI_UNDEFINED */
    int *world;       /* the rank in MPI_COMM_WORLD of each member; NULL: member i is rank i */
    bool ascending;   /* world ranks in ascending order: found by bisection */
    MPI_Group handle; /* 0 until the user asks for one */
};

/* A group with one reference, or NULL when memory is out. Takes over `world`, which is malloced, or NULL for the ranks
 * 0 to size - 1. */
struct cs_emu_group *cs_emu_group_new(int size, int *world);
struct cs_emu_group *cs_emu_group_hold(struct cs_emu_group *g);
void cs_emu_group_release(struct cs_emu_group *g);
/* NULL if the handle is no group. */
struct cs_emu_group *cs_emu_group_of(MPI_Group handle);
/* The group's handle, which is made at first use; MPI_GROUP_NULL when memory is out. */
MPI_Group cs_emu_group_handle(struct cs_emu_group *g);

static inline int cs_emu_group_world(const struct cs_emu_group *g, int rank)
{
    return g->world ? g->world[rank] : rank;
}
/* The rank in g of a rank of MPI_COMM_WORLD, or MPI_UNDEFINED. */
int cs_emu_group_find(const struct cs_emu_group *g, int world);
/* For each rank of MPI_COMM_WORLD: 1 + its rank in g, or 0 if it is no member; to be freed. NULL when memory is out. */
int *cs_emu_group_invert(const struct cs_emu_group *g);
/* Sets *result to MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. Returns 0, or -1 when memory is out. */
int cs_emu_group_compare(const struct cs_emu_group *a, const struct cs_emu_group *b, int *result);

#endif
