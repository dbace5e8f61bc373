# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: what ranks share, sleeping and waking, handles, the form of an MPI call.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/world/caller_lookup.c \
	emulate/world/caller_lookup.h \
	emulate/world/entry.h \
	emulate/world/fortran_symbols.c \
	emulate/world/handles.c \
	emulate/world/handles.h \
	emulate/world/shared_heap.c \
	emulate/world/shared_heap.h \
	emulate/world/shared_memory.c \
	emulate/world/shared_memory.h \
	emulate/world/tape.c \
	emulate/world/tape.h \
	emulate/world/wait.c \
	emulate/world/wait.h \
	emulate/world/world.c \
	emulate/world/world.h
