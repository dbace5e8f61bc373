# SPDX-License-Identifier: BSD-3-Clause
# The recorder: the state of a run.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/state/call.c \
	commlib/state/call.h \
	commlib/state/lock.c \
	commlib/state/lock.h \
	commlib/state/own_slice.c \
	commlib/state/own_slice.h \
	commlib/state/run_state.c \
	commlib/state/run_state.h \
	commlib/state/sched_delay.c \
	commlib/state/sched_delay.h
