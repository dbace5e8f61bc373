# SPDX-License-Identifier: BSD-3-Clause
# The recorder: what is really sent, and what only looks done.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/transmit/finish_requests.c \
	commlib/transmit/finish_requests.h \
	commlib/transmit/late_receives.c \
	commlib/transmit/late_receives.h \
	commlib/transmit/poison_buffers.c \
	commlib/transmit/poison_buffers.h \
	commlib/transmit/send_room.c \
	commlib/transmit/send_room.h \
	commlib/transmit/transmit.c \
	commlib/transmit/transmit.h \
	commlib/transmit/transmit_files.c \
	commlib/transmit/transmit_files.h \
	commlib/transmit/transmit_internal.h
