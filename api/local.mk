# SPDX-License-Identifier: BSD-3-Clause
# libcsapi: the table of MPI calls, and the reader of what a slice says of itself.
noinst_LIBRARIES += api/libcsapi.a
api_libcsapi_a_SOURCES = \
	api/allocation.c \
	api/allocation.h \
	api/assumption.h \
	api/marks.h \
	api/mpi_calls.c \
	api/mpi_calls.def \
	api/mpi_calls.h \
	api/assumed_value.c \
	api/assumed_value.h \
	api/repeated_turns.c \
	api/repeated_turns.h \
	api/slice_section.c \
	api/slice_section.h
