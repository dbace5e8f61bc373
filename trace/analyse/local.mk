# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: sums, phases and patterns of a run.
trace_libcstrace_a_SOURCES += \
	trace/analyse/args.c \
	trace/analyse/args.h \
	trace/analyse/comm_numbers.c \
	trace/analyse/comm_numbers.h \
	trace/analyse/open_requests.c \
	trace/analyse/open_requests.h \
	trace/analyse/pair_rows.c \
	trace/analyse/pair_rows.h \
	trace/analyse/phases.c \
	trace/analyse/phases.h \
	trace/analyse/profile.c \
	trace/analyse/profile.h \
	trace/analyse/profile_inits.c \
	trace/analyse/profile_internal.h \
	trace/analyse/timeline.c \
	trace/analyse/timeline.h \
	trace/analyse/traffic.c \
	%D%/traffic.h \
	%D%/traffic_merged.c \
	trace/analyse/traffic_pattern.c \
	trace/analyse/traffic_pattern.h \
	trace/analyse/unmet.c \
	trace/analyse/unmet.h
