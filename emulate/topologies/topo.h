/* SPDX-License-Identifier: BSD-3-Clause
 * Process topologies: Cartesian, graph and distributed graph. They never change, so duplicates of a communicator share
 * one. */
#ifndef CS_TOPO_H
#define CS_TOPO_H

struct cs_emu_topo;

/* Add and remove a reference; both do nothing for NULL. */
struct cs_emu_topo *cs_emu_topo_hold(struct cs_emu_topo *t);
void cs_emu_topo_release(struct cs_emu_topo *t);

#endif
