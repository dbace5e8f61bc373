# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: the text form of program graphs.
slicer_libcsslicer_a_SOURCES += \
	slicer/text/graph_read.c \
	slicer/text/graph_read_internal.h \
	slicer/text/graph_read_operand.c \
	slicer/text/graph_read_stmt.c \
	slicer/text/graph_text.h \
	slicer/text/graph_token.c \
	slicer/text/graph_words.c \
	slicer/text/graph_words_internal.h \
	slicer/text/graph_write.c \
	slicer/text/graph_write_internal.h \
	slicer/text/graph_write_stmt.c \
	slicer/text/stored.c \
	slicer/text/stored.h
