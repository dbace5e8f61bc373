# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: MPI calls that are made of the others.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/calls/attr_calls.c \
	emulate/calls/coll_calls.c \
	emulate/calls/comm_calls.c \
	emulate/calls/comm_query.c \
	emulate/calls/dist_graph.c \
	emulate/calls/group_calls.c \
	emulate/calls/init_finalize.c \
	emulate/calls/intercomm.c \
	emulate/calls/misc.c \
	emulate/calls/neighbor_calls.c
