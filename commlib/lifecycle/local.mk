# SPDX-License-Identifier: BSD-3-Clause
# The recorder: begin and end of a run, and the MPI library underneath.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/lifecycle/backend.c \
	commlib/lifecycle/backend.h
