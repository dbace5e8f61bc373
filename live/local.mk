# SPDX-License-Identifier: BSD-3-Clause
# The state of a run that is under way: written by the recorder and by libcommslice-balance, read by the monitor.
live_sources = \
	%D%/live_file.c \
	%D%/live_plan.c \
	%D%/live_state.h
noinst_LIBRARIES += live/libcslive.a
live_libcslive_a_SOURCES = $(live_sources)
