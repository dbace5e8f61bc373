# SPDX-License-Identifier: BSD-3-Clause
# commslice: what all verbs share.
cli_commslice_SOURCES += \
	cli/frame/cli.h \
	cli/frame/common.c \
	cli/frame/json.c \
	cli/frame/json.h \
	cli/frame/output.c \
	cli/frame/output.h \
	cli/frame/own_files.c \
	cli/frame/own_files.h \
	cli/frame/text.c \
	cli/frame/text.h \
	cli/frame/unfinished.c \
	cli/frame/unfinished.h
