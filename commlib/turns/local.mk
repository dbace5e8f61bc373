# SPDX-License-Identifier: BSD-3-Clause
# The recorder: loops whose turns are alike.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/turns/answer_log.c \
	commlib/turns/answer_log.h \
	commlib/turns/compared_turns.c \
	commlib/turns/compared_turns.h \
	commlib/turns/turns_run.c \
	commlib/turns/turns_run.h
