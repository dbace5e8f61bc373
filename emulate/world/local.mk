# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: ranks, what they share, sleeping and waking.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/world/caller_lookup.c \
	emulate/world/caller_lookup.h \
	emulate/world/entry.h \
	emulate/world/fortran_symbols.c \
	emulate/world/handles.c \
	emulate/world/handles.h \
	emulate/world/missing.c \
	emulate/world/missing.h \
	emulate/world/shared_memory.c \
	emulate/world/shared_memory.h \
	emulate/world/wait.c \
	emulate/world/wait.h \
	emulate/world/world.c \
	emulate/world/world.h

# Entry points of calls that nobody has written, from the table of MPI calls: weak names, so that those that are written win.
noinst_PROGRAMS += emulate/world/gen_stubs
emulate_world_gen_stubs_SOURCES = emulate/world/gen_stubs.c
emulate_world_gen_stubs_LDADD = api/libcsapi.a
BUILT_SOURCES += emulate/world/stubs.c emulate/world/names.c
CLEANFILES += emulate/world/stubs.c emulate/world/names.c
nodist_commlib_libcommslice_emulate_so_SOURCES += emulate/world/stubs.c emulate/world/names.c
emulate/world/stubs.c: emulate/world/gen_stubs$(EXEEXT)
	$(AM_V_GEN)emulate/world/gen_stubs$(EXEEXT) >$@.tmp && mv $@.tmp $@
emulate/world/names.c: emulate/world/gen_stubs$(EXEEXT)
	$(AM_V_GEN)emulate/world/gen_stubs$(EXEEXT) names >$@.tmp && mv $@.tmp $@
