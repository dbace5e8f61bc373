# SPDX-License-Identifier: BSD-3-Clause
# The recorder: whether a rank reads from a file what the program wrote.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/files/file_calls.c \
	commlib/files/rank_files.c \
	commlib/files/rank_files.h \
	commlib/files/read_back.c \
	commlib/files/read_back.h
