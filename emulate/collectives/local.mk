# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: collective calls.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/collectives/coll.c \
	emulate/collectives/coll.h \
	emulate/collectives/coll_object.c \
	emulate/collectives/coll_reduce.c \
	emulate/collectives/neighbor.c \
	emulate/collectives/neighbor.h
