# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: the merged form, its file, walking and replaying it.
trace_libcstrace_a_SOURCES += \
	trace/nest/merged_expand.c \
	trace/nest/merged_format.h \
	trace/nest/merged_in.h \
	trace/nest/merged_read.c \
	trace/nest/merged_read_defs.c \
	trace/nest/merged_read_records.c \
	trace/nest/merged_times.c \
	trace/nest/merged_times.h \
	trace/nest/merged_value.c \
	trace/nest/merged_value.h \
	trace/nest/merged_walk.c \
	trace/nest/merged_walk.h \
	trace/nest/merged_write.c \
	trace/nest/nest.c \
	trace/nest/nest.h \
	trace/nest/nest_sound.c \
	trace/nest/nest_sound.h \
	trace/nest/replay.c \
	trace/nest/replay_internal.h \
	trace/nest/replay_read.c
