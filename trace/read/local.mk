# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: the readers of traces, and their comparison.
trace_libcstrace_a_SOURCES += \
	trace/read/iter.c \
	trace/read/pool.c \
	trace/read/pool.h \
	trace/read/read.c \
	trace/read/read_at.c \
	trace/read/read_at.h \
	trace/read/read_classes.c \
	trace/read/read_defs.c \
	trace/read/read_internal.h \
	trace/read/stored_blocks.h \
	trace/read/stream.h \
	trace/read/trace_diff.c \
	trace/read/trace_diff.h \
	trace/read/trace_rank.h
