# SPDX-License-Identifier: BSD-3-Clause
# The recorder: from a call to an event of the trace.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/record/call_sites.c \
	commlib/record/call_sites.h \
	commlib/record/comm_paths.c \
	commlib/record/comm_paths.h \
	commlib/record/failed_calls.c \
	commlib/record/failed_calls.h \
	commlib/record/file_numbers.c \
	commlib/record/file_numbers.h \
	commlib/record/op_names.c \
	commlib/record/recorder.c \
	commlib/record/recorder.h \
	commlib/record/request_table.c \
	commlib/record/request_table.h \
	commlib/record/seen_values.c \
	commlib/record/seen_values.h \
	commlib/record/segment_notes.c \
	commlib/record/segment_notes.h \
	commlib/record/segments.c \
	commlib/record/segments.h \
	commlib/record/trace_file.c \
	commlib/record/trace_file.h \
	commlib/record/type_contents.c \
	commlib/record/type_contents.h \
	commlib/record/type_pieces.c \
	commlib/record/type_signatures.c \
	commlib/record/type_signatures.h \
	commlib/record/unrecorded.c \
	commlib/record/unrecorded.h
