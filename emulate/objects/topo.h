/* SPDX-License-Identifier: BSD-3-Clause
 * Process topologies: Cartesian, graph and distributed graph, immutable and shared by duplicates of a communicator.
 * Neighbour collectives ask here who the neighbours are. */
#ifndef CS_TOPO_H
#define CS_TOPO_H

struct cs_emu_comm;
struct cs_emu_topo;

/* For Comm_dup and Comm_idup (NULL stays NULL), and Comm_free. */
struct cs_emu_topo *cs_emu_topo_hold(struct cs_emu_topo *t);
void cs_emu_topo_release(struct cs_emu_topo *t);

/* Numbers of neighbours of the calling rank that the neighbour collectives receive from and send to. Returns
 * MPI_SUCCESS or MPI_ERR_TOPOLOGY if the communicator has none. */
int cs_emu_topo_degrees(const struct cs_emu_comm *c, int *sources, int *destinations);
/* Their ranks in the communicator (or MPI_PROC_NULL), in the order of the neighbour collectives, into arrays of those
 * lengths. */
void cs_emu_topo_neighbours(const struct cs_emu_comm *c, int sources[], int destinations[]);

#endif
