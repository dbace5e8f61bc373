# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: points-to analysis.
slicer_libcsslicer_a_SOURCES += \
	slicer/pointsto/allocators.c \
	slicer/pointsto/allocators.h \
	slicer/pointsto/pointsto.c \
	slicer/pointsto/pointsto.h \
	slicer/pointsto/pointsto_ask.c \
	slicer/pointsto/pointsto_calls.c \
	slicer/pointsto/pointsto_closed.c \
	slicer/pointsto/pointsto_context.c \
	slicer/pointsto/pointsto_copy.c \
	slicer/pointsto/pointsto_dispatch.c \
	slicer/pointsto/pointsto_family.c \
	slicer/pointsto/pointsto_flow.c \
	slicer/pointsto/pointsto_instance.c \
	slicer/pointsto/pointsto_internal.h \
	slicer/pointsto/pointsto_learnt.c \
	slicer/pointsto/pointsto_memory.c \
	slicer/pointsto/pointsto_set.c \
	slicer/pointsto/pointsto_writes.c \
	slicer/pointsto/pointsto_widen.c \
	slicer/pointsto/pointsto_stmt.c
