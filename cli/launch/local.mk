# SPDX-License-Identifier: BSD-3-Clause
# commslice: starting programs.
cli_commslice_SOURCES += \
	cli/launch/child.c \
	cli/launch/child.h \
	cli/launch/emulate_options.c \
	cli/launch/emulate_options.h \
	cli/launch/launch.c \
	cli/launch/launch.h \
	cli/launch/run_logged.c \
	cli/launch/run_logged.h \
	cli/launch/share_option.c \
	cli/launch/share_option.h \
	cli/launch/tools.c \
	cli/launch/tools.h
