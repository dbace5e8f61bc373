# SPDX-License-Identifier: BSD-3-Clause
# The recorder: what the monitor sees of calls.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/live/monitored_calls.c \
	commlib/live/monitored_calls.h \
	$(live_sources)
