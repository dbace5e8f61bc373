# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: calls with large counts, written by a program that walks the table of MPI calls.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/large/large_counts.c \
	emulate/large/large_counts.h

noinst_PROGRAMS += emulate/large/gen_large_calls
emulate_large_gen_large_calls_SOURCES = emulate/large/gen_large_calls.c
emulate_large_gen_large_calls_LDADD = api/libcsapi.a
BUILT_SOURCES += emulate/large/large_calls.c
CLEANFILES += emulate/large/large_calls.c
nodist_commlib_libcommslice_emulate_so_SOURCES += emulate/large/large_calls.c
emulate/large/large_calls.c: emulate/large/gen_large_calls$(EXEEXT)
	$(AM_V_GEN)emulate/large/gen_large_calls$(EXEEXT) >$@.tmp && mv $@.tmp $@
