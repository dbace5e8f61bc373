# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: folding a string of symbols into a nest of loops.
trace_libcstrace_a_SOURCES += \
	trace/fold/fold.c \
	trace/fold/fold.h \
	trace/fold/fold_best.c \
	trace/fold/fold_internal.h \
	trace/fold/fold_paper.c \
	trace/fold/fold_search.c \
	trace/fold/fold_search.h \
	trace/fold/runs.c \
	trace/fold/runs.h \
	trace/fold/suffix_array.c \
	trace/fold/suffix_array.h
