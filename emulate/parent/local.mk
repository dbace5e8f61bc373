# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: the process that forks the ranks and looks after them.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/parent/guest.c \
	emulate/parent/guest.h \
	emulate/parent/launch_ranks.c \
	emulate/parent/parent.c \
	emulate/parent/parent.h \
	emulate/parent/put_back.c \
	emulate/parent/put_back.h \
	emulate/parent/put_back_functions.def \
	emulate/parent/put_back_imports.c \
	emulate/parent/put_back_imports.h \
	emulate/parent/relay.c \
	emulate/parent/relay.h \
	emulate/parent/series.c \
	emulate/parent/series.h \
	emulate/parent/status_line.c \
	emulate/parent/status_line.h \
	emulate/parent/stuck_report.c \
	emulate/parent/stuck_report.h
