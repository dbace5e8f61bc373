/* SPDX-License-Identifier: BSD-3-Clause
 * Process topologies: Cartesian, graph and distributed graph, immutable and shared by duplicates of a communicator. */
#ifndef CS_TOPO_H
#define CS_TOPO_H

struct cs_emu_topo;

/* A further reference to a topology, and one less; nothing for NULL. */
struct cs_emu_topo *cs_emu_topo_hold(struct cs_emu_topo *t);
void cs_emu_topo_release(struct cs_emu_topo *t);

#endif
