# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: LIVE propagation.
slicer_libcsslicer_a_SOURCES += \
	slicer/live/live.c \
	slicer/live/live.h \
	slicer/live/live_arrival.c \
	slicer/live/live_calls.c \
	slicer/live/live_context.c \
	slicer/live/live_equal.c \
	slicer/live/live_files.c \
	slicer/live/live_flow.c \
	slicer/live/live_found.c \
	slicer/live/live_internal.h \
	slicer/live/live_marks.c \
	slicer/live/live_memory.c \
	slicer/live/live_merge.c \
	slicer/live/live_moment.c \
	slicer/live/live_names.c \
	slicer/live/live_need.c \
	slicer/live/live_null.c \
	slicer/live/live_operations.c \
	slicer/live/live_order.c \
	slicer/live/live_past.c \
	slicer/live/live_polls.c \
	slicer/live/live_setup.c \
	slicer/live/live_stable.c \
	slicer/live/live_status.c \
	slicer/live/live_units.c \
	slicer/live/needs.h
