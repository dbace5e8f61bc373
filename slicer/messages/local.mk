# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: which MPI calls can meet.
slicer_libcsslicer_a_SOURCES += \
	slicer/messages/call_match.c \
	slicer/messages/call_match.h \
	slicer/messages/message_channels.c \
	slicer/messages/message_channels.h \
	slicer/messages/variance.c \
	slicer/messages/variance.h \
	slicer/messages/variance_flow.c \
	slicer/messages/variance_internal.h
