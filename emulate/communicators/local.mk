# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: the calls that make, ask and free communicators and groups.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/communicators/comm_attributes.c \
	emulate/communicators/comm_calls.c \
	emulate/communicators/comm_errhandler.c \
	emulate/communicators/comm_hints.c \
	emulate/communicators/comm_hints_internal.h \
	emulate/communicators/comm_query.c \
	emulate/communicators/comm_split.c \
	emulate/communicators/group_calls.c \
	emulate/communicators/intercomm.c \
	emulate/communicators/intercomm_internal.h
