# SPDX-License-Identifier: BSD-3-Clause
# The recorder: the MPI library underneath.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/backend/backend.c \
	commlib/backend/backend.h \
	commlib/backend/real_calls.h
