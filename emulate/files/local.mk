# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: MPI-IO.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/files/file.h \
	emulate/files/file_data_calls.c \
	emulate/files/file_move.c \
	emulate/files/file_object.c \
	emulate/files/file_state.c \
	emulate/files/file_view.c
