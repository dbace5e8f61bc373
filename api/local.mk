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
nodist_api_libcsapi_a_SOURCES = api/mpi_large.def

# The rows of calls with large counts.
noinst_PROGRAMS += api/gen_large
api_gen_large_SOURCES = api/gen_large.c
api_gen_large_LDADD =
BUILT_SOURCES += api/mpi_large.def
CLEANFILES += api/mpi_large.def
api/mpi_large.def: api/gen_large$(EXEEXT)
	$(AM_V_GEN)api/gen_large$(EXEEXT) >$@.tmp && mv $@.tmp $@
api/mpi_calls.$(OBJEXT): api/mpi_large.def
