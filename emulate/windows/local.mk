# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: one-sided communication.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/windows/window.h \
	emulate/windows/window_attributes.c \
	emulate/windows/window_data_calls.c \
	emulate/windows/window_epochs.c \
	emulate/windows/window_info.c \
	emulate/windows/window_locks.c \
	emulate/windows/window_memory.c \
	emulate/windows/window_object.c
