/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of this folder share: the topology object, questions about it, and communicators that have one. */
#ifndef CS_TOPO_INTERNAL_H
#define CS_TOPO_INTERNAL_H

#include <stdbool.h>

#include <mpi.h>

#include "emulate/topologies/topo.h"

struct cs_emu_comm;

/* A topology, in one block of memory: `kind` tells which structure of `u` is valid, and its pointers point into
 * `numbers`. */
struct cs_emu_topo {
    int refs;
    int kind; /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
    union {
        struct {
            int ndims, *dims, *periodic, *position; /* `position`: coordinates of the own rank */
        } cart;
        struct {
            int nnodes, nedges, *index, *edges; /* as MPI_Graph_create has them */
        } graph;
        struct {
            int nin, nout, *in, *out, *in_weights, *out_weights; /* sources and destinations of the own rank */
            bool weighted;
        } dist;
    } u;
    int numbers[]; /* what the pointers point to */
};

/* A topology with room for n numbers and one reference. NULL when memory is out. */
struct cs_emu_topo *cs_emu_topo_new(int kind, int n);
/* The topology of `comm`, for a call that needs one of this kind; NULL if it has none, and then *result is what the
 * call must return. *c becomes the communicator. */
const struct cs_emu_topo *cs_emu_topo_asked(MPI_Comm comm, int kind, struct cs_emu_comm **c, int *result,
                                            const char *call);
/* Makes a communicator with topology t from the parent's first n ranks, or from the n ranks in `ranks`. Collective;
 * ranks that do not belong to it pass NULL as t and get MPI_COMM_NULL. Takes over t. Returns an error class. */
int cs_emu_topo_comm(struct cs_emu_comm *parent, int n, const int *ranks, struct cs_emu_topo *t, MPI_Comm *out);
/* The ranks that MPI_Cart_shift gives for `steps` in dimension d. */
void cs_emu_cart_shift(const struct cs_emu_comm *c, int d, int steps, int *source, int *destination);

/* Their ranks in the communicator (or MPI_PROC_NULL), in the order of MPI's neighbourhood collectives. The arrays have
 * the lengths that cs_emu_topo_degrees gives. */
void cs_emu_topo_neighbours(const struct cs_emu_comm *c, int sources[], int destinations[]);

#endif
