# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: the parent of the ranks.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/parent/parent.c \
	emulate/parent/relay.c \
	emulate/parent/relay.h \
	emulate/parent/status_line.c \
	emulate/parent/status_line.h \
	emulate/parent/stuck_report.c \
	emulate/parent/stuck_report.h
