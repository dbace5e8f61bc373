# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: from the streams of all ranks to one nest.
trace_libcstrace_a_SOURCES += \
	trace/merge/interned.c \
	trace/merge/interned.h \
	trace/merge/merge.h \
	trace/merge/merge_classes.c \
	trace/merge/merge_defs.c \
	trace/merge/merge_flat.c \
	trace/merge/merge_flat.h \
	trace/merge/merge_guess.c \
	trace/merge/merge_guess.h \
	trace/merge/merge_internal.h \
	trace/merge/merge_loops.c \
	trace/merge/merge_nests.c \
	trace/merge/merge_order.c \
	trace/merge/merge_sequence.c \
	trace/merge/merge_trace.c \
	trace/merge/merge_unify.c \
	trace/merge/merged_cycles.c \
	trace/merge/merged_fold.c \
	trace/merge/merged_join.c \
	trace/merge/merged_records.c
