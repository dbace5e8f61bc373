/* SPDX-License-Identifier: BSD-3-Clause
 * Topologies as the files of this folder share them.
 * All arrays of a topology are in one block with it. */
#ifndef CS_TOPO_INTERNAL_H
#define CS_TOPO_INTERNAL_H

#include <stdbool.h>

#include <mpi.h>

#include "emulate/topologies/topo.h"

struct cs_emu_comm;

/* A topology. `kind` says which of the structures in `u` counts; all its pointers point into `numbers`. */
struct cs_emu_topo {
    int refs;
    int kind; /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
    union {
        struct {
            int ndims, *dims, *periodic, *position;
        } cart;
        struct {
            int nnodes, nedges, *index, *edges; /* as MPI_Graph_create has them */
        } graph;
        struct {
            int nin, nout, *in, *out, *in_weights, *out_weights;
            bool weighted;
        } dist;
    } u;
    int numbers[]; /* what the pointers point to */
};

/* Room for n numbers; one reference. NULL when memory is out. */
struct cs_emu_topo *cs_emu_topo_new(int kind, int n);
/* For a call that asks for a topology of this kind: the communicator's, or NULL after an error that is in *result. *c
 * is the communicator. */
const struct cs_emu_topo *cs_emu_topo_asked(MPI_Comm comm, int kind, struct cs_emu_comm **c, int *result,
                                            const char *call);
/* Makes a communicator of the first n ranks of the parent (or of those in `ranks`) with the topology, which is taken;
 * *out is MPI_COMM_NULL where the topology is NULL. Returns an error class. */
int cs_emu_topo_comm(struct cs_emu_comm *parent, int n, const int *ranks, struct cs_emu_topo *t, MPI_Comm *out);
/* The ranks that MPI_Cart_shift gives for `steps` in dimension d. */
void cs_emu_cart_shift(const struct cs_emu_comm *c, int d, int steps, int *source, int *destination);

/* Numbers of neighbours of the calling rank that the neighbour collectives receive from and send to. Returns
 * MPI_SUCCESS or MPI_ERR_TOPOLOGY if the communicator has none. */
int cs_emu_topo_degrees(const struct cs_emu_comm *c, int *sources, int *destinations);
/* Their ranks in the communicator (or MPI_PROC_NULL), in the order of the neighbour collectives, into arrays of those
 * lengths. */
void cs_emu_topo_neighbours(const struct cs_emu_comm *c, int sources[], int destinations[]);

#endif
