# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: the program graph.
slicer_libcsslicer_a_SOURCES += \
	slicer/graph/bits.c \
	slicer/graph/bits.h \
	slicer/graph/branch_lines.c \
	slicer/graph/branch_lines.h \
	slicer/graph/graph.c \
	slicer/graph/graph.h \
	slicer/graph/graph_check.c \
	slicer/graph/learnt.h \
	slicer/graph/offsets.c \
	slicer/graph/offsets.h \
	slicer/graph/progress.c \
	slicer/graph/progress.h \
	slicer/graph/storage.c \
	slicer/graph/storage.h
