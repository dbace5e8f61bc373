# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: messages between ranks, and requests.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/messages/bsend.c \
	emulate/messages/bsend_internal.h \
	emulate/messages/complete_internal.h \
	emulate/messages/complete_many.c \
	emulate/messages/complete_one.c \
	emulate/messages/flow.c \
	emulate/messages/flow.h \
	emulate/messages/grequest.c \
	emulate/messages/grequest_internal.h \
	emulate/messages/internal_messages.c \
	emulate/messages/internal_messages.h \
	emulate/messages/match.c \
	emulate/messages/match_bins.c \
	emulate/messages/match_bins.h \
	emulate/messages/match_internal.h \
	emulate/messages/message.h \
	emulate/messages/p2p.c \
	emulate/messages/p2p.h \
	emulate/messages/persistent_requests.c \
	emulate/messages/probe.c \
	emulate/messages/queue.c \
	emulate/messages/request.c \
	emulate/messages/request.h \
	emulate/messages/send_receive.c \
	emulate/messages/status.c \
	emulate/messages/status.h \
	emulate/messages/status_calls.c
