# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: communicators, groups, topologies, attributes, operations.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/objects/attr.c \
	emulate/objects/attr.h \
	emulate/objects/attr_internal.h \
	emulate/objects/cart.c \
	emulate/objects/comm.h \
	emulate/objects/comm_table.c \
	emulate/objects/comm_table.h \
	emulate/objects/dims.c \
	emulate/objects/graph_topology.c \
	emulate/objects/group.c \
	emulate/objects/group.h \
	emulate/objects/info_object.c \
	emulate/objects/info_object.h \
	emulate/objects/op.c \
	emulate/objects/op.h \
	emulate/objects/op_basic.c \
	emulate/objects/op_internal.h \
	emulate/objects/topo.c \
	emulate/objects/topo.h \
	emulate/objects/topo_internal.h
