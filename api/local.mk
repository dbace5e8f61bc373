# SPDX-License-Identifier: BSD-3-Clause
# libcsapi: the table of MPI calls.
noinst_LIBRARIES += api/libcsapi.a
api_libcsapi_a_SOURCES = api/mpi_calls.c api/mpi_calls.h api/mpi_calls.def

# The table against itself, and against mpi.h.
check_PROGRAMS += api/test_mpi_calls api/print_prototypes
api_print_prototypes_LDADD = api/libcsapi.a
TESTS += api/test_mpi_calls api/test_prototypes.sh
EXTRA_DIST += api/test_prototypes.sh
