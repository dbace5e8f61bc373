# SPDX-License-Identifier: BSD-3-Clause
# commslice: what runs that are under way say.
cli_commslice_SOURCES += \
	cli/monitor/live_end.c \
	cli/monitor/live_find.c \
	cli/monitor/live_find.h \
	cli/monitor/live_json.c \
	cli/monitor/live_progress.c \
	cli/monitor/live_progress.h \
	cli/monitor/live_text.c \
	cli/monitor/live_text.h \
	cli/monitor/live_view.c \
	cli/monitor/live_view.h \
	cli/monitor/live_waits.c
