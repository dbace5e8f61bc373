# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: the writer, which is all that the preloaded libraries take of it.
trace_libcstrace_a_SOURCES += \
	trace/write/aligned_ranks.c \
	trace/write/aligned_ranks.h \
	trace/write/common_nest.c \
	trace/write/common_nest.h \
	trace/write/crash_buffer.c \
	trace/write/crash_buffer.h \
	trace/write/join_ranks.c \
	trace/write/join_ranks.h \
	trace/write/join_shares.c \
	trace/write/join_shares.h \
	trace/write/joined_classes.c \
	trace/write/joined_classes.h \
	trace/write/loaded_stream.c \
	trace/write/loaded_stream.h \
	trace/write/quiet_write.c \
	trace/write/quiet_write.h \
	trace/write/recover.c \
	trace/write/section_set.c \
	trace/write/section_set.h \
	trace/write/write.c \
	trace/write/write_block.c \
	trace/write/write_defs.c \
	trace/write/write_internal.h \
	trace/write/writer_group.c \
	trace/write/writer_group.h
