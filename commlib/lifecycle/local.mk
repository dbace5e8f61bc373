# SPDX-License-Identifier: BSD-3-Clause
# The recorder: begin and end of a run.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/lifecycle/begin.c \
	commlib/lifecycle/end.c \
	commlib/lifecycle/left_out.c \
	commlib/lifecycle/lifecycle.h \
	commlib/lifecycle/lifecycle_internal.h \
	commlib/lifecycle/parent_calls.c \
	commlib/lifecycle/signals.c
