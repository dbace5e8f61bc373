# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: process topologies and the collectives of neighbours.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/topologies/cart.c \
	emulate/topologies/dims.c \
	emulate/topologies/dist_graph.c \
	emulate/topologies/graph_topology.c \
	emulate/topologies/neighbor.c \
	emulate/topologies/neighbor_calls.c \
	emulate/topologies/neighbor_internal.h \
	emulate/topologies/neighbor_persistent.c \
	emulate/topologies/topo.c \
	emulate/topologies/topo.h \
	emulate/topologies/topo_internal.h \
	emulate/topologies/topo_neighbors.c
