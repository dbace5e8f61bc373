# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: writing and reading traces. The linker takes the writer alone into what is preloaded.
noinst_LIBRARIES += trace/libcstrace.a
trace_libcstrace_a_SOURCES = trace/trace.h \
	trace/bytes.c trace/bytes.h trace/fields.c trace/fields.h trace/format.c trace/format.h trace/letters.c trace/letters.h \
	trace/live.c trace/live.h trace/loops.c trace/loops.h trace/write.c \
	trace/defs.c trace/diff.c trace/diff.h trace/iter.c trace/pool.c trace/pool.h trace/read.c trace/read.h trace/recover.c
