# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: the bytes of a trace, and what its writer and its readers agree on.
trace_libcstrace_a_SOURCES += \
	trace/format/block_classes.c \
	trace/format/block_classes.h \
	trace/format/bytes.c \
	trace/format/bytes.h \
	trace/format/fields.c \
	trace/format/fields.h \
	trace/format/fold_again.c \
	trace/format/format.c \
	trace/format/format.h \
	trace/format/item.h \
	trace/format/online_fold.c \
	trace/format/online_fold.h \
	trace/format/online_fold_internal.h \
	trace/format/peers.c \
	trace/format/peers.h \
	trace/format/symbols.c \
	trace/format/symbols.h
