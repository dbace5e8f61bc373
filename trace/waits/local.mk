# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: who waits for whom, and why.
trace_libcstrace_a_SOURCES += \
	%D%/wait_calls.c \
	%D%/wait_causes.c \
	%D%/wait_meet.c \
	%D%/wait_path.c \
	%D%/wait_places.c \
	%D%/waits.c \
	%D%/waits.h \
	%D%/waits_internal.h
