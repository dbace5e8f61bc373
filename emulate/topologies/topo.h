/* SPDX-License-Identifier: BSD-3-Clause
 * Process topologies: Cartesian, graph and distributed graph. They never change, so duplicates of a communicator share
 * one. */
#ifndef CS_TOPO_H
#define CS_TOPO_H

struct cs_emu_comm;
struct cs_emu_topo;

/* Add and remove a reference; both do nothing for NULL. */
struct cs_emu_topo *cs_emu_topo_hold(struct cs_emu_topo *t);
void cs_emu_topo_release(struct cs_emu_topo *t);

/* How many neighbours a neighbourhood collective of the own rank receives from and sends to. Returns MPI_SUCCESS, or
 * MPI_ERR_TOPOLOGY if the communicator has no topology. */
int cs_emu_topo_degrees(const struct cs_emu_comm *c, int *sources, int *destinations);

#endif
