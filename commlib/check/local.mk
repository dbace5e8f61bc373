# SPDX-License-Identifier: BSD-3-Clause
# The recorder: marked calls meet marked ones; hangs are noticed.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/check/channel_check.c \
	commlib/check/channel_check.h \
	commlib/check/channel_collectives.c \
	commlib/check/channel_internal.h \
	commlib/check/channel_places.c \
	commlib/check/channel_shared.c \
	commlib/check/channel_turns.c \
	commlib/check/channel_turns.h \
	commlib/check/hang_detector.c \
	commlib/check/hang_detector.h \
	commlib/check/hang_timer.c \
	commlib/check/hang_timer.h
