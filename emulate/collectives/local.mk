# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: collective calls and reduction operations.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/collectives/coll.h \
	emulate/collectives/coll_blocks.c \
	emulate/collectives/coll_calls.c \
	emulate/collectives/coll_check.c \
	emulate/collectives/coll_exchange.c \
	emulate/collectives/coll_internal.h \
	emulate/collectives/coll_object.c \
	emulate/collectives/coll_persistent.c \
	emulate/collectives/coll_reduce.c \
	emulate/collectives/coll_run.c \
	emulate/collectives/coll_steps.c \
	emulate/collectives/op.c \
	emulate/collectives/op.h \
	emulate/collectives/op_basic.c \
	emulate/collectives/op_internal.h
