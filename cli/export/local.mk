# SPDX-License-Identifier: BSD-3-Clause
# commslice: formats of other tools.
cli_commslice_SOURCES += \
	cli/export/export.h \
	cli/export/export_chrome.c \
	cli/export/export_csv.c \
	cli/export/export_events.c \
	cli/export/export_formats.c \
	cli/export/export_goal.c \
	cli/export/export_internal.h \
	cli/export/export_otf2.c \
	cli/export/export_prv.c \
	cli/export/export_ti.c \
	cli/export/met_messages.c \
	cli/export/met_messages.h \
	cli/export/otf2_defs.c \
	cli/export/otf2_defs.h \
	cli/export/prv_labels.c \
	cli/export/prv_labels.h \
	cli/export/rank_moments.c \
	cli/export/rank_moments.h \
	cli/export/sorted_messages.c \
	cli/export/sorted_messages.h \
	cli/export/ti.h \
	cli/export/ti_collective.c \
	cli/export/ti_lines.c
